/* The columns that the core fills: which function mirrors which feature in `features`.

   A test compares the names with those of the families there, and the columns with theirs. */

#ifndef SCRAPY_BOILERPLATE_COLUMNS_H
#define SCRAPY_BOILERPLATE_COLUMNS_H

#define WORDING_COLUMNS(X) /* wording_columns() in wording.c */                                                       \
    X(log_length) X(log_characters) X(word_length) X(linked_share) X(log_linked_words) X(letter_share)                \
    X(upper_share) X(digit_share) X(punctuation_share) X(log_commas) X(commas_per_word) X(log_sentences)              \
    X(sentence_length) X(symbol_share) X(ends_with_mark) X(ends_with_colon) X(starts_upper) X(starts_lower)           \
    X(starts_digit) X(starts_symbol) X(is_one_word) X(is_two_to_four_words) X(is_paragraph) X(is_long)                \
    X(is_fully_linked) X(has_no_letter)

#define LEVEL_COLUMNS(X, level) /* levels_of() in containers.c */                                                     \
    X(level##_log_size) X(level##_page_share) X(level##_linked) X(level##_paragraph_share)                            \
    X(level##_log_block_size) X(level##_commas) X(level##_paragraph_page_share) X(level##_log_equal_siblings)         \
    X(level##_log_images) X(level##_headings) X(level##_log_blocks)

#define CONTAINER_COLUMNS(X)                                                                                          \
    LEVEL_COLUMNS(X, own) LEVEL_COLUMNS(X, outer1) LEVEL_COLUMNS(X, outer3)                                           \
    /* best_columns() in containers.c */                                                                              \
    X(in_best) X(before_best) X(after_best) X(best_up) X(best_depth_below) X(in_main_part) X(main_up) X(after_main)   \
    X(before_main) X(blocks_to_main) X(log_size_after_main)                                                           \
    /* card_columns() in containers.c */                                                                              \
    X(card_found) X(card_up) X(card_log_size) X(card_log_blocks) X(card_linked) X(card_headings)                      \
    X(card_linked_headings) X(card_images) X(card_paragraph_share) X(cards_log_count) X(cards_page_share)             \
    X(cards_log_size) X(cards_linked) X(cards_paragraph_share)                                                        \
    /* depth_columns() in containers.c */                                                                             \
    X(depth) X(depth_to_best) X(children_log)

#define PLACE_COLUMNS(X)                                                                                              \
    /* position_columns() in place.c */                                                                               \
    X(position) X(size_before) X(log_number) X(log_number_from_end)                                                   \
    /* heading_columns() in place.c */                                                                                \
    X(heading_distance) X(heading_level) X(heading_linked) X(heading_log_size) X(size_since_heading)                  \
    X(top_heading_before) X(top_heading_distance) X(next_heading_distance)                                            \
    /* paragraph_columns() in place.c */                                                                              \
    X(paragraph_before_distance) X(paragraph_after_distance) X(paragraphs_before) X(paragraphs_after)                 \
    /* repetition_columns() in place.c */                                                                             \
    X(log_equal_texts) X(is_repeated_before) X(is_title_part) X(title_block_before) X(title_block_distance)           \
    /* group_columns() in place.c */                                                                                  \
    X(group_log_count) X(group_page_share) X(group_linked) X(group_log_block_size) X(group_paragraph_share)           \
    X(group_spread) X(path_log_count) X(path_page_share) X(path_linked) X(path_log_block_size)                        \
    X(path_paragraph_share) X(path_spread)

#define PAGE_TEXT_COLUMNS(X) /* text_columns() in whole.c */                                                          \
    X(page_log_blocks) X(page_log_size) X(page_log_nodes) X(page_linked) X(page_paragraph_share) X(page_paragraphs)   \
    X(page_long_blocks) X(page_short_share) X(page_log_longest) X(page_log_main_size) X(page_main_linked)             \
    X(page_best_share) X(page_cards_share) X(page_log_best_score) X(page_second_best) X(page_log_images)              \
    X(page_log_controls) X(page_log_links) X(page_headings) X(page_log_h1) X(page_log_articles) X(page_digits)        \
    X(page_unspaced)

#define COLUMN(name) COLUMN_##name,
enum { WORDING_COLUMNS(COLUMN) CONTAINER_COLUMNS(COLUMN) PLACE_COLUMNS(COLUMN) OWN_COLUMNS };
enum { PAGE_TEXT_COLUMNS(COLUMN) PAGE_TEXTS };

/* Columns of single bits, in markup.c: markup_columns(). The names are made from the tables in `features/cues.py`. */
enum { OWN_TAGS = 16, MARK_BITS = 35, CUE_BITS = 28, BIT_COLUMNS = OWN_TAGS + MARK_BITS + 2 * CUE_BITS };

/* The other columns of the page: mix_columns() and cue_columns() in whole.c; the facts of the head come from Python. */
enum { MIXED_TAGS = 15, HEAD_COLUMNS = 28, PAGE_COLUMNS = PAGE_TEXTS + MIXED_TAGS + CUE_BITS + HEAD_COLUMNS };

enum { FIRST_BIT = OWN_COLUMNS, FIRST_OF_PAGE = OWN_COLUMNS + BIT_COLUMNS, ALL_COLUMNS = FIRST_OF_PAGE + PAGE_COLUMNS };

extern const char *const own_column_names[OWN_COLUMNS];
extern const char *const page_column_names[PAGE_TEXTS];

#endif
