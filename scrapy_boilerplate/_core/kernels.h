/* The loops over matrices, in vectors of WIDTH floats; network.c includes this file once for each kind of processor.

   The rows of all matrices are as long as a multiple of PANEL. ROWS rows are worked on at a time, so many that their
   sums stay in registers. */

typedef float NAME(vector) __attribute__((vector_size(4 * WIDTH), aligned(4), may_alias));

enum { NAME(parts) = PANEL / WIDTH };

/* The product of some rows with a panel of a matrix, PANEL columns that stand side by side. */
#define TILE(rows, name)                                                                                               \
    TARGET static void name(const float *from, size_t stride, const float *panel, size_t inner, const float *bias,     \
                            float *to, size_t width) {                                                                 \
        NAME(vector) sums[rows * NAME(parts)];                                                                         \
        size_t row, part, step;                                                                                        \
        UNROLL for (row = 0; row < rows; row++) {                                                                      \
            UNROLL for (part = 0; part < NAME(parts); part++) {                                                        \
                sums[row * NAME(parts) + part] = *(const NAME(vector) *)(bias + part * WIDTH);                         \
            }                                                                                                          \
        }                                                                                                              \
        for (step = 0; step < inner; step++) {                                                                         \
            NAME(vector) weights[NAME(parts)];                                                                         \
            UNROLL for (part = 0; part < NAME(parts); part++) {                                                        \
                weights[part] = *(const NAME(vector) *)(panel + step * PANEL + part * WIDTH);                          \
            }                                                                                                          \
            UNROLL for (row = 0; row < rows; row++) {                                                                  \
                float value = from[row * stride + step];                                                               \
                UNROLL for (part = 0; part < NAME(parts); part++) {                                                    \
                    sums[row * NAME(parts) + part] += value * weights[part];                                           \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
        UNROLL for (row = 0; row < rows; row++) {                                                                      \
            UNROLL for (part = 0; part < NAME(parts); part++) {                                                        \
                *(NAME(vector) *)(to + row * width + part * WIDTH) = sums[row * NAME(parts) + part];                   \
            }                                                                                                          \
        }                                                                                                              \
    }

TILE(ROWS, NAME(tile))
TILE(1, NAME(line))

TARGET static void NAME(multiply)(const float *from, size_t stride, const float *panels, size_t inner,
                                  const float *bias, float *to, size_t width, size_t rows) {
    size_t column, row;
    for (column = 0; column < width; column += PANEL) {
        const float *panel = panels + column * inner;
        for (row = 0; row + ROWS <= rows; row += ROWS) {
            NAME(tile)(from + row * stride, stride, panel, inner, bias + column, to + row * width + column, width);
        }
        for (; row < rows; row++) {
            NAME(line)(from + row * stride, stride, panel, inner, bias + column, to + row * width + column, width);
        }
    }
}

TARGET static void NAME(add)(float *to, const float *row, float factor, size_t width) {
    size_t column;
    for (column = 0; column < width; column += WIDTH) {
        *(NAME(vector) *)(to + column) += factor * *(const NAME(vector) *)(row + column);
    }
}

TARGET static float NAME(dot)(const float *first, const float *second, size_t width) {
    NAME(vector) sums = {0};
    float sum = 0;
    size_t column;
    for (column = 0; column < width; column += WIDTH) {
        sums += *(const NAME(vector) *)(first + column) * *(const NAME(vector) *)(second + column);
    }
    for (column = 0; column < WIDTH; column++)
        sum += sums[column];
    return sum;
}

TARGET static void NAME(cut)(float *values, size_t width) { /* at 0, from below */
    size_t column;
    for (column = 0; column < width; column++)
        values[column] = values[column] > 0 ? values[column] : 0;
}

static const Kernel NAME(kernel) = {KERNEL, NAME(multiply), NAME(add), NAME(dot), NAME(cut)};

#undef TILE
#undef WIDTH
#undef ROWS
#undef NAME
#undef TARGET
#undef KERNEL
