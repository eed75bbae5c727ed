/* Lists that grow and keep their room, texts, and numbers by key. Every allocation is here, and checked. */

#include "core.h"

#include <stdlib.h>

typedef struct { /* what all lists look like */
    void *at;
    size_t count, room;
} List;

enum { LEAST = 64 };

uint64_t hash_seed = 0x9E3779B97F4A7C15u;
static long allocations_left = -1;

void *core_realloc(void *data, size_t size) {
    if (allocations_left == 0) return NULL;
    if (allocations_left > 0) allocations_left--;
    return realloc(data, size);
}

static int grow(List *list, size_t item, size_t room) {
    void *data;
    if (room > SIZE_MAX / 2 / item) return NO_MEMORY;
    data = core_realloc(list->at, room * item);
    if (data == NULL) return NO_MEMORY;
    list->at = data;
    list->room = room;
    return OK;
}

int reserve(void *list, size_t item, size_t more) {
    List copy; /* lists of all types have this shape, but are no `List` to the compiler */
    int status;
    memcpy(&copy, list, sizeof copy);
    if (copy.room - copy.count >= more) return OK;
    if (more > SIZE_MAX / 4 - copy.count) return NO_MEMORY;
    status = grow(&copy, item, 2 * (copy.count + more) + LEAST);
    memcpy(list, &copy, sizeof copy);
    return status;
}

int reserve_exactly(void *list, size_t item, size_t wanted) {
    List copy;
    int status = OK;
    memcpy(&copy, list, sizeof copy);
    if (wanted > SIZE_MAX / 4) return NO_MEMORY;
    /* With an item more than is wanted, so that there is always an address. */
    if (copy.room <= wanted) status = grow(&copy, item, wanted + wanted / 8 + LEAST);
    if (status == OK) copy.count = wanted;
    memcpy(list, &copy, sizeof copy);
    return status;
}

void release(void *list) {
    List copy;
    memcpy(&copy, list, sizeof copy);
    free(copy.at);
    memset(list, 0, sizeof copy);
}

/* A hash of two numbers. The seed is another one in each process, so that no page can be made to fill one slot. */
uint64_t mix(uint64_t first, uint64_t second) {
    uint64_t hash = (first ^ hash_seed) * 0xBF58476D1CE4E5B9u;
    hash = (hash ^ hash >> 32 ^ second) * 0x94D049BB133111EBu;
    return hash ^ hash >> 29;
}

uint64_t hash_of(const char *text, size_t size) {
    uint64_t hash = size, piece;
    for (; size >= sizeof piece; text += sizeof piece, size -= sizeof piece) {
        memcpy(&piece, text, sizeof piece);
        hash = mix(hash, piece);
    }
    piece = 0;
    if (size > 0) memcpy(&piece, text, size);
    return mix(mix(hash, piece), hash);
}

int clear_map(Map *map, size_t most) {
    size_t room = LEAST, number;
    while (room < 2 * most)
        room *= 2;
    TRY(RESIZE(map->entries, room));
    map->mask = room - 1;
    for (number = 0; number < room; number++)
        map->entries.at[number].number = -1;
    return OK;
}

Entry *entry_of(const Map *map, uint64_t key) {
    size_t place = key & map->mask;
    while (map->entries.at[place].number >= 0 && map->entries.at[place].key != key)
        place = (place + 1) & map->mask;
    return &map->entries.at[place];
}

void clear_page(Page *page) {
    page->texts.count = page->link_texts.count = page->values.count = page->runs.count = 0;
    page->blocks.count = page->elements.count = page->tags.count = 0;
    page->attributes.count = page->layout.count = page->hrefs.count = 0;
    page->images.count = page->formulas.count = page->marks.count = page->marked.count = 0;
    page->controls.count = page->formula_boxes.count = 0;
    page->full = 0;
}

void free_page(Page *page) {
    FREE(page->texts), FREE(page->link_texts), FREE(page->values), FREE(page->runs);
    FREE(page->blocks), FREE(page->elements), FREE(page->tags), FREE(page->tag_numbers.entries);
    FREE(page->attributes), FREE(page->layout), FREE(page->hrefs);
    FREE(page->images), FREE(page->formulas), FREE(page->marks), FREE(page->marked);
    FREE(page->controls), FREE(page->formula_boxes);
    free(page);
}

size_t size_of_page(const Page *page) {
    return page->texts.room + page->link_texts.room + page->values.room + page->runs.room +
           page->blocks.room * sizeof *page->blocks.at + page->elements.room * sizeof *page->elements.at +
           page->tags.room * sizeof *page->tags.at + page->tag_numbers.entries.room * sizeof(Entry) +
           (page->attributes.room + page->layout.room + page->hrefs.room) * sizeof(Value) +
           page->images.room * sizeof *page->images.at + page->formulas.room * sizeof *page->formulas.at +
           page->marks.room * sizeof *page->marks.at + page->marked.room * sizeof *page->marked.at +
           (page->controls.room + page->formula_boxes.room) * sizeof(Number);
}

void free_room(Room *room) {
    FREE(room->elements), FREE(room->blocks), FREE(room->sums), FREE(room->series), FREE(room->groups);
    FREE(room->paths), FREE(room->candidates), FREE(room->levels), FREE(room->has_levels), FREE(room->columns);
    FREE(room->bits), FREE(room->map.entries), FREE(room->text), FREE(room->numbers), FREE(room->positions);
    FREE(room->inputs), FREE(room->hidden), FREE(room->summary), FREE(room->around), FREE(room->joint);
    FREE(room->shared), FREE(room->running), FREE(room->totals), FREE(room->content), FREE(room->scores);
    FREE(room->weights), FREE(room->order), FREE(room->output);
    free(room);
}

size_t size_of_room(const Room *room) {
    return room->elements.room * sizeof(Facts) + room->blocks.room * sizeof(BlockFacts) +
           room->sums.room * sizeof(Sums) + room->series.room * sizeof(Series) +
           (room->groups.room + room->paths.room) * sizeof(Group) + room->text.room +
           (room->candidates.room + room->running.room + room->totals.room + room->content.room + room->scores.room +
            room->weights.room + room->bits.room) *
               sizeof(double) +
           (room->levels.room + room->columns.room + room->inputs.room + room->hidden.room + room->summary.room +
            room->around.room + room->joint.room + room->shared.room) *
               sizeof(float) +
           room->map.entries.room * sizeof(Entry) + room->output.room;
}

/* Pages and rooms that are not in use, for the next page: most need no new memory at all. */

#if defined(__GNUC__)
#define EXCHANGE(slot, value) __atomic_exchange_n(slot, value, __ATOMIC_ACQ_REL)
#else
#include <intrin.h>
#define EXCHANGE(slot, value) _InterlockedExchangePointer(slot, value)
#endif

enum { SPARE = 8, MOST_KEPT = 16 << 20 }; /* how many, and bytes of each */

static void *spare_pages[SPARE], *spare_rooms[SPARE];

static void *take(void **spare, size_t size) {
    size_t slot;
    void *taken;
    for (slot = 0; slot < SPARE; slot++) {
        taken = EXCHANGE(&spare[slot], NULL);
        if (taken != NULL) return taken;
    }
    taken = core_realloc(NULL, size);
    if (taken != NULL) memset(taken, 0, size);
    return taken;
}

static void *give(void **spare, void *given) { /* returns what has no place */
    size_t slot;
    for (slot = 0; slot < SPARE && given != NULL; slot++)
        given = EXCHANGE(&spare[slot], given);
    return given;
}

/* Let all allocations fail after so many, from empty rooms on. */
void fail_allocations_after(long count) {
    size_t slot;
    allocations_left = count;
    for (slot = 0; slot < SPARE; slot++) {
        Page *page = EXCHANGE(&spare_pages[slot], NULL);
        Room *room = EXCHANGE(&spare_rooms[slot], NULL);
        if (page != NULL) free_page(page);
        if (room != NULL) free_room(room);
    }
}

Page *take_page(void) { return take(spare_pages, sizeof(Page)); }
Room *take_room(void) { return take(spare_rooms, sizeof(Room)); }

void give_page(Page *page) {
    if (size_of_page(page) <= MOST_KEPT) page = give(spare_pages, page);
    if (page != NULL) free_page(page);
}

void give_room(Room *room) {
    if (size_of_room(room) <= MOST_KEPT) room = give(spare_rooms, room);
    if (room != NULL) free_room(room);
}
