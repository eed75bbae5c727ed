/* Features of the whole page. Mirrors `features/whole.py`, whose facts of the head come from Python. */

#include "core.h"

enum { LONG_BLOCK = 40, SHORT_BLOCK = 5 };

static void text_columns(const Page *page, const Room *room, Number links, Number articles, float *column) {
    const Sums *sums = room->sums.at, *all = &sums[page->blocks.count];
    const Facts *best = &room->elements.at[room->best], *main = &room->elements.at[room->main];
    double count = (double)page->blocks.count, main_size = sums[main->last].size - sums[main->first].size;
    double longest = 0, digits = 0, characters = 0, unspaced = 0;
    Number paragraphs = 0, long_blocks = 0, short_blocks = 0, titles = 0;
    size_t number;
    for (number = 0; number < page->blocks.count; number++) {
        const Block *block = &page->blocks.at[number];
        const BlockFacts *facts = &room->blocks.at[number];
        paragraphs += facts->is_paragraph;
        long_blocks += facts->size >= LONG_BLOCK;
        short_blocks += facts->size < SHORT_BLOCK;
        titles += facts->level == 1;
        longest = at_least(facts->size, longest);
        unspaced = at_least(facts->size - block->counts[WORDS], unspaced);
        digits += block->counts[KIND_DIGIT];
        characters += block->characters + 1.0;
    }
    column[COLUMN_page_log_blocks] = log_of(count);
    column[COLUMN_page_log_size] = log_of(all->size);
    column[COLUMN_page_log_nodes] = log_of((double)page->elements.count);
    column[COLUMN_page_linked] = (float)(all->linked / at_least(all->size, 1));
    column[COLUMN_page_paragraph_share] = (float)(all->paragraphs / at_least(all->size, 1));
    column[COLUMN_page_paragraphs] = log_of(paragraphs);
    column[COLUMN_page_long_blocks] = log_of(long_blocks);
    column[COLUMN_page_short_share] = (float)(short_blocks / count);
    column[COLUMN_page_log_longest] = log_of(longest);
    column[COLUMN_page_log_main_size] = log_of(main_size);
    column[COLUMN_page_main_linked] =
        (float)((sums[main->last].linked - sums[main->first].linked) / at_least(main_size, 1));
    column[COLUMN_page_best_share] =
        (float)((sums[best->last].paragraphs - sums[best->first].paragraphs) / at_least(all->paragraphs, 1));
    column[COLUMN_page_cards_share] = (float)(room->in_cards / at_least(all->size, 1));
    column[COLUMN_page_log_best_score] = log_of(room->candidates.at[room->best]);
    column[COLUMN_page_second_best] = (float)room->second_best;
    column[COLUMN_page_log_images] = log_of((double)page->images.count);
    column[COLUMN_page_log_controls] = log_of((double)page->controls.count);
    column[COLUMN_page_log_links] = log_of(links);
    column[COLUMN_page_headings] = (float)(all->headings / at_least(count, 1));
    column[COLUMN_page_log_h1] = log_of(titles);
    column[COLUMN_page_log_articles] = log_of(articles);
    column[COLUMN_page_digits] = (float)(digits / at_least(characters, 1));
    column[COLUMN_page_unspaced] = unspaced > 5;
}

/* The share of each of some tags among the elements. */
static void mix_columns(const Page *page, const Number *mixed, float *column) {
    int number;
    for (number = 0; number < MIXED_TAGS; number++)
        column[number] = (float)((double)mixed[number] / (double)page->elements.count);
}

/* The share of the text in elements with each cue. */
static void cue_columns(const Page *page, const Room *room, float *column) {
    double sizes[CUE_BITS] = {0}, size = at_least(room->sums.at[page->blocks.count].size, 1);
    size_t block;
    int cue;
    for (block = 0; block < page->blocks.count; block++) {
        uint64_t cues = room->elements.at[page->blocks.at[block].node].marks >> MARK_BITS;
        for (cue = 0; cues != 0; cue++, cues >>= 1) {
            if (cues & 1) sizes[cue] += room->blocks.at[block].size;
        }
    }
    for (cue = 0; cue < CUE_BITS; cue++)
        column[cue] = (float)(sizes[cue] / size);
}

void page_columns(const Page *page, Room *room, const PageFacts *facts) {
    Number mixed[MIXED_TAGS] = {0}, links = 0, articles = 0;
    size_t element;
    float *column = room->page;
    for (element = 0; element < page->elements.count; element++) {
        const Tag *tag = tag_seen(page, (Number)element);
        if (tag->mix >= 0 && tag->mix < MIXED_TAGS) mixed[tag->mix]++;
        links += (tag->flags & IS_LINK) != 0;
        articles += (tag->flags & IS_ARTICLE) != 0;
    }
    text_columns(page, room, links, articles, column);
    mix_columns(page, mixed, column += PAGE_TEXTS);
    cue_columns(page, room, column += MIXED_TAGS);
    memcpy(column + CUE_BITS, facts->facts, HEAD_COLUMNS * sizeof *column);
}
