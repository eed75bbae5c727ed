/* Characters: what is known of each code point, how texts are tidied, and the counts of `features/characters.py`.

   The tables come from Python, 256 code points at a time, when the first of them is read: they are those of the Unicode
   version that it has. */

#include "core.h"

#include <stdlib.h>

const CharacterPage *character_pages[CODE_POINTS / 256];
Python python;

int load_characters(uint32_t code) {
    CharacterPage *page;
    int status;
    if (character_pages[code >> 8] != NULL) return OK;
    page = core_realloc(NULL, sizeof *page);
    if (page == NULL) return NO_MEMORY;
    status = python.load_characters(code >> 8, page);
    if (status != OK) {
        free(page);
        return status;
    }
    character_pages[code >> 8] = page; /* never freed: there are a thousand of two kilobytes at most */
    return OK;
}

/* The code point of UTF-8 bytes, at least one; BAD_TEXT if they are none, as those of a lone surrogate. */
static int decode(const unsigned char *text, size_t size, uint32_t *code, uint32_t *length) {
    uint32_t first = text[0], value, number, least;
    if (first < 0x80) {
        *code = first;
        *length = 1;
        return OK;
    }
    if (first < 0xC2 || first > 0xF4) return BAD_TEXT;
    *length = first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    if (*length > size) return BAD_TEXT;
    value = first & (0x7Fu >> *length);
    for (number = 1; number < *length; number++) {
        if ((text[number] & 0xC0) != 0x80) return BAD_TEXT;
        value = value << 6 | (text[number] & 0x3F);
    }
    least = *length == 2 ? 0x80 : *length == 3 ? 0x800 : 0x10000;
    if (value < least || value >= CODE_POINTS || (value >= 0xD800 && value < 0xE000)) return BAD_TEXT;
    *code = value;
    return OK;
}

int read_beyond_ascii(const char *text, size_t size, Read *read) {
    const CharacterPage *page;
    TRY(decode((const unsigned char *)text, size, &read->code, &read->size));
    page = character_pages[read->code >> 8];
    if (page == NULL) {
        TRY(load_characters(read->code));
        page = character_pages[read->code >> 8];
    }
    read->character = &page->characters[read->code & 255];
    return OK;
}

size_t characters_in(const char *text, size_t size) {
    size_t place, count = 0;
    for (place = 0; place < size; place++)
        count += (text[place] & 0xC0) != 0x80; /* a character's other bytes begin with 10 */
    return count;
}

int check_text(const char *text, size_t size) {
    uint32_t code, length;
    uint64_t piece;
    while (size > 0) {
        if (size >= sizeof piece) {
            memcpy(&piece, text, sizeof piece);
            if ((piece & 0x8080808080808080u) == 0) {
                text += sizeof piece;
                size -= sizeof piece;
                continue;
            }
        }
        TRY(decode((const unsigned char *)text, size, &code, &length));
        text += length;
        size -= length;
    }
    return OK;
}

static void tally_begin(Tally *tally, uint32_t *counts) {
    memset(counts, 0, COUNTS * sizeof *counts);
    tally->counts = counts;
    tally->in_token = tally->in_word = tally->after_mark = 0;
}

static void tally_space(Tally *tally, const Read *read) {
    tally->counts[KIND_SPACE]++;
    tally->counts[SENTENCES] += tally->after_mark;
    tally->in_token = tally->in_word = tally->after_mark = 0;
    tally->counts[LAST] = read->code;
}

static inline void tally_character(Tally *tally, const Read *read) {
    uint32_t *counts = tally->counts;
    const Character *character = read->character;
    counts[character->kind]++;
    counts[LAST] = read->code;
    if (!tally->in_token) {
        tally->in_token = 1;
        counts[TOKENS]++;
    }
    if (!tally->in_word && character->classes & (LETTER | NUMBER)) {
        tally->in_word = 1;
        counts[WORDS]++;
    }
    tally->after_mark = (character->classes & SENTENCE_END) != 0;
    if (read->code >= FIRST_UNSPACED) {
        if (tally->after_mark && read->code > FULL_WIDTH) {
            counts[SENTENCES]++;
            tally->after_mark = 0;
        }
        if (character->script != 0) counts[SYLLABLES - 1 + character->script]++;
    }
}

static void tally_end(Tally *tally) { tally->counts[SENTENCES] += tally->after_mark; }

/* Whether a character has no width. Joiners are part of the spelling between characters of some scripts. */
static int is_invisible(const Read *read, int joined_before, const char *behind, size_t size, int tidied, int *result) {
    Read next;
    *result = (read->character->traits & INVISIBLE) != 0;
    if (*result || !(read->character->traits & JOINER)) return OK;
    *result = 1;
    if (!joined_before || size == 0) return OK;
    TRY(read_character(behind, size, &next));
    /* In a tidied text white space is a blank, which joins nothing. */
    *result = !(next.character->traits & JOINED) || (tidied && next.character->classes & SPACE);
    return OK;
}

/* Whether there is nothing to see. */
int is_blank(const char *text, size_t size, int *blank) {
    Read read;
    size_t place;
    int joined = 0, invisible;
    *blank = 0;
    for (place = 0; place < size; place += read.size) {
        TRY(read_character(text + place, size - place, &read));
        if (!(read.character->classes & SPACE)) {
            TRY(is_invisible(&read, joined, text + place + read.size, size - place - read.size, 0, &invisible));
            if (!invisible) return OK;
        }
        joined = (read.character->traits & JOINED) != 0;
    }
    *blank = 1;
    return OK;
}

int is_white(const char *text, size_t size, int *white) {
    Read read;
    size_t place;
    *white = 0;
    for (place = 0; place < size; place += read.size) {
        TRY(read_character(text + place, size - place, &read));
        if (!(read.character->classes & SPACE)) return OK;
    }
    *white = 1;
    return OK;
}

/* Append a run of text with single blanks and without invisible characters; count its characters on the way. */
int tidy(const char *run, size_t size, Text *tidied, uint32_t *counts, uint32_t *characters, int *unprintable) {
    static const Character blank_character = {SPACE, KIND_SPACE, 0, PRINTABLE};
    static const Read blank = {' ', 1, &blank_character};
    Tally tally;
    Read read;
    size_t place = 0;
    uint32_t count = 0;
    int space = 0, joined = 0, invisible;
    char *end;
    TRY(RESERVE(*tidied, size + 1));
    end = tidied->at + tidied->count;
    tally_begin(&tally, counts);
    *unprintable = 0;
    while (place < size) {
        TRY(read_character(run + place, size - place, &read));
        place += read.size;
        if (read.character->classes & SPACE) {
            space = 1;
            joined = 0;
            continue;
        }
        if (!(read.character->traits & PRINTABLE)) {
            *unprintable = 1;
            TRY(is_invisible(&read, joined, run + place, size - place, 1, &invisible));
            joined = (read.character->traits & JOINED) != 0;
            if (invisible) continue;
        } else {
            joined = (read.character->traits & JOINED) != 0;
        }
        if (count == 0) {
            counts[FIRST] = read.code;
        } else if (space) {
            *end++ = ' ';
            count++;
            tally_space(&tally, &blank);
        }
        space = 0;
        tally_character(&tally, &read);
        if (read.size == 1) {
            *end++ = run[place - 1];
        } else {
            memcpy(end, run + place - read.size, read.size);
            end += read.size;
        }
        count++;
    }
    tally_end(&tally);
    tidied->count = (size_t)(end - tidied->at);
    *characters = count;
    return OK;
}

/* Append a text without invisible characters, its white space as it is. */
int without_invisible(const char *text, size_t size, Text *result) {
    Read read;
    size_t place;
    int joined = 0, invisible;
    TRY(RESERVE(*result, size));
    for (place = 0; place < size; place += read.size) {
        TRY(read_character(text + place, size - place, &read));
        TRY(is_invisible(&read, joined, text + place + read.size, size - place - read.size, 0, &invisible));
        if (!invisible) TRY(append(result, text + place, read.size));
        joined = (read.character->traits & JOINED) != 0;
    }
    return OK;
}

static size_t encode(uint32_t code, char *to) {
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 63));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 63));
        to[2] = (char)(0x80 | (code & 63));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 63));
    to[2] = (char)(0x80 | (code >> 6 & 63));
    to[3] = (char)(0x80 | (code & 63));
    return 4;
}

/* Replace `result` by a text in lower case. A few characters leave it to Python. */
int lower_case(const char *text, size_t size, Text *result) {
    Read read;
    size_t place;
    char encoded[4];
    result->count = 0;
    TRY(RESERVE(*result, size + 1));
    for (place = 0; place < size; place += read.size) {
        uint32_t lower;
        unsigned char byte = (unsigned char)text[place];
        if (byte < 0x80) {
            result->at[result->count++] = (char)(byte >= 'A' && byte <= 'Z' ? byte + 32 : byte);
            read.size = 1;
            TRY(RESERVE(*result, size - place));
            continue;
        }
        TRY(read_character(text + place, size - place, &read));
        lower = character_pages[read.code >> 8]->lower[read.code & 255];
        if (lower == 0) {
            result->count = 0;
            return python.lower_case(text, size, result);
        }
        TRY(append(result, encoded, encode(lower, encoded)));
    }
    return OK;
}

/* Count a text as it is. */
int tally_text(const char *text, size_t size, uint32_t *counts, uint32_t *characters) {
    Tally tally;
    Read read;
    size_t place;
    *characters = 0;
    tally_begin(&tally, counts);
    for (place = 0; place < size; place += read.size) {
        TRY(read_character(text + place, size - place, &read));
        if (*characters == 0) counts[FIRST] = read.code;
        ++*characters;
        if (read.character->classes & SPACE) {
            tally_space(&tally, &read);
        } else {
            tally_character(&tally, &read);
        }
    }
    tally_end(&tally);
    return OK;
}
