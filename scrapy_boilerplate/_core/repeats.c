/* Listings, whose lines share a score, and texts that a page holds twice. Mirrors `models/listings.py` and
 * `models/repeats.py`. */

#include "core.h"

#include <math.h>
#include <stdlib.h>

enum { LONG_TEXT = 8 }; /* words */

static Number listing_of(const Page *page, const Room *room, size_t block) {
    return room->elements.at[page->blocks.at[block].node].listing;
}

/* All lines of a listing get the weighted mean of their scores. */
int whole_listings(const Page *page, Room *room) {
    size_t count = page->blocks.count, block, elements = page->elements.count;
    double *totals;
    int any = 0;
    for (block = 0; block < count && !any; block++)
        any = listing_of(page, room, block) >= 0;
    if (!any) return OK;
    TRY(RESIZE(room->totals, 2 * elements));
    totals = room->totals.at;
    memset(totals, 0, 2 * elements * sizeof *totals);
    for (block = 0; block < count; block++) {
        Number listing = listing_of(page, room, block);
        if (listing < 0) continue;
        totals[2 * listing] += room->scores.at[block] * room->weights.at[block];
        totals[2 * listing + 1] += room->weights.at[block];
    }
    for (block = 0; block < count; block++) {
        Number listing = listing_of(page, room, block);
        double weight;
        if (listing < 0) continue;
        weight = totals[2 * listing + 1];
        room->scores.at[block] = totals[2 * listing] / (weight > 1e-9 ? weight : 1e-9);
    }
    return OK;
}

typedef struct {          /* a block whose text is repeated, in the order of which one to keep */
    double score, around; /* rounded */
    Number text, block;
} Copy;

static int compare(const void *first, const void *second) {
    const Copy *one = first, *other = second;
    if (one->text != other->text) return one->text < other->text ? -1 : 1;
    if (one->score != other->score) return one->score > other->score ? -1 : 1;
    if (one->around != other->around) return one->around > other->around ? -1 : 1;
    return one->block < other->block ? -1 : 1;
}

static float size_of(const Room *room, size_t block) { /* in the precision that the numpy code has */
    float weight = (float)room->weights.at[block];
    return weight * weight - 1;
}

typedef LIST(Copy) Copies;

/* The blocks with long texts that are there more than once. */
static int find_copies(const Page *page, Room *room, Copies *copies) {
    size_t count = page->blocks.count, block;
    double *content;
    TRY(RESIZE(room->numbers, count));
    memset(room->numbers.at, 0, count * sizeof(Number));
    for (block = 0; block < count; block++) {
        if (size_of(room, block) >= LONG_TEXT) room->numbers.at[room->blocks.at[block].first_equal]++;
    }
    TRY(RESIZE(room->totals, count + 1));
    content = room->totals.at;
    content[0] = 0;
    for (block = 0; block < count; block++)
        content[block + 1] = content[block] + room->scores.at[block] * size_of(room, block);
    for (block = 0; block < count; block++) {
        const BlockFacts *facts = &room->blocks.at[block];
        const Facts *wider = &room->elements.at[facts->levels[2]];
        Copy *copy;
        if (size_of(room, block) < LONG_TEXT || room->numbers.at[facts->first_equal] < 2) continue;
        TRY(RESERVE(*copies, 1));
        copy = &copies->at[copies->count++];
        copy->text = facts->first_equal;
        copy->block = (Number)block;
        copy->score = rint(room->scores.at[block] * 100) / 100;
        copy->around = rint(log2(1 + content[wider->last] - content[wider->first]));
    }
    return OK;
}

static int is_inside(const Room *room, Number block, Number other, int level) {
    const Facts *element = &room->elements.at[room->blocks.at[other].levels[level]];
    return element->first <= block && block < element->last;
}

static int text_beside(const Room *room, Number block, int side) {
    Number beside = block + side;
    return beside < 0 || beside >= (Number)room->blocks.count ? -1 : room->blocks.at[beside].first_equal;
}

static int neighbour_repeats(const Room *room, Number block, Number other) {
    int before = text_beside(room, block, -1), behind = text_beside(room, block, 1);
    return (before >= 0 && before == text_beside(room, other, -1)) ||
           (behind >= 0 && behind == text_beside(room, other, 1));
}

static int is_repetition(const Page *page, const Room *room, Number block, Number best) {
    if (block == best) return 0;
    if (is_inside(room, block, best, 2) &&
        !(neighbour_repeats(room, block, best) && !is_inside(room, block, best, 1))) {
        return 0;
    }
    if (listing_of(page, room, (size_t)block) >= 0) return 0;
    return listing_of(page, room, (size_t)best) < 0 || room->scores.at[best] >= room->scores.at[block];
}

static int drop_copies(const Page *page, Room *room, Copies *copies) {
    size_t number, count = copies->count;
    Number best = 0;
    TRY(find_copies(page, room, copies));
    count = copies->count;
    if (count == 0) return OK;
    qsort(copies->at, count, sizeof *copies->at, compare);
    for (number = 0; number < count;
         number++) { /* `around` is used again: whether to drop the block, and for which one */
        Copy *copy = &copies->at[number];
        if (number == 0 || copy->text != copy[-1].text) best = copy->block;
        copy->around = is_repetition(page, room, copy->block, best) ? best : -1;
        copy->score = room->scores.at[copy->block];
    }
    for (number = 0; number < count; number++) {
        const Copy *copy = &copies->at[number];
        double *kept;
        if (copy->around < 0) continue;
        kept = &room->scores.at[(Number)copy->around];
        if (copy->score > *kept) *kept = copy->score;
    }
    for (number = 0; number < count; number++) {
        if (copies->at[number].around >= 0) room->scores.at[copies->at[number].block] = 0;
    }
    return OK;
}

/* Of a text that the page holds twice, one block keeps its score, and the others get 0. */
int said_once(const Page *page, Room *room) {
    Copies copies = {0};
    int status = drop_copies(page, room, &copies);
    FREE(copies);
    return status;
}
