/* Features of a block's text. Mirrors `features/wording.py`. */

#include "core.h"

#include <math.h>

static const double SYLLABLE = 0.2, IDEOGRAPH = 0.6; /* words per character */

enum { PARAGRAPH_LENGTH = 10, LONG_LENGTH = 25 };
enum { LOGS = 4096 };

static float logs[LOGS];

/* log(1 + value), which for the small whole numbers that most values are stands in a table. */
float log_of(double value) {
    int whole;
    if (!(value >= 0 && value < LOGS)) return (float)log1p(value);
    whole = (int)value;
    if ((double)whole != value) return (float)log1p(value);
    return logs[whole];
}

void fill_logs(void) {
    int number;
    for (number = 0; number < LOGS; number++)
        logs[number] = (float)log1p(number);
}

double share(double part, double whole) { return part / (whole > 1e-9 ? whole : 1e-9); }

/* Size, linked share and level of each block, and the sums before it. */
void measure_blocks(const Page *page, Room *room) {
    size_t number;
    Sums sums = {0};
    room->sums.at[0] = sums;
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        BlockFacts *facts = &room->blocks.at[number];
        const uint32_t *counts = block->counts;
        double unspaced = counts[SYLLABLES] * SYLLABLE + counts[IDEOGRAPHS] * IDEOGRAPH;
        facts->size = at_least(counts[WORDS], unspaced);
        facts->linked =
            share((double)block->linked - block->linked_spaces, (double)block->characters - counts[KIND_SPACE]);
        facts->linked = at_most(facts->linked, 1);
        facts->is_paragraph = facts->size >= PARAGRAPH_LENGTH && counts[SENTENCES] > 0 && facts->linked < 0.5;
        facts->level = tag_seen(page, block->node)->level;
        if (facts->level == 0) facts->level = tag_seen(page, parent_of(page, block->node))->level;
        sums.size += facts->size;
        sums.linked += facts->size * facts->linked;
        sums.paragraphs += facts->is_paragraph ? facts->size : 0;
        sums.sentences += counts[SENTENCES];
        sums.headings += facts->level > 0;
        sums.linked_headings += facts->level > 0 && facts->linked > 0.5;
        room->sums.at[number + 1] = sums;
    }
}

static int classes_of(uint32_t code) {
    const CharacterPage *characters = character_pages[code >> 8]; /* there since the text was read; 0 is in the first */
    return characters != NULL ? characters->characters[code & 255].classes : 0;
}

static void fill_row(const Block *block, const BlockFacts *facts, float *row) {
    const uint32_t *counts = block->counts;
    double size = facts->size, characters = at_least(block->characters, 1), words = at_least(counts[WORDS], 1);
    double letters = (double)counts[KIND_UPPER] + counts[KIND_LOWER] + counts[KIND_LETTER];
    double commas = counts[KIND_COMMA], sentences = counts[SENTENCES];
    int first = classes_of(counts[FIRST]), last = classes_of(counts[LAST]);
    row[COLUMN_log_length] = log_of(size);
    row[COLUMN_log_characters] = log_of(block->characters);
    row[COLUMN_word_length] = (float)at_most(characters / words, 20);
    row[COLUMN_linked_share] = (float)facts->linked;
    row[COLUMN_log_linked_words] = log_of(block->linked_tokens);
    row[COLUMN_letter_share] = (float)(letters / characters);
    row[COLUMN_upper_share] = (float)(counts[KIND_UPPER] / at_least(letters, 1));
    row[COLUMN_digit_share] = (float)(counts[KIND_DIGIT] / characters);
    row[COLUMN_punctuation_share] = (float)((commas + counts[KIND_MARK] + counts[KIND_PUNCTUATION]) / characters);
    row[COLUMN_log_commas] = log_of(commas);
    row[COLUMN_commas_per_word] = (float)at_most(share(commas, size), 1);
    row[COLUMN_log_sentences] = log_of(sentences);
    row[COLUMN_sentence_length] = log_of(size / at_least(sentences, 1));
    row[COLUMN_symbol_share] = (float)(counts[KIND_SYMBOL] / characters);
    row[COLUMN_ends_with_mark] = (last & SENTENCE_END) != 0;
    row[COLUMN_ends_with_colon] = counts[LAST] == ':' || counts[LAST] == 0xFF1A;
    row[COLUMN_starts_upper] = (first & UPPER) != 0;
    row[COLUMN_starts_lower] = (first & LOWER) != 0;
    row[COLUMN_starts_digit] = (first & NUMBER) != 0;
    row[COLUMN_starts_symbol] = (first & (LETTER | NUMBER)) == 0;
    row[COLUMN_is_one_word] = size <= 1.5;
    row[COLUMN_is_two_to_four_words] = size > 1.5 && size < 5;
    row[COLUMN_is_paragraph] = facts->is_paragraph;
    row[COLUMN_is_long] = size >= LONG_LENGTH && facts->linked < 0.5;
    row[COLUMN_is_fully_linked] = facts->linked >= 0.99;
    row[COLUMN_has_no_letter] = letters == 0;
}

void wording_columns(const Page *page, const Room *room) {
    size_t number;
    for (number = 0; number < page->blocks.count; number++) {
        fill_row(&page->blocks.at[number], &room->blocks.at[number], room->columns.at + number * OWN_COLUMNS);
    }
}
