/* The features of a page: all columns, in the order of the steps. Mirrors `features/__init__.py`. */

#include "core.h"

#define NAME(name) #name,

const char *const own_column_names[OWN_COLUMNS] = {WORDING_COLUMNS(NAME) CONTAINER_COLUMNS(NAME) PLACE_COLUMNS(NAME)};
const char *const page_column_names[PAGE_TEXTS] = {PAGE_TEXT_COLUMNS(NAME)};

/* What needs the GIL, as it may ask Python for the cues of names that are new. */
int measure(Page *page, Room *room) {
    TRY(find_text_links(page, room));
    TRY(measure_elements(page, room));
    return find_cues(page, room);
}

/* Everything else. A page has at least one block, and with it an element. */
int fill_columns(const Page *page, Room *room, const PageFacts *facts) {
    size_t blocks = page->blocks.count;
    TRY(RESIZE(room->blocks, blocks));
    TRY(RESIZE(room->sums, blocks + 1));
    TRY(RESIZE(room->columns, blocks * OWN_COLUMNS));
    TRY(RESIZE(room->bits, 2 * blocks));
    measure_blocks(page, room);
    TRY(find_equal_texts(page, room));
    TRY(group_blocks(page, room));
    TRY(measure_containers(page, room));
    wording_columns(page, room);
    markup_columns(page, room);
    TRY(container_columns(page, room));
    TRY(place_columns(page, room, facts));
    page_columns(page, room, facts);
    return OK;
}
