/* Features of the markup around a block, as bits. Mirrors `features/markup.py`; the cues in names come from Python
 * once. */

#include "core.h"

#include <stdlib.h>

enum { MOST_REMEMBERED = 50000, LONGEST_REMEMBERED = 500 };

/* The cues of names that were seen before: the templates of a site use the same ones on all pages. */
static struct {
    Map map; /* numbers of the entries below, by hash */
    LIST(struct Cues {
        uint64_t cues;
        Span names;
    })
    known;
    Text names;
} remembered;

static int forget(void) {
    remembered.known.count = remembered.names.count = 0;
    return clear_map(&remembered.map, MOST_REMEMBERED);
}

static int remember(Entry *entry, uint64_t key, const char *names, size_t size, uint64_t cues) {
    struct Cues *known;
    Span span = {remembered.names.count, size};
    TRY(RESERVE(remembered.known, 1));
    TRY(append(&remembered.names, names, size));
    known = &remembered.known.at[remembered.known.count];
    known->cues = cues;
    known->names = span;
    entry->key = key;
    entry->number = (Number)remembered.known.count++;
    return OK;
}

static int cues_of(const char *names, size_t size, uint64_t *cues) {
    uint64_t key = hash_of(names, size);
    Entry *entry;
    if (remembered.map.entries.at == NULL || remembered.known.count == MOST_REMEMBERED) TRY(forget());
    entry = entry_of(&remembered.map, key);
    if (entry->number >= 0) {
        const struct Cues *known = &remembered.known.at[entry->number];
        if (known->names.size == size && memcmp(remembered.names.at + known->names.start, names, size) == 0) {
            *cues = known->cues;
            return OK;
        }
        return python.find_cues(names, size, cues);
    }
    TRY(python.find_cues(names, size, cues));
    return size <= LONGEST_REMEMBERED ? remember(entry, key, names, size, *cues) : OK;
}

int find_cues(Page *page, Room *room) {
    size_t element;
    for (element = 0; element < page->elements.count; element++) {
        const Span names = page->elements.at[element].names;
        Facts *facts = &room->elements.at[element];
        facts->cues = 0;
        if (names.size > 0) TRY(cues_of(page->values.at + names.start, names.size, &facts->cues));
    }
    return OK;
}

static void set(uint64_t *row, int first, uint64_t bits) {
    row[first >> 6] |= bits << (first & 63);
    if ((first & 63) > 0 && (first >> 6) == 0) row[1] |= bits >> (64 - (first & 63));
}

void markup_columns(const Page *page, Room *room) {
    Facts *facts = room->elements.at;
    size_t number;
    /* From here on marks hold cues too: those of the element and of all around it. */
    for (number = 0; number < page->elements.count; number++) {
        facts[number].marks |= facts[number].cues << MARK_BITS;
        if (number > 0) facts[number].marks |= facts[parent_of(page, (Number)number)].marks;
    }
    for (number = 0; number < page->blocks.count; number++) {
        Number node = page->blocks.at[number].node, parent = parent_of(page, node), above = parent_of(page, parent);
        uint64_t *row = room->bits.at + 2 * number;
        row[0] = row[1] = 0;
        set(row, tag_seen(page, node)->own, 1);
        set(row, OWN_TAGS, facts[node].marks);
        set(row, OWN_TAGS + MARK_BITS + CUE_BITS, facts[node].cues | facts[parent].cues | facts[above].cues);
    }
}
