/* Checks of a page before and after it is parsed. Mirrors `parse/attributes.py`, `parse/recovery.py` and
 * `parse/__init__.py`. */

#include "core.h"

static const double MOST_COMPARISONS = 50000000;

enum { SHORTEST = 3, LONG_TAG = 1024, STEP = 8192, IRREGULARITY = 977, MANY_WORDS = 2000 };

typedef struct {
    const char *at;
    size_t size;
} Body;

static const size_t NOWHERE = (size_t)-1;

static size_t find(Body body, char wanted, size_t start, size_t stop) {
    const char *found;
    if (stop > body.size) stop = body.size;
    found = start < stop ? memchr(body.at + start, wanted, stop - start) : NULL;
    return found == NULL ? NOWHERE : (size_t)(found - body.at);
}

/* The last one of two bytes between two places. */
static size_t find_last(Body body, char wanted, char other, size_t start, size_t stop) {
    while (stop > start) {
        char byte = body.at[--stop];
        if (byte == wanted || byte == other) return stop;
    }
    return NOWHERE;
}

/* Whether this ">" may end a tag: not if the quote before it begins a value. */
static int ends_tag(Body body, size_t end, size_t start) {
    size_t quote;
    if (end > LONG_TAG && end - LONG_TAG > start) start = end - LONG_TAG;
    quote = find_last(body, '"', '\'', start, end);
    if (quote == NOWHERE || quote == 0) return 1;
    return body.at[quote - 1] == '\0' || strchr("= \t\r\n\f", body.at[quote - 1]) == NULL;
}

static size_t end_of_tag(Body body, size_t start, size_t stop) {
    size_t end = find(body, '>', start, stop);
    while (end != NOWHERE && !ends_tag(body, end, start))
        end = find(body, '>', end + 1, stop);
    return end;
}

static size_t find_tag(Body body, size_t start, size_t stop) {
    size_t place = find(body, '<', start, stop);
    for (; place != NOWHERE && place + 1 < stop; place = find(body, '<', place + 1, stop)) {
        char letter = (char)(body.at[place + 1] | 32);
        if (letter >= 'a' && letter <= 'z') return place;
    }
    return NOWHERE;
}

/* Whether samples in which no tag ends may belong to tags with too many attributes. */
int samples_are_suspect(const char *text, size_t size) {
    Body body = {text, size};
    double comparisons = 0;
    size_t place = 0, last_end = 0;
    while (place < size) {
        size_t step = STEP + place % IRREGULARITY, end = end_of_tag(body, place, place + LONG_TAG), begin, tag, length;
        if (end == NOWHERE) {
            begin = find_last(body, '>', '>', last_end, place);
            if (begin == NOWHERE || !ends_tag(body, begin, last_end)) begin = last_end;
            end = end_of_tag(body, place, size);
            if (end == NOWHERE) end = size;
            tag = find_tag(body, begin, end);
            length = tag == NOWHERE ? 0 : end - tag;
            /* Short tags are sampled by chance: assume that the whole step is full of them. */
            comparisons += (double)(length / SHORTEST) * (double)(length / SHORTEST) / 2 *
                           (length > 0 && step > length ? (double)step / (double)length
                            : length == 0               ? (double)step
                                                        : 1);
            if (comparisons > MOST_COMPARISONS) return 1;
            if (end > step && end - step > place) place = end - step;
        }
        last_end = end;
        place += step;
    }
    return 0;
}

static int is_between(char byte) { /* between two words of a tag */
    return byte == ' ' || (byte >= '\t' && byte <= '\r') || byte == '=' || byte == '/' || byte == '>' || byte == '"' ||
           byte == '\'';
}

static uint64_t count_words(Body body, size_t start, size_t stop) {
    uint64_t words = 0;
    int in_word = 0;
    for (; start < stop; start++) {
        int is_of_word = !is_between(body.at[start]);
        words += is_of_word && !in_word;
        in_word = is_of_word;
    }
    return words;
}

/* The different words of a tag with so many words; it has at most so many attributes. */
static uint64_t count_different(Body body, size_t start, size_t stop, uint64_t most) {
    Map seen = {{0}, 0};
    uint64_t words = 0;
    size_t end;
    if (clear_map(&seen, most) != OK) return most;
    for (; start < stop; start = end) {
        Entry *entry;
        uint64_t key;
        while (start < stop && is_between(body.at[start]))
            start++;
        for (end = start; end < stop && !is_between(body.at[end]); end++)
            continue;
        if (end == start) break;
        key = hash_of(body.at + start, end - start);
        entry = entry_of(&seen, key);
        words += entry->number < 0;
        entry->key = key;
        entry->number = 1;
    }
    FREE(seen.entries);
    return words;
}

/* Whether the long stretches between the ends of tags, from their first tag on, have words for too many attributes. */
int stretches_have_words(const char *text, size_t size) {
    uint64_t comparisons = 0;
    Body body = {text, size};
    size_t place, start = 0, tag;
    int in_double = 0, in_single = 0; /* whether the last quote of each kind begins a value */
    for (place = 0; place <= size; place++) {
        char byte = place < size ? text[place] : '>';
        if (byte > '>') continue; /* most letters */
        if (byte == '"' || byte == '\'') {
            char before = place > 0 ? text[place - 1] : byte;
            int opens = before == '=' || before == ' ' || (before >= '\t' && before <= '\r' && before != '\v');
            *(byte == '"' ? &in_double : &in_single) = opens;
        } else if (byte == '>' && (place == size || !(in_double || in_single))) {
            tag = place - start > LONG_TAG ? find_tag(body, start, place) : NOWHERE;
            if (tag != NOWHERE) {
                uint64_t words = count_words(body, tag + 2, place);
                if (words > MANY_WORDS) words = count_different(body, tag + 2, place, words);
                comparisons += words * (words > 0 ? words - 1 : 0) / 2;
            }
            start = place;
        }
    }
    return (double)comparisons > MOST_COMPARISONS;
}

/* The place of the first </html, in small letters or else in capitals; -1 if there is none. */
ptrdiff_t find_end(const char *text, size_t size) {
    Body body = {text, size};
    size_t place = find(body, '/', 1, size);
    ptrdiff_t capitals = -1;
    for (; place != NOWHERE && place + 4 < size; place = find(body, '/', place + 1, size)) {
        if (text[place - 1] != '<') continue;
        if (memcmp(text + place + 1, "html", 4) == 0) return (ptrdiff_t)place - 1;
        if (capitals < 0 && memcmp(text + place + 1, "HTML", 4) == 0) capitals = (ptrdiff_t)place - 1;
    }
    return capitals;
}

static int effect_here(const xmlNode *node) {
    const char *name = (const char *)node->name;
    const Tag *tag = known_tag(hash_of(name, strlen(name)));
    return tag != NULL ? tag->effect : BLOCK;
}

/* Count the visible characters of a text node, as far as so many characters of the text are looked at. */
static int count_visible(const char *text, size_t *left, size_t *count) {
    size_t size = strlen(text), place;
    Read read;
    for (place = 0; place < size && *left > 0; place += read.size, --*left) {
        TRY(read_character(text + place, size - place, &read));
        *count += !(read.character->classes & SPACE);
    }
    return OK;
}

/* Count visible characters up to `most`, of so many nodes. */
int visible_characters(xmlNode *root, size_t most, size_t nodes, size_t *count) {
    xmlNode *node = root;
    size_t left = 4 * most;
    *count = 0;
    while (node != NULL && nodes-- > 0 && *count < most) {
        int effect = node->type == XML_ELEMENT_NODE ? effect_here(node) : INLINE;
        if (is_text(node)) {
            if (node->content != NULL) TRY(count_visible((const char *)node->content, &left, count));
        } else {
            left = 4 * most;
        }
        node = next_node(root, node, effect == CONTROL || effect == DROPPED);
    }
    if (*count > most) *count = most;
    return OK;
}
