/* Blocks that are dropped in the middle of a list or a table that is kept. Mirrors `holes.py`. */

#include "core.h"

static const double WHOLE_SHARE = 0.8, HEADED_SHARE = 0.5;

/* The nearest element with one of these tags, itself included; -1 if there is none. */
static Number around(const Page *page, Number element, unsigned flags) {
    while (element >= 0 && !(tag_of(page, element)->flags & flags))
        element = page->elements.at[element].parent;
    return element;
}

/* For each block the nearest element around it that is kept as a whole, plus one; 0 where there is none. */
static int find_wholes(const Page *page, Room *room, int *any) {
    size_t number, elements = page->elements.count;
    TRY(RESIZE(room->positions, elements));
    TRY(RESIZE(room->numbers, page->blocks.count));
    *any = 0;
    for (number = 0; number < elements; number++) {
        Number parent = page->elements.at[number].parent;
        int is_whole = (tag_of(page, (Number)number)->flags & IS_WHOLE) != 0;
        room->positions.at[number] = is_whole ? (Number)number + 1 : parent >= 0 ? room->positions.at[parent] : 0;
        *any |= is_whole;
    }
    for (number = 0; number < page->blocks.count; number++) {
        room->numbers.at[number] = room->positions.at[page->blocks.at[number].node];
    }
    return OK;
}

/* The blocks by what they are in: `order` has them, and `positions` where those of each whole end. */
static int sort_blocks(const Page *page, Room *room) {
    size_t number, blocks = page->blocks.count, wholes = page->elements.count + 1;
    TRY(RESIZE(room->positions, wholes + 1));
    TRY(RESIZE(room->order, blocks));
    memset(room->positions.at, 0, (wholes + 1) * sizeof(Number));
    for (number = 0; number < blocks; number++)
        room->positions.at[room->numbers.at[number] + 1]++;
    for (number = 0; number < wholes; number++)
        room->positions.at[number + 1] += room->positions.at[number];
    for (number = 0; number < blocks; number++) {
        room->order.at[room->positions.at[room->numbers.at[number]]++] = (Number)number;
    }
    return OK;
}

static Number row_of(const Page *page, Number block) {
    Number cell = around(page, page->blocks.at[block].node, IS_CELL);
    return cell >= 0 ? page->elements.at[cell].parent : -1;
}

/* Keep the header row of a table, if most of the other blocks are kept. */
static void keep_header(const Page *page, const Number *blocks, size_t count, const uint8_t *kept, uint8_t *holes) {
    Number row = row_of(page, blocks[0]);
    size_t number, header = 0, below = 0;
    if (row < 0) return;
    for (number = 0; number < count; number++)
        header += row_of(page, blocks[number]) == row;
    if (header == count) return;
    for (number = 0; number < header; number++) {
        Number cell = around(page, page->blocks.at[blocks[number]].node, IS_CELL);
        if (cell < 0 || !(tag_of(page, cell)->flags & IS_HEADER_CELL)) return;
    }
    for (number = header; number < count; number++)
        below += kept[blocks[number]];
    if ((double)below / (double)(count - header) < HEADED_SHARE) return;
    for (number = 0; number < count; number++) {
        if (row_of(page, blocks[number]) == row) holes[blocks[number]] = 1;
    }
}

static void fill_whole(const Page *page, Number whole, const Number *blocks, size_t count, const uint8_t *kept,
                       uint8_t *holes) {
    size_t number, inside = 0;
    for (number = 0; number < count; number++)
        inside += kept[blocks[number]];
    if ((double)inside / (double)count >= WHOLE_SHARE) {
        for (number = 0; number < count; number++)
            holes[blocks[number]] = 1;
    } else if (inside > 0 && tag_of(page, whole)->flags & IS_TABLE) {
        keep_header(page, blocks, count, kept, holes);
    }
}

/* Whether a block and both beside it stand in items of one list, each in its own. */
static int is_one_item(const Page *page, Number block) {
    Number before = around(page, page->blocks.at[block - 1].node, IS_LI);
    Number item = around(page, page->blocks.at[block].node, IS_LI);
    Number behind = around(page, page->blocks.at[block + 1].node, IS_LI);
    Number parent;
    if (before < 0 || item < 0 || behind < 0) return 0;
    parent = page->elements.at[item].parent;
    if (page->elements.at[before].parent != parent || page->elements.at[behind].parent != parent) return 0;
    return before != item && item != behind && before != behind;
}

/* Add to the kept blocks those that would leave a hole among them. */
int without_holes(const Page *page, uint8_t *kept, Room *room) {
    size_t count = page->blocks.count, number, inside = 0, whole, start;
    uint8_t *holes;
    int any;
    for (number = 0; number < count; number++)
        inside += kept[number];
    if (inside == 0 || inside == count) return OK;
    TRY(find_wholes(page, room, &any));
    if (!any) return OK;
    TRY(sort_blocks(page, room));
    TRY(RESIZE(room->has_levels, count));
    holes = room->has_levels.at;
    memset(holes, 0, count);
    start = (size_t)room->positions.at[0]; /* blocks in nothing come first */
    for (whole = 1; whole <= page->elements.count; whole++) {
        size_t end = (size_t)room->positions.at[whole];
        if (end > start) fill_whole(page, (Number)whole - 1, room->order.at + start, end - start, kept, holes);
        start = end;
    }
    for (number = 1; number + 1 < count; number++) {
        if (kept[number] || !kept[number - 1] || !kept[number + 1] || room->numbers.at[number] == 0) continue;
        if (is_one_item(page, (Number)number)) holes[number] = 1;
    }
    for (number = 0; number < count; number++)
        kept[number] |= holes[number];
    return OK;
}
