/* Tags and attributes: the tables of `segment/tags.py`, `features/cues.py` and `features/markup.py`, filled by Python.
 */

#include "core.h"

enum { MOST_TAGS = 1024, MOST_VALUES = 256, ATTRIBUTES = 32 };

static Tag tags[MOST_TAGS];
static size_t tag_count;
KnownAttribute known_attributes[ATTRIBUTES];
static size_t attribute_count;
static struct {
    uint64_t key, mark;
} values[MOST_VALUES]; /* of attributes that say something by themselves: roles and item properties */
static size_t value_count;
uint64_t hidden_mark, aria_hidden_mark, style_mark;

/* Tags by the hash of their names, at twice as many places. */
static const Tag *places[2 * MOST_TAGS];

static size_t place_of(uint64_t hash) {
    size_t place = hash & (2 * MOST_TAGS - 1);
    while (places[place] != NULL && places[place]->hash != hash)
        place = (place + 1) & (2 * MOST_TAGS - 1);
    return place;
}

int know_tag(const char *name, int effect, int notes, int own, int mix, int level, int flags, uint64_t marks) {
    Tag *tag = &tags[tag_count];
    if (tag_count == MOST_TAGS) return FAILED;
    tag->hash = hash_of(name, strlen(name));
    tag->effect = (int16_t)effect;
    tag->notes = (int16_t)notes;
    tag->own = (int16_t)own;
    tag->mix = (int16_t)mix;
    tag->level = (int16_t)level;
    tag->flags = (uint16_t)flags;
    tag->marks = marks;
    places[place_of(tag->hash)] = tag;
    tag_count++;
    return OK;
}

const Tag *known_tag(uint64_t hash) { return places[place_of(hash)]; }

int know_attribute(const char *name, int use) {
    KnownAttribute *attribute = &known_attributes[attribute_count];
    if (attribute_count == ATTRIBUTES) return FAILED;
    attribute->name = name;
    attribute->use = use;
    attribute->bit = 1 << attribute_count++;
    return OK;
}

int find_known_attribute(const char *name) {
    size_t number;
    for (number = 0; number < attribute_count; number++) {
        if (strcmp(known_attributes[number].name, name) == 0) return (int)number;
    }
    return -1;
}

static uint64_t value_key(const char *attribute, const char *value, size_t size) {
    return mix(hash_of(attribute, strlen(attribute)), hash_of(value, size));
}

int know_value(const char *attribute, const char *value, uint64_t mark) {
    if (value_count == MOST_VALUES) return FAILED;
    values[value_count].key = value_key(attribute, value, strlen(value));
    values[value_count++].mark = mark;
    return OK;
}

static int holds(const char *text, size_t size, const char *part) {
    size_t length = strlen(part), place;
    for (place = 0; place + length <= size; place++) {
        if (memcmp(text + place, part, length) == 0) return 1;
    }
    return 0;
}

/* Whether a style in lower case hides its element. */
static int hides(Text *style) {
    size_t place, size = 0;
    if (!holds(style->at, style->count, "none") && !holds(style->at, style->count, "hidden")) return 0;
    for (place = 0; place < style->count; place++) {
        if (style->at[place] != ' ') style->at[size++] = style->at[place];
    }
    return holds(style->at, size, "display:none") || holds(style->at, size, "visibility:hidden");
}

/* The mark of an attribute, 0 if it says nothing. Mirrors `_mark()` in `features/markup.py`. */
int mark_of(const char *attribute, const char *value, size_t size, Text *scratch, uint64_t *mark) {
    size_t number;
    *mark = 0;
    if (strcmp(attribute, "hidden") == 0) {
        *mark = hidden_mark;
        return OK;
    }
    if (strcmp(attribute, "itemtype") == 0) return OK;
    TRY(lower_case(value, size, scratch));
    if (strcmp(attribute, "aria-hidden") == 0) {
        *mark = scratch->count == 4 && memcmp(scratch->at, "true", 4) == 0 ? aria_hidden_mark : 0;
    } else if (strcmp(attribute, "style") == 0) {
        *mark = hides(scratch) ? style_mark : 0;
    } else {
        uint64_t key = value_key(attribute, scratch->at, scratch->count);
        for (number = 0; number < value_count; number++) {
            if (values[number].key == key) *mark = values[number].mark;
        }
    }
    return OK;
}

const Tag *tag_seen(const Page *page, Number element) {
    static const Tag unknown = {0, 0, {0, 0}, INLINE, PLAIN, OWN_TAGS - 1, -1, 0, 0};
    Number tag = page->elements.at[element].seen_tag;
    const Tag *span;
    if (tag >= 0) return &page->tags.at[tag];
    span = known_tag(hash_of("span", 4));
    return span != NULL ? span : &unknown;
}
