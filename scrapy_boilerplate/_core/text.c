/* Kept blocks as readable text, with paragraphs, lists and tables. Mirrors `render/text.py`. */

#include "core.h"

enum { MOST_WORDS_IN_CELL = 100 };

typedef struct {
    const Page *page;
    Room *room;
    const Number *cells, *rows, *tables, *listings; /* the nearest ones of each element; NULL if the page has none */
    const uint8_t *data;                            /* whether an element is a cell with data; NULL if there is none */
} Layout;

static int has_tags(const Page *page, unsigned flags) {
    size_t number;
    for (number = 0; number < page->tags.count; number++) {
        if (page->tags.at[number].flags & flags) return 1;
    }
    return 0;
}

static void find_nearest(const Page *page, unsigned flags, Number *nearest) {
    size_t element;
    for (element = 0; element < page->elements.count; element++) {
        Number parent = page->elements.at[element].parent;
        if (tag_of(page, (Number)element)->flags & flags) {
            nearest[element] = (Number)element;
        } else {
            nearest[element] = parent >= 0 ? nearest[parent] : -1;
        }
    }
}

typedef struct { /* what of a cell is kept */
    Number blocks, words, cells_in_row, has_lines;
} Cell;

/* Find the cells that hold data: those with one block, and short ones next to other cells in their row. */
static int find_data_cells(Layout *layout, const uint8_t *kept) {
    const Page *page = layout->page;
    size_t number, elements = page->elements.count;
    uint8_t *data;
    Cell *cells;
    int any = 0;
    TRY(RESIZE(layout->room->content,
               (elements + 1) * (sizeof(Cell) / sizeof(double)) + elements / sizeof(double) + 1));
    cells = (Cell *)(void *)layout->room->content.at;
    data = (uint8_t *)(cells + elements + 1);
    memset(cells, 0, (elements + 1) * sizeof *cells);
    memset(data, 0, elements);
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        Number cell = layout->cells[block->node];
        if (!kept[number] || cell < 0) continue;
        if (cells[cell].blocks++ == 0) cells[layout->rows[cell] + 1].cells_in_row++; /* the first entry is for no row */
        cells[cell].words += (Number)block->counts[TOKENS];
        cells[cell].has_lines |= layout->listings != NULL && layout->listings[block->node] >= 0;
    }
    for (number = 0; number < elements; number++) {
        Number in_row = cells[layout->rows[number] + 1].cells_in_row;
        const Cell *cell = &cells[number];
        if (cell->blocks == 0) continue;
        data[number] = cell->blocks == 1 || (in_row > 1 && !cell->has_lines && cell->words <= MOST_WORDS_IN_CELL);
        any |= data[number];
    }
    layout->data = any ? data : NULL;
    return OK;
}

static int look_around(Layout *layout, const uint8_t *kept) {
    const Page *page = layout->page;
    size_t elements = page->elements.count;
    Number *room;
    int has_rows = has_tags(page, IS_ROW), has_lines = has_tags(page, IS_PREFORMATTED);
    if (!has_rows && !has_lines) return OK;
    TRY(RESIZE(layout->room->positions, 4 * elements));
    room = layout->room->positions.at;
    if (has_lines) {
        find_nearest(page, IS_PREFORMATTED, room);
        layout->listings = room;
    }
    if (!has_rows) return OK;
    find_nearest(page, IS_CELL, room + elements);
    find_nearest(page, IS_ROW, room + 2 * elements);
    find_nearest(page, IS_TABLE, room + 3 * elements);
    layout->cells = room + elements;
    layout->rows = room + 2 * elements;
    layout->tables = room + 3 * elements;
    return find_data_cells(layout, kept);
}

static int is_in_data_cell(const Layout *layout, Number node) {
    return layout->data != NULL && layout->cells[node] >= 0 && layout->data[layout->cells[node]];
}

static const char *separator(const Layout *layout, const Block *above, const Block *below) {
    Number over = above->node, under = below->node;
    int both_in_cells = is_in_data_cell(layout, over) && is_in_data_cell(layout, under);
    if (both_in_cells && layout->cells[over] == layout->cells[under]) return " ";
    if (above->pre_line > 0 && layout->listings != NULL && layout->listings[over] == layout->listings[under]) {
        Number lines = below->pre_line - above->pre_line;
        return lines >= 2 ? "\n\n" : lines == 1 ? "\n" : "";
    }
    if (both_in_cells && layout->tables[over] == layout->tables[under]) {
        return layout->rows[over] == layout->rows[under] ? "\t" : "\n";
    }
    if (over != under && tag_of(layout->page, over)->flags & tag_of(layout->page, under)->flags & IS_ITEM) return "\n";
    return "\n\n";
}

static size_t bytes_of(const char *text, size_t size, size_t characters) { /* of the first characters of a text */
    size_t place = 0;
    for (; place < size; place++) {
        if ((text[place] & 0xC0) != 0x80 && characters-- == 0) break;
    }
    return place;
}

/* The number of characters of a part of a run, as they stand in the text. */
static int tidy_length(Layout *layout, const Span *run, size_t start, size_t end, size_t *length) {
    const char *text = layout->page->runs.at + run->start;
    size_t first = bytes_of(text, run->size, start),
           last = first + bytes_of(text + first, run->size - first, end - start);
    uint32_t counts[COUNTS], characters;
    int unprintable;
    layout->room->text.count = 0;
    TRY(tidy(text + first, last - first, &layout->room->text, counts, &characters, &unprintable));
    *length = characters;
    return OK;
}

/* Write line ends for the blanks that stand for a <br>. */
static int break_lines(Layout *layout, const Block *block, char *text) {
    const Page *page = layout->page;
    const Marked *marked = &page->marked.at[block->marked];
    size_t number, start = 0, size = 0, end = characters_in(page->runs.at + marked->run.start, marked->run.size),
                   length;
    for (number = 0; number <= marked->marks; number++) {
        const Mark *mark = &page->marks.at[marked->first_mark + number];
        size_t place = number < marked->marks ? (size_t)mark->place : end;
        if (number < marked->marks && mark->what != LINE_BREAK) continue;
        TRY(tidy_length(layout, &marked->run, start, place, &length));
        start = place;
        if (length == 0) continue;
        if (size > 0) {
            size_t offset = bytes_of(text, block->text.size, size);
            if (offset < block->text.size && (text[offset] & 0x80) == 0) text[offset] = '\n';
            size++;
        }
        size += length;
    }
    return OK;
}

static int has_breaks(const Page *page, const Block *block) {
    size_t number;
    if (block->marked < 0) return 0;
    for (number = 0; number < page->marked.at[block->marked].marks; number++) {
        if (page->marks.at[page->marked.at[block->marked].first_mark + number].what == LINE_BREAK) return 1;
    }
    return 0;
}

int to_text(const Page *page, const uint8_t *kept, Room *room, Text *text) {
    Layout layout = {page, room, NULL, NULL, NULL, NULL, NULL};
    const Block *above = NULL;
    size_t number;
    text->count = 0;
    TRY(look_around(&layout, kept));
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        if (!kept[number]) continue;
        if (above != NULL) {
            const char *between = separator(&layout, above, block);
            TRY(append(text, between, strlen(between)));
        }
        TRY(append(text, page->texts.at + block->text.start, block->text.size));
        if (has_breaks(page, block) && !is_in_data_cell(&layout, block->node)) {
            TRY(break_lines(&layout, block, text->at + text->count - block->text.size));
        }
        above = block;
    }
    return OK;
}
