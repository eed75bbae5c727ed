/* The networks of `models/mlp.py` in single precision.

   Three things make it fast. The features of markup are bits, of which few are set: their rows of weights are added.
   Means over elements and groups are multiplied with their weights once for each element or group, not for each block.
   And the products are made in the widest vectors that the processor has. */

#include "core.h"

#include <math.h>
#include <stdlib.h>

enum { PANEL = 16, TILE_ROWS = 48 };
enum { WINDOW = 5, SHIFTS = 4, LEVELS = 3, STRETCHES = 2, AMOUNTS = 5 + 2 * STRETCHES };
enum { CONTEXTS = SHIFTS + 1 + LEVELS + 4, MARGIN = 2 };

static const Number shifts[SHIFTS] = {-1, 1, -2, 2}, stretches[STRETCHES] = {4, 12};
static const float SMALL = 1e-6f;
static const double HIGHEST = 0.9999; /* so that a threshold of 1 keeps nothing */

typedef struct {
    const char *name;
    void (*multiply)(const float *from, size_t stride, const float *panels, size_t inner, const float *bias, float *to,
                     size_t width, size_t rows);
    void (*add)(float *to, const float *row, float factor, size_t width);
    float (*dot)(const float *first, const float *second, size_t width);
    void (*cut)(float *values, size_t width);
} Kernel;

#if defined(__GNUC__)
#define UNROLL _Pragma("GCC unroll 16")

#if defined(__x86_64__) || defined(__i386__)
#define HAS_WIDER 1
#define WIDTH 16
#define ROWS 12
#define NAME(name) name##_avx512
#define TARGET __attribute__((target("avx512f")))
#define KERNEL "AVX-512"
#include "kernels.h"
#define WIDTH 8
#define ROWS 6
#define NAME(name) name##_avx2
#define TARGET __attribute__((target("avx2,fma")))
#define KERNEL "AVX2"
#include "kernels.h"
#endif

#define WIDTH 4
#define ROWS 3
#define NAME(name) name##_plain
#define TARGET
#if defined(__aarch64__)
#define KERNEL "NEON"
#elif defined(__x86_64__)
#define KERNEL "SSE2"
#else
#define KERNEL "vectors of four"
#endif
#include "kernels.h"

#else /* a compiler without vectors */

static void multiply_plain(const float *from, size_t stride, const float *panels, size_t inner, const float *bias,
                           float *to, size_t width, size_t rows) {
    size_t row, column, step, place;
    for (column = 0; column < width; column += PANEL) {
        for (row = 0; row < rows; row++) {
            float *sums = to + row * width + column;
            memcpy(sums, bias + column, PANEL * sizeof *sums);
            for (step = 0; step < inner; step++) {
                const float *weights = panels + column * inner + step * PANEL;
                float value = from[row * stride + step];
                for (place = 0; place < PANEL; place++)
                    sums[place] += value * weights[place];
            }
        }
    }
}

static void add_plain(float *to, const float *row, float factor, size_t width) {
    size_t column;
    for (column = 0; column < width; column++)
        to[column] += factor * row[column];
}

static float dot_plain(const float *first, const float *second, size_t width) {
    float sum = 0;
    size_t column;
    for (column = 0; column < width; column++)
        sum += first[column] * second[column];
    return sum;
}

static void cut_plain(float *values, size_t width) {
    size_t column;
    for (column = 0; column < width; column++)
        values[column] = values[column] > 0 ? values[column] : 0;
}

static const Kernel kernel_plain = {"plain C", multiply_plain, add_plain, dot_plain, cut_plain};
#endif

static const Kernel *kernel = &kernel_plain;

/* Take a kernel: 0 is the plainest one, -1 the best. Returns its number, or the highest there is if there are fewer. */
int use_kernel(int number) {
    int best = 0;
#ifdef HAS_WIDER
    __builtin_cpu_init();
    best = __builtin_cpu_supports("avx512f")                                 ? 2
           : __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") ? 1
                                                                             : 0;
#endif
    number = number < 0 || number > best ? best : number;
    kernel = &kernel_plain;
#ifdef HAS_WIDER
    if (number == 1) kernel = &kernel_avx2;
    if (number == 2) kernel = &kernel_avx512;
#endif
    return number;
}

const char *kernel_name(void) { return kernel->name; }

/* Weights in the order of their use, in rows that are padded with zeros. */

typedef struct {
    float *bias;        /* with what bits add that are not set */
    float *columns;     /* panels */
    float *bits, *page; /* rows */
    float *summary, *summary_bias, *content, *joint, *joint_bias, *shared, *whole, *output;
    float content_bias, output_bias;
} Member;

struct Network {
    size_t members, hidden, summary, joint; /* widths, padded */
    size_t own_summary;                     /* without padding, with the guess */
    size_t columns, page_features, inner;   /* inner: what goes into the joint layer from each block */
    Number *column, *page_column;
    float *low, *high, *page_low, *page_high;
    uint64_t bits[2];
    Member *member;
    float *weights; /* the room of all of them */
};

static size_t padded(size_t width) { return (width + PANEL - 1) / PANEL * PANEL; }

void free_network(Network *network) {
    if (network == NULL) return;
    free(network->column);
    free(network->low);
    free(network->member);
    free(network->weights);
    free(network);
}

/* A row of weights within panels: row `step` of `inner`. */
static void put_in_panels(float *panels, size_t inner, size_t step, const float *row, size_t width) {
    size_t column;
    for (column = 0; column < width; column++) {
        panels[column / PANEL * PANEL * inner + step * PANEL + column % PANEL] = row[column];
    }
}

static float clipped(float value, float low, float high) { return value < low ? low : value > high ? high : value; }

static void pack_first(Network *network, Member *member, const Weights *weights, size_t number) {
    size_t width = (size_t)weights->hidden, column = 0, page = 0, step, feature;
    memcpy(member->bias, weights->first_bias + number * width, width * sizeof(float));
    for (feature = 0; feature < (size_t)weights->features; feature++) {
        const float *row = weights->first + (number * (size_t)weights->features + feature) * width;
        Number source = weights->columns[feature];
        float low = weights->low[feature], high = weights->high[feature];
        if (source < FIRST_BIT) {
            put_in_panels(member->columns, network->columns, column++, row, width);
        } else if (source < FIRST_OF_PAGE) {
            float unset = clipped(0, low, high), set = clipped(1, low, high);
            for (step = 0; step < width; step++) {
                member->bias[step] += unset * row[step];
                member->bits[(size_t)(source - FIRST_BIT) * network->hidden + step] = (set - unset) * row[step];
            }
        } else {
            memcpy(member->page + page++ * network->hidden, row, width * sizeof(float));
        }
    }
}

static void pack_joint(Network *network, Member *member, const Weights *weights, size_t number) {
    size_t hidden = (size_t)weights->hidden, own = network->own_summary, joint = (size_t)weights->joint, step,
           place = 0;
    const float *row = weights->joint_weights + number * (hidden + CONTEXTS * own + AMOUNTS) * joint;
    /* From each block: its hidden numbers, its neighbours' summaries, the mean of those near it, and amounts. */
    for (step = 0; step < hidden; step++, row += joint)
        put_in_panels(member->joint, network->inner, step, row, joint);
    place = network->hidden;
    for (step = 0; step < (SHIFTS + 1) * own; step++, row += joint) {
        put_in_panels(member->joint, network->inner, place++, row, joint);
    }
    for (step = 0; step < (LEVELS + 2) * own; step++, row += joint) {
        memcpy(member->shared + step * network->joint, row, joint * sizeof(float));
    }
    for (step = 0; step < AMOUNTS; step++, row += joint)
        put_in_panels(member->joint, network->inner, place++, row, joint);
    for (step = 0; step < 2 * own; step++, row += joint)
        memcpy(member->whole + step * network->joint, row, joint * sizeof(float));
}

static void pack_member(Network *network, Member *member, const Weights *weights, size_t number) {
    size_t hidden = (size_t)weights->hidden, summary = (size_t)weights->summary, joint = (size_t)weights->joint, step;
    pack_first(network, member, weights, number);
    for (step = 0; step < hidden; step++) {
        put_in_panels(member->summary, network->hidden, step,
                      weights->summary_weights + (number * hidden + step) * summary, summary);
    }
    memcpy(member->summary_bias, weights->summary_bias + number * summary, summary * sizeof(float));
    memcpy(member->content, weights->content + number * summary, summary * sizeof(float));
    member->content_bias = weights->content_bias[number];
    pack_joint(network, member, weights, number);
    memcpy(member->joint_bias, weights->joint_bias + number * joint, joint * sizeof(float));
    memcpy(member->output, weights->output + number * joint, joint * sizeof(float));
    member->output_bias = weights->output_bias[number];
}

static float *take(float **room, size_t count) {
    float *taken = *room;
    if (*room != NULL) *room += count;
    return taken;
}

/* Lay out the arrays of a member in its room; without room, only count. */
static size_t lay_out(const Network *network, Member *member, float *room) {
    size_t hidden = network->hidden, own = network->own_summary, joint = network->joint, total = 0;
    struct {
        float **array;
        size_t count;
    } arrays[] = {
        {&member->bias, hidden},
        {&member->columns, network->columns * hidden},
        {&member->bits, BIT_COLUMNS * hidden},
        {&member->page, network->page_features * hidden},
        {&member->summary, hidden * network->summary},
        {&member->summary_bias, network->summary},
        {&member->content, network->summary},
        {&member->joint, network->inner * joint},
        {&member->joint_bias, joint},
        {&member->shared, (LEVELS + 2) * own * joint},
        {&member->whole, 2 * own * joint},
        {&member->output, joint},
    };
    size_t number;
    for (number = 0; number < sizeof arrays / sizeof *arrays; number++) {
        *arrays[number].array = take(&room, arrays[number].count);
        total += arrays[number].count;
    }
    return total;
}

/* Sort the features: columns of blocks, of bits, and of the page, which must be the last ones. */
static int sort_features(Network *network, const Weights *weights) {
    size_t feature, columns = 0, page = 0, count = (size_t)weights->features;
    for (feature = 0; feature < count; feature++) {
        Number source = weights->columns[feature];
        int is_of_page = feature >= count - (size_t)weights->page_features;
        if (source < 0 || source >= ALL_COLUMNS || (source >= FIRST_OF_PAGE) != is_of_page) return FAILED;
        if (source < FIRST_BIT) {
            network->column[columns] = source;
            network->low[columns] = weights->low[feature];
            network->high[columns++] = weights->high[feature];
        } else if (source < FIRST_OF_PAGE) {
            int bit = source - FIRST_BIT;
            network->bits[bit >> 6] |= (uint64_t)1 << (bit & 63);
        } else {
            network->page_column[page] = source - FIRST_OF_PAGE;
            network->page_low[page] = weights->low[feature];
            network->page_high[page++] = weights->high[feature];
        }
    }
    network->columns = columns;
    return OK;
}

static int prepare(Network *network, const Weights *weights) {
    size_t features = (size_t)weights->features, size, number;
    Member layout;
    network->members = (size_t)weights->members;
    network->hidden = padded((size_t)weights->hidden);
    network->own_summary = (size_t)weights->summary + 1;
    network->summary = padded(network->own_summary);
    network->joint = padded((size_t)weights->joint);
    network->page_features = (size_t)weights->page_features;
    network->inner = network->hidden + (SHIFTS + 1) * network->own_summary + AMOUNTS;
    network->column = core_realloc(NULL, 2 * (features + 1) * sizeof(Number));
    network->low = core_realloc(NULL, 4 * (features + 1) * sizeof(float));
    network->member = core_realloc(NULL, network->members * sizeof(Member));
    if (network->column == NULL || network->low == NULL || network->member == NULL) return NO_MEMORY;
    network->page_column = network->column + features + 1;
    network->high = network->low + features + 1;
    network->page_low = network->high + features + 1;
    network->page_high = network->page_low + features + 1;
    TRY(sort_features(network, weights));
    size = lay_out(network, &layout, NULL);
    network->weights = core_realloc(NULL, network->members * size * sizeof(float));
    if (network->weights == NULL) return NO_MEMORY;
    memset(network->weights, 0, network->members * size * sizeof(float));
    for (number = 0; number < network->members; number++) {
        lay_out(network, &network->member[number], network->weights + number * size);
        pack_member(network, &network->member[number], weights, number);
    }
    return OK;
}

int make_network(const Weights *weights, Network **made) {
    Network *network = core_realloc(NULL, sizeof *network);
    int status;
    if (network == NULL) return NO_MEMORY;
    memset(network, 0, sizeof *network);
    status = prepare(network, weights);
    if (status != OK) {
        free_network(network);
        network = NULL;
    }
    *made = network;
    return status;
}

/* From columns to scores. */

static float sigmoid(float value) { return 1 / (1 + expf(-value)); }

static float inverse(double weight) { return 1 / ((float)weight > SMALL ? (float)weight : SMALL); }

static size_t lowest_bit(uint64_t bits) {
#if defined(__GNUC__)
    return (size_t)__builtin_ctzll(bits);
#else
    size_t bit = 0;
    for (; !(bits & 1); bits >>= 1)
        bit++;
    return bit;
#endif
}

/* The first layer: what the page adds to all blocks, its columns, and the rows of the bits that are set. */
static void first_layer(const Network *network, const Member *member, const Page *page, Room *room, float *page_bias) {
    size_t width = network->hidden, count = page->blocks.count, block, column, start;
    memcpy(page_bias, member->bias, width * sizeof(float));
    for (column = 0; column < network->page_features; column++) {
        float value = room->page[network->page_column[column]];
        value = clipped(value, network->page_low[column], network->page_high[column]);
        kernel->add(page_bias, member->page + column * width, value, width);
    }
    for (start = 0; start < count; start += TILE_ROWS) {
        size_t rows = count - start < TILE_ROWS ? count - start : TILE_ROWS;
        float *inputs = room->inputs.at;
        for (block = start; block < start + rows; block++) {
            const float *row = room->columns.at + block * OWN_COLUMNS;
            for (column = 0; column < network->columns; column++) {
                *inputs++ = clipped(row[network->column[column]], network->low[column], network->high[column]);
            }
        }
        kernel->multiply(room->inputs.at, network->columns, member->columns, network->columns, page_bias,
                         room->hidden.at + start * width, width, rows);
    }
    for (block = 0; block < count; block++) {
        float *hidden = room->hidden.at + block * width;
        size_t word;
        for (word = 0; word < 2; word++) {
            uint64_t bits = room->bits.at[2 * block + word] & network->bits[word];
            for (; bits != 0; bits &= bits - 1) {
                kernel->add(hidden, member->bits + (64 * word + lowest_bit(bits)) * width, 1, width);
            }
        }
        kernel->cut(hidden, width);
    }
}

/* The summaries of all blocks with their guesses, and their weighted sums before each place. */
static void summarise(const Network *network, const Member *member, const Page *page, Room *room) {
    size_t width = network->summary, own = network->own_summary, count = page->blocks.count, block, column;
    float *summary = room->summary.at + MARGIN * width;
    double *running = room->running.at, *content = room->content.at;
    memset(room->summary.at, 0, MARGIN * width * sizeof(float));
    kernel->multiply(room->hidden.at, network->hidden, member->summary, network->hidden, member->summary_bias, summary,
                     width, count);
    memset(running, 0, (own + 1) * sizeof *running);
    content[0] = 0;
    for (block = 0; block < count; block++, summary += width, running += own + 1) {
        double weight = room->weights.at[block];
        float guess;
        kernel->cut(summary, width);
        guess = sigmoid(member->content_bias + kernel->dot(summary, member->content, width));
        summary[own - 1] = guess;
        for (column = 0; column < own; column++)
            running[own + 1 + column] = running[column] + summary[column] * weight;
        running[2 * own + 1] = running[own] + weight;
        content[block + 1] = content[block] + guess * weight * weight;
    }
    memset(summary, 0, MARGIN * width * sizeof(float));
}

/* Add to a row of the joint layer the product of a mean, given by sums with their weight behind them, with its weights.
 */
static void add_mean(const Network *network, const double *sums, const float *weights, float *row) {
    size_t own = network->own_summary, column;
    float factor = inverse(sums[own]);
    for (column = 0; column < own; column++, weights += network->joint) {
        kernel->add(row, weights, (float)sums[column] * factor, network->joint);
    }
}

static void sum_between(const Network *network, const Room *room, Number first, Number last, double *sums) {
    size_t own = network->own_summary, column;
    const double *before = room->running.at + (size_t)first * (own + 1),
                 *behind = room->running.at + (size_t)last * (own + 1);
    for (column = 0; column <= own; column++)
        sums[column] = behind[column] - before[column];
}

/* What all blocks share in the joint layer: the means over the page and over its content by the first guess. */
static void whole_page(const Network *network, const Member *member, const Page *page, Room *room, float *bias,
                       double *sums) {
    size_t own = network->own_summary, count = page->blocks.count, block, column;
    const float *summary = room->summary.at + MARGIN * network->summary;
    memcpy(bias, member->joint_bias, network->joint * sizeof(float));
    sum_between(network, room, 0, (Number)count, sums);
    add_mean(network, sums, member->whole, bias);
    memset(sums, 0, (own + 1) * sizeof *sums);
    for (block = 0; block < count; block++, summary += network->summary) {
        double weight = room->weights.at[block] * summary[own - 1];
        for (column = 0; column < own; column++)
            sums[column] += weight * summary[column];
        sums[own] += weight;
    }
    add_mean(network, sums, member->whole + own * network->joint, bias);
}

/* For each group, its mean times its weights in the joint layer. */
static int share_groups(const Network *network, const Member *member, const Page *page, Room *room, int is_path) {
    size_t own = network->own_summary, groups = is_path ? room->paths.count : room->groups.count, block, column, group;
    const float *summary = room->summary.at + MARGIN * network->summary;
    const float *weights = member->shared + (size_t)(LEVELS + is_path) * own * network->joint;
    float *shared = room->shared.at + (is_path ? room->groups.count * network->joint : 0);
    TRY(RESIZE(room->totals, groups * (own + 1)));
    memset(room->totals.at, 0, groups * (own + 1) * sizeof(double));
    for (block = 0; block < page->blocks.count; block++, summary += network->summary) {
        const BlockFacts *facts = &room->blocks.at[block];
        double *sums = room->totals.at + (size_t)(is_path ? facts->path : facts->group) * (own + 1);
        double weight = room->weights.at[block];
        for (column = 0; column < own; column++)
            sums[column] += weight * summary[column];
        sums[own] += weight;
    }
    memset(shared, 0, groups * network->joint * sizeof *shared);
    for (group = 0; group < groups; group++) {
        add_mean(network, room->totals.at + group * (own + 1), weights, shared + group * network->joint);
    }
    return OK;
}

static float content_between(const Network *network, const Room *room, Number first, Number last) {
    size_t own = network->own_summary;
    const double *before = room->running.at + (size_t)first * (own + 1),
                 *behind = room->running.at + (size_t)last * (own + 1);
    return (float)((behind[own - 1] - before[own - 1]) /
                   (behind[own] - before[own] > SMALL ? behind[own] - before[own] : SMALL));
}

/* The amounts of content before and behind a block, and its shares nearby. */
static float *put_amounts(const Network *network, const Room *room, Number block, Number count, float *to) {
    const double *content = room->content.at;
    double total = content[count] > SMALL ? content[count] : SMALL, behind = content[count] - content[block + 1];
    int number;
    *to++ = (float)(content[block] / total);
    *to++ = (float)(behind / total);
    *to++ = log1pf((float)content[block]) / 4;
    *to++ = log1pf((float)behind) / 4;
    *to++ = log1pf((float)total) / 4;
    for (number = 0; number < STRETCHES; number++) {
        Number first = block - stretches[number];
        *to++ = content_between(network, room, first > 0 ? first : 0, block);
    }
    for (number = 0; number < STRETCHES; number++) {
        Number last = block + 1 + stretches[number];
        *to++ = content_between(network, room, block + 1, last < count ? last : count);
    }
    return to;
}

/* What goes into the joint layer from a block itself. */
static void put_inputs(const Network *network, const Room *room, Number block, Number count, float *to) {
    size_t own = network->own_summary, column;
    const float *summary = room->summary.at + (MARGIN + (size_t)block) * network->summary;
    Number first = block - WINDOW, last = block + WINDOW + 1;
    const double *before, *behind;
    float factor;
    int number;
    memcpy(to, room->hidden.at + (size_t)block * network->hidden, network->hidden * sizeof *to);
    to += network->hidden;
    for (number = 0; number < SHIFTS; number++, to += own) {
        memcpy(to, summary + (ptrdiff_t)shifts[number] * (ptrdiff_t)network->summary, own * sizeof *to);
    }
    before = room->running.at + (size_t)(first > 0 ? first : 0) * (own + 1);
    behind = room->running.at + (size_t)(last < count ? last : count) * (own + 1);
    factor = inverse(behind[own] - before[own]);
    for (column = 0; column < own; column++)
        *to++ = (float)(behind[column] - before[column]) * factor;
    put_amounts(network, room, block, count, to);
}

/* The part of the joint layer that comes from an element around a block, kept while the next blocks are in it too. */
typedef struct {
    Number first, last;
    float *row;
} Around;

static void add_around(const Network *network, const Member *member, const Room *room, Number block, Around *around,
                       double *sums, float *row) {
    const BlockFacts *facts = &room->blocks.at[block];
    size_t own = network->own_summary;
    int level;
    for (level = 0; level < LEVELS; level++) {
        const Facts *element = &room->elements.at[facts->levels[level + 1]];
        Around *kept = &around[level];
        if (kept->first != element->first || kept->last != element->last) {
            kept->first = element->first;
            kept->last = element->last;
            memset(kept->row, 0, network->joint * sizeof *kept->row);
            sum_between(network, room, element->first, element->last, sums);
            add_mean(network, sums, member->shared + (size_t)level * own * network->joint, kept->row);
        }
        kernel->add(row, kept->row, 1, network->joint);
    }
    kernel->add(row, room->shared.at + (size_t)facts->group * network->joint, 1, network->joint);
    kernel->add(row, room->shared.at + (room->groups.count + (size_t)facts->path) * network->joint, 1, network->joint);
}

static void last_layers(const Network *network, const Member *member, const Page *page, Room *room, const float *bias,
                        double *sums) {
    Number count = (Number)page->blocks.count, start, block;
    Around around[LEVELS];
    int level;
    for (level = 0; level < LEVELS; level++) {
        around[level].first = around[level].last = -1;
        around[level].row = room->joint.at + (TILE_ROWS + (size_t)level) * network->joint;
    }
    for (start = 0; start < count; start += TILE_ROWS) {
        Number rows = count - start < TILE_ROWS ? count - start : TILE_ROWS;
        for (block = 0; block < rows; block++) {
            put_inputs(network, room, start + block, count, room->around.at + (size_t)block * network->inner);
        }
        kernel->multiply(room->around.at, network->inner, member->joint, network->inner, bias, room->joint.at,
                         network->joint, (size_t)rows);
        for (block = 0; block < rows; block++) {
            float *row = room->joint.at + (size_t)block * network->joint;
            add_around(network, member, room, start + block, around, sums, row);
            kernel->cut(row, network->joint);
            room->scores.at[start + block] +=
                sigmoid(member->output_bias + kernel->dot(row, member->output, network->joint));
        }
    }
}

static int make_room(const Network *network, const Page *page, Room *room) {
    size_t count = page->blocks.count, own = network->own_summary;
    TRY(RESIZE(room->inputs, TILE_ROWS * network->columns + 2 * network->hidden + 2 * network->joint));
    TRY(RESIZE(room->hidden, count * network->hidden));
    TRY(RESIZE(room->summary, (count + 2 * MARGIN) * network->summary));
    TRY(RESIZE(room->running, (count + 2) * (own + 1)));
    TRY(RESIZE(room->content, count + 1));
    TRY(RESIZE(room->around, TILE_ROWS * network->inner));
    TRY(RESIZE(room->joint, (TILE_ROWS + LEVELS) * network->joint));
    TRY(RESIZE(room->shared, (room->groups.count + room->paths.count) * network->joint));
    TRY(RESIZE(room->scores, count));
    return RESIZE(room->weights, count);
}

int score(const Network *network, const Page *page, Room *room) {
    size_t count = page->blocks.count, number, block;
    TRY(make_room(network, page, room));
    for (block = 0; block < count; block++) {
        room->weights.at[block] = sqrtf((float)(room->blocks.at[block].size + 1));
        room->scores.at[block] = 0;
    }
    for (number = 0; number < network->members; number++) {
        const Member *member = &network->member[number];
        float *page_bias = room->inputs.at + TILE_ROWS * network->columns, *joint_bias = page_bias + network->hidden;
        double *sums =
            room->running.at + (count + 1) * (network->own_summary + 1); /* a row behind those of the blocks */
        first_layer(network, member, page, room, page_bias);
        summarise(network, member, page, room);
        whole_page(network, member, page, room, joint_bias, sums);
        TRY(share_groups(network, member, page, room, 0));
        TRY(share_groups(network, member, page, room, 1));
        last_layers(network, member, page, room, joint_bias, sums);
    }
    for (block = 0; block < count; block++) {
        double mean = (float)(room->scores.at[block] / (double)network->members);
        room->scores.at[block] = mean < HIGHEST ? mean : HIGHEST;
    }
    return OK;
}
