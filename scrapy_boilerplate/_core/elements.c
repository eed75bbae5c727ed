/* The elements of a page: what each holds, and which are alike. Mirrors `features/elements.py`. */

#include "core.h"

enum { PATH_LENGTH = 4 }; /* elements above a block's own that count for its path */

static void find_ends(const Page *page, Facts *facts, Number count) {
    Number element;
    for (element = 0; element < count; element++)
        facts[element].end = element + 1;
    for (element = count - 1; element > 0; element--) {
        Facts *parent = &facts[parent_of(page, element)];
        if (facts[element].end > parent->end) parent->end = facts[element].end;
    }
}

/* The first block of each element, or for one without blocks the first one after it; and the block after its last one.
 */
static int find_blocks(const Page *page, Room *room, Number count) {
    Facts *facts = room->elements.at;
    Number blocks = (Number)page->blocks.count, block, element, first = blocks;
    Number *before;
    TRY(RESIZE(room->numbers, count + 1));
    before = room->numbers.at; /* blocks in the elements before each one */
    memset(before, 0, ((size_t)count + 1) * sizeof(Number));
    for (element = 0; element < count; element++)
        facts[element].first = blocks;
    for (block = blocks - 1; block >= 0; block--) {
        Number node = page->blocks.at[block].node;
        facts[node].first = block;
        before[node + 1]++;
    }
    for (element = 0; element < count; element++)
        before[element + 1] += before[element];
    for (element = count - 1; element >= 0; element--) {
        if (facts[element].first < first) first = facts[element].first;
        facts[element].first = first;
    }
    for (element = 0; element < count; element++) {
        facts[element].last = facts[element].first + before[facts[element].end] - before[element];
    }
    return OK;
}

static int count_images(const Page *page, Room *room, Number count) {
    Number *before, element;
    size_t number;
    TRY(RESIZE(room->numbers, count + 1));
    before = room->numbers.at;
    memset(before, 0, ((size_t)count + 1) * sizeof(Number));
    for (number = 0; number < page->images.count; number++)
        before[page->images.at[number].element + 1]++;
    for (element = 0; element < count; element++)
        before[element + 1] += before[element];
    for (element = 0; element < count; element++) {
        room->elements.at[element].images = before[room->elements.at[element].end] - before[element];
    }
    return OK;
}

static uint64_t kind_of(const Page *page, Number element) {
    const Span names = page->elements.at[element].names;
    uint64_t tag = tag_seen(page, element)->hash;
    return names.size == 0 ? tag : mix(tag, hash_of(page->values.at + names.start, names.size));
}

/* Number the series: equal children of one parent. */
static int find_series(const Page *page, Room *room, Number count) {
    Facts *facts = room->elements.at;
    Number element, series = 0;
    TRY(clear_map(&room->map, (size_t)count));
    for (element = 0; element < count; element++) {
        uint64_t key = mix(facts[element].kind, (uint64_t)parent_of(page, element));
        Entry *entry = entry_of(&room->map, key);
        if (entry->number < 0) {
            entry->key = key;
            entry->number = series++;
        }
        facts[element].series = entry->number;
    }
    TRY(RESIZE(room->series, series));
    memset(room->series.at, 0, (size_t)series * sizeof *room->series.at);
    for (element = 0; element < count; element++)
        room->series.at[facts[element].series].count++;
    for (element = 0; element < count; element++) {
        facts[element].equal = (Number)room->series.at[facts[element].series].count;
    }
    return OK;
}

int measure_elements(const Page *page, Room *room) {
    Number count = (Number)page->elements.count, element;
    Facts *facts;
    TRY(RESIZE(room->elements, count));
    facts = room->elements.at;
    find_ends(page, facts, count);
    TRY(find_blocks(page, room, count));
    TRY(count_images(page, room, count));
    for (element = 0; element < count; element++) {
        facts[element].kind = kind_of(page, element);
        facts[element].children = 0;
    }
    TRY(find_series(page, room, count));
    for (element = 0; element < count; element++) {
        Facts *own = &facts[element];
        Number above = parent_of(page, element);
        const Facts *parent = &facts[above];
        const Tag *tag = tag_seen(page, element);
        int is_root = element == 0;
        facts[above].children++;
        own->depth = is_root ? 0 : parent->depth + 1;
        /* The outermost element with the same blocks; above it is the next larger one. */
        own->outermost =
            !is_root && parent->last - parent->first == own->last - own->first ? parent->outermost : element;
        own->outer = parent_of(page, own->outermost);
        own->marks = page->elements.at[element].marks | tag->marks | (is_root ? 0 : parent->marks);
        own->listing = tag->flags & IS_PREFORMATTED ? element : is_root ? -1 : parent->listing;
    }
    return OK;
}

static Number number_key(Map *map, uint64_t key, Number *count) {
    Entry *entry = entry_of(map, key);
    if (entry->number < 0) {
        entry->key = key;
        entry->number = (*count)++;
    }
    return entry->number;
}

/* Number the groups, of blocks with equal elements and parents, or the paths, of blocks with more equal elements. */
static int number_groups(const Page *page, Room *room, int is_path, Number *count) {
    size_t block;
    TRY(clear_map(&room->map, page->blocks.count));
    *count = 0;
    for (block = 0; block < page->blocks.count; block++) {
        Number node = page->blocks.at[block].node;
        uint64_t key = room->elements.at[node].kind;
        int step, steps = is_path ? PATH_LENGTH : 1;
        for (step = 0; step < steps; step++) {
            node = parent_of(page, node);
            key = mix(key, room->elements.at[node].kind);
        }
        *(is_path ? &room->blocks.at[block].path : &room->blocks.at[block].group) = number_key(&room->map, key, count);
    }
    return OK;
}

int group_blocks(const Page *page, Room *room) {
    Number groups, paths;
    TRY(number_groups(page, room, 0, &groups));
    TRY(number_groups(page, room, 1, &paths));
    TRY(RESIZE(room->groups, groups));
    return RESIZE(room->paths, paths);
}
