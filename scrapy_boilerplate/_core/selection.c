/* The threshold that a page's own scores suggest. Mirrors `models/selection.py`. */

#include "core.h"

#include <stdlib.h>

static const double LEAST_SIZE = 0.3; /* words */

typedef struct {
    double score, size;
    size_t number;
} Scored;

static int compare(const void *first, const void *second) {
    const Scored *one = first, *other = second;
    if (one->score != other->score) return one->score > other->score ? -1 : 1;
    return one->number < other->number ? -1 : 1;
}

/* The cut with the best expected F1 of words, and that F1. */
int expected_f1(const double *scores, const double *sizes, size_t count, double *cut, double *expected) {
    LIST(Scored) falling = {0};
    double total = 0, found = 0, so_far = 0;
    size_t number;
    int status;
    *cut = 1;
    *expected = 0;
    if (count == 0) return OK;
    status = RESIZE(falling, count);
    if (status != OK) return status;
    for (number = 0; number < count; number++) {
        Scored *scored = &falling.at[number];
        scored->score = scores[number];
        scored->size = sizes[number] > LEAST_SIZE ? sizes[number] : LEAST_SIZE; /* the sums must not be 0 */
        scored->number = number;
    }
    qsort(falling.at, count, sizeof *falling.at, compare);
    for (number = 0; number < count; number++)
        total += falling.at[number].score * falling.at[number].size;
    *expected = -2;
    for (number = 0; number < count; number++) {
        const Scored *scored = &falling.at[number];
        double value;
        found += scored->score * scored->size;
        so_far += scored->size;
        /* Blocks of equal score are kept or dropped together. */
        value = number + 1 < count && scored[1].score == scored->score ? -1 : 2 * found / (so_far + total);
        if (value > *expected) {
            *expected = value;
            *cut = scored->score;
        }
    }
    FREE(falling);
    return OK;
}
