/* Links around whole texts, as `features/text_links.py` finds them: the features see them as no links. */

#include "core.h"

enum { LINE = 50, LONG = 1000, LEAST_SENTENCES = 3 };

typedef struct { /* a link that is long enough */
    Number element;
    Number number; /* among the links of the page */
    uint64_t text; /* the hash of its text */
    uint32_t sentences;
} LongLink;

typedef LIST(LongLink) LongLinks;

/* For each block how many links have begun before its end, and the same but 0 where it has no link of its own. */
static int number_links(const Page *page, Room *room, Numbers *links) {
    size_t number, element = 0;
    Number before = 0;
    TRY(RESIZE(room->numbers, page->blocks.count));
    TRY(RESIZE(room->order, page->blocks.count));
    links->count = 0;
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        Number begun;
        for (; element < (size_t)block->end; element++) {
            if (!(page->tags.at[page->elements.at[element].tag].flags & IS_LINK)) continue;
            TRY(RESERVE(*links, 1));
            links->at[links->count++] = (Number)element;
        }
        begun = (Number)links->count;
        room->order.at[number] = begun;
        /* Of several links in a block no telling whose text it is. */
        room->numbers.at[number] = begun > 0 && begun - before <= 1 ? begun : 0;
        before = begun;
    }
    return OK;
}

/* The first block before whose end so many links have begun. */
static size_t first_block(const Room *room, Number link) {
    size_t low = 0, high = room->order.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (room->order.at[middle] < link) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/* Hash the words of a text, however much white space is between them. */
static int hash_words(const char *text, size_t size, uint64_t *hash) {
    Read read;
    size_t place;
    int space = 0;
    *hash = 0;
    for (place = 0; place < size; place += read.size) {
        TRY(read_character(text + place, size - place, &read));
        if (read.character->classes & SPACE) {
            space = *hash != 0;
            continue;
        }
        if (space) *hash = mix(*hash, ' ');
        space = 0;
        *hash = mix(*hash, read.code) | 1;
    }
    return OK;
}

static int read_link(const Page *page, Room *room, Number link, LongLink *found) {
    Text *text = &room->text;
    uint32_t counts[COUNTS], characters;
    size_t number;
    text->count = 0;
    for (number = first_block(room, link); number < room->order.count && room->order.at[number] == link; number++) {
        const Span span = page->blocks.at[number].link_text;
        if (room->numbers.at[number] != link || span.size == 0) continue;
        TRY(append(text, page->link_texts.at + span.start, span.size));
        TRY(append(text, " ", 1));
    }
    TRY(tally_text(text->at, text->count, counts, &characters));
    found->number = link;
    found->sentences = counts[SENTENCES];
    return hash_words(text->at, text->count, &found->text);
}

static void unlink_text(Page *page, const Room *room, const LongLink *link) {
    size_t number = first_block(room, link->number);
    page->elements.at[link->element].seen_tag = -1;
    for (; number < room->order.count && room->order.at[number] == link->number; number++) {
        Block *block = &page->blocks.at[number];
        if (room->numbers.at[number] == link->number) block->linked = block->linked_spaces = block->linked_tokens = 0;
    }
}

static int find_long_links(const Page *page, Room *room, const Numbers *links, double enough, LongLinks *found) {
    size_t number;
    for (number = 1; number <= links->count; number++) {
        if (room->totals.at[number] < enough) continue;
        TRY(RESERVE(*found, 1));
        found->at[found->count].element = links->at[number - 1];
        TRY(read_link(page, room, (Number)number, &found->at[found->count]));
        found->count++;
    }
    return OK;
}

/* Unlink each long link with sentences, unless another one has the same text: those are teasers. */
static int unlink_all(Page *page, Room *room, const LongLinks *found) {
    size_t number;
    TRY(clear_map(&room->map, found->count));
    for (number = 0; number < found->count; number++) {
        Entry *entry = entry_of(&room->map, found->at[number].text);
        entry->key = found->at[number].text;
        entry->number = entry->number < 0 ? 1 : 2;
    }
    for (number = 0; number < found->count; number++) {
        const LongLink *link = &found->at[number];
        if (link->sentences >= LEAST_SENTENCES && entry_of(&room->map, link->text)->number == 1) {
            unlink_text(page, room, link);
        }
    }
    return OK;
}

static int find_links(Page *page, Room *room, double enough) {
    Numbers links = {0};
    LongLinks found = {0};
    size_t number;
    int status = number_links(page, room, &links);
    if (status == OK) status = RESIZE(room->totals, links.count + 1);
    if (status == OK) {
        memset(room->totals.at, 0, (links.count + 1) * sizeof(double));
        for (number = 0; number < page->blocks.count; number++) {
            uint32_t length = page->blocks.at[number].link_characters;
            if (length >= LINE) room->totals.at[room->numbers.at[number]] += length;
        }
        status = find_long_links(page, room, &links, enough > 1 ? enough : 1, &found);
    }
    if (status == OK) status = unlink_all(page, room, &found);
    FREE(links), FREE(found);
    return status;
}

int find_text_links(Page *page, Room *room) {
    double all = 0, linked = 0, enough;
    size_t number;
    for (number = 0; number < page->elements.count; number++) {
        page->elements.at[number].seen_tag = page->elements.at[number].tag;
    }
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        all += block->characters;
        if (block->link_characters >= LINE) linked += block->link_characters;
    }
    enough = all / 2 < LONG ? all / 2 : LONG;
    return linked == 0 || linked < enough ? OK : find_links(page, room, enough);
}
