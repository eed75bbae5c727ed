/* Features of the elements around a block. Mirrors `features/containers.py`. */

#include "core.h"

enum { LEVEL_STATISTICS = 11, CARDS = 3, LONG_PARAGRAPH = 48, SHORTEST_PARAGRAPH = 6 };

static const double MAIN_SHARE = 0.7;

/* The sums over the blocks of an element. */
static Sums sums_of(const Room *room, Number element) {
    const Facts *facts = &room->elements.at[element];
    const Sums *first = &room->sums.at[facts->first];
    Sums sums = room->sums.at[facts->last];
    sums.size -= first->size;
    sums.linked -= first->linked;
    sums.paragraphs -= first->paragraphs;
    sums.sentences -= first->sentences;
    sums.headings -= first->headings;
    sums.linked_headings -= first->linked_headings;
    return sums;
}

static Number blocks_in(const Facts *facts) { return facts->last - facts->first; }

/* How likely each element is the one around the article's paragraphs. */
static int find_candidates(const Page *page, Room *room) {
    double *scores;
    size_t number;
    TRY(RESIZE(room->candidates, page->elements.count));
    scores = room->candidates.at;
    for (number = 0; number < page->elements.count; number++)
        scores[number] = 0;
    for (number = 0; number < page->blocks.count; number++) {
        const BlockFacts *block = &room->blocks.at[number];
        double weight = 1 + page->blocks.at[number].counts[KIND_COMMA] + 3 * at_most(block->size / LONG_PARAGRAPH, 1);
        Number around = parent_of(page, page->blocks.at[number].node);
        if (block->size < SHORTEST_PARAGRAPH || block->linked >= 0.5 || block->level > 0) continue;
        scores[around] += weight;
        around = parent_of(page, around);
        scores[around] += weight / 2;
        around = parent_of(page, around);
        scores[around] += weight / 6;
    }
    for (number = 0; number < page->elements.count; number++) {
        Sums sums;
        if (scores[number] == 0) continue;
        sums = sums_of(room, (Number)number);
        scores[number] *= 1 - share(sums.linked, sums.size);
    }
    return OK;
}

/* The best container, the best one outside of it, and the deepest element with most of the paragraphs. */
static void find_best(const Page *page, Room *room) {
    const Facts *facts = room->elements.at, *best;
    const double *scores = room->candidates.at;
    double enough = at_least(MAIN_SHARE * sums_of(room, 0).paragraphs, 1e-9), second = 0;
    Number number, count = (Number)page->elements.count, deepest = -1;
    room->best = room->main = 0;
    for (number = 0; number < count; number++) {
        if (scores[number] > scores[room->best]) room->best = number;
        if (facts[number].depth <= deepest) continue;
        if (room->sums.at[facts[number].last].paragraphs - room->sums.at[facts[number].first].paragraphs >= enough) {
            deepest = facts[number].depth;
            room->main = number;
        }
    }
    best = &facts[room->best];
    for (number = 0; number < count; number++) {
        int is_outside = facts[number].last <= best->first || facts[number].first >= best->last;
        if (is_outside && scores[number] > second) second = scores[number];
    }
    room->second_best = second / at_least(scores[room->best], 1e-6);
}

/* Sums over each series, and the innermost card of each element: one of several blocks, or of a single one. */
static void find_cards(const Page *page, Room *room) {
    Facts *facts = room->elements.at;
    size_t number;
    for (number = 0; number < page->elements.count; number++) {
        Facts *own = &facts[number];
        const Facts *parent = &facts[parent_of(page, (Number)number)];
        const Sums *first = &room->sums.at[own->first], *last = &room->sums.at[own->last];
        Series *series = &room->series.at[own->series];
        int is_repeated = own->equal >= CARDS, blocks = blocks_in(own);
        series->size += last->size - first->size;
        series->linked += last->linked - first->linked;
        series->paragraphs += last->paragraphs - first->paragraphs;
        own->card = is_repeated && blocks > 1 ? (Number)number : number > 0 ? parent->card : -1;
        own->single_card = is_repeated && blocks == 1 ? (Number)number : number > 0 ? parent->single_card : -1;
    }
}

static Number card_of(const Facts *facts) { return facts->card >= 0 ? facts->card : facts->single_card; }

int measure_containers(const Page *page, Room *room) {
    size_t number;
    for (number = 0; number < page->blocks.count; number++) {
        Number *levels = room->blocks.at[number].levels;
        levels[0] = page->blocks.at[number].node;
        levels[1] = room->elements.at[levels[0]].outer;
        levels[2] = room->elements.at[levels[1]].outer;
        levels[3] = room->elements.at[levels[2]].outer;
    }
    TRY(find_candidates(page, room));
    find_best(page, room);
    find_cards(page, room);
    room->in_cards = 0;
    for (number = 0; number < page->blocks.count; number++) {
        if (card_of(&room->elements.at[page->blocks.at[number].node]) >= 0)
            room->in_cards += room->blocks.at[number].size;
    }
    return OK;
}

static void fill_level(const Room *room, Number element, float *column) {
    const Facts *facts = &room->elements.at[element];
    Sums sums = sums_of(room, element), all = sums_of(room, 0);
    Number blocks = blocks_in(facts);
    *column++ = log_of(sums.size);
    *column++ = (float)share(sums.size, all.size);
    *column++ = (float)share(sums.linked, sums.size);
    *column++ = (float)share(sums.paragraphs, sums.size);
    *column++ = log_of(share(sums.size, blocks));
    *column++ = (float)at_most(share(sums.sentences, sums.size), 0.5);
    *column++ = (float)share(sums.paragraphs, all.paragraphs);
    *column++ = log_of(facts->equal);
    *column++ = log_of(facts->images);
    *column++ = (float)share(sums.headings, blocks);
    *column = log_of(blocks);
}

/* The statistics of an element, worked out once for all blocks that ask for it. */
static const float *levels_of(Room *room, Number element) {
    float *columns = room->levels.at + (size_t)element * LEVEL_STATISTICS;
    if (!room->has_levels.at[element]) {
        room->has_levels.at[element] = 1;
        fill_level(room, element, columns);
    }
    return columns;
}

/* An element and those around it: the ranges of their blocks only grow. */
typedef struct {
    const Number *path;
    size_t started, ended; /* how many start behind the block, and how many end before it */
    size_t count;
} Way;

static int find_way(const Page *page, Number element, Numbers *numbers, Way *way) {
    numbers->count = 0;
    for (;; element = parent_of(page, element)) {
        TRY(RESERVE(*numbers, 1));
        numbers->at[numbers->count++] = element;
        if (element == 0) break;
    }
    way->path = numbers->at;
    way->count = way->started = numbers->count;
    way->ended = 0;
    return OK;
}

/* How many levels above the element the smallest one is that holds this block too; blocks are asked for in order. */
static size_t steps_up(const Room *room, Way *way, Number block) {
    const Facts *facts = room->elements.at;
    while (way->started > 0 && facts[way->path[way->started - 1]].first <= block)
        way->started--;
    while (way->ended < way->count && facts[way->path[way->ended]].last <= block)
        way->ended++;
    return way->started > way->ended ? way->started : way->ended;
}

static void best_columns(const Page *page, const Room *room, Number block, size_t best_up, size_t main_up, float *row) {
    const Facts *best = &room->elements.at[room->best], *main = &room->elements.at[room->main];
    Number below = room->elements.at[page->blocks.at[block].node].depth - best->depth;
    Number before = main->first - block, behind = block - main->last + 1, away = before > behind ? before : behind;
    double total = at_least(room->sums.at[page->blocks.count].size, 1);
    double after = at_least(room->sums.at[block].size - room->sums.at[main->last].size, 0);
    row[COLUMN_in_best] = block >= best->first && block < best->last;
    row[COLUMN_before_best] = block < best->first;
    row[COLUMN_after_best] = block >= best->last;
    row[COLUMN_best_up] = log_of((double)best_up);
    row[COLUMN_best_depth_below] = log_of(below > 0 ? below : 0);
    row[COLUMN_in_main_part] = block >= main->first && block < main->last;
    row[COLUMN_main_up] = log_of((double)main_up);
    row[COLUMN_after_main] = block >= main->last;
    row[COLUMN_before_main] = block < main->first;
    row[COLUMN_blocks_to_main] = log_of(away > 0 ? away : 0);
    row[COLUMN_log_size_after_main] = log_of(after / total * 100);
}

static void card_columns(const Page *page, const Room *room, Number block, float *row) {
    const Facts *own = &room->elements.at[page->blocks.at[block].node], *card;
    const Series *series;
    Number number = card_of(own), up;
    Sums sums, all;
    if (number < 0) {
        memset(row + COLUMN_card_found, 0, (COLUMN_cards_paragraph_share - COLUMN_card_found + 1) * sizeof *row);
        return;
    }
    card = &room->elements.at[number];
    series = &room->series.at[card->series];
    sums = sums_of(room, number);
    all = sums_of(room, 0);
    up = own->depth - card->depth;
    row[COLUMN_card_found] = 1;
    row[COLUMN_card_up] = log_of(up > 0 ? up : 0);
    row[COLUMN_card_log_size] = log_of(sums.size);
    row[COLUMN_card_log_blocks] = log_of(blocks_in(card));
    row[COLUMN_card_linked] = (float)share(sums.linked, sums.size);
    row[COLUMN_card_headings] = (float)at_most(sums.headings, 3);
    row[COLUMN_card_linked_headings] = (float)at_most(sums.linked_headings, 3);
    row[COLUMN_card_images] = (float)at_most(card->images, 5);
    row[COLUMN_card_paragraph_share] = (float)share(sums.paragraphs, sums.size);
    row[COLUMN_cards_log_count] = log_of(series->count);
    row[COLUMN_cards_page_share] = (float)share(series->size, all.size);
    row[COLUMN_cards_log_size] = log_of(series->size / at_least(series->count, 1));
    row[COLUMN_cards_linked] = (float)share(series->linked, series->size);
    row[COLUMN_cards_paragraph_share] = (float)share(series->paragraphs, series->size);
}

static void depth_columns(const Page *page, const Room *room, Number block, float *row) {
    Number node = page->blocks.at[block].node, depth = room->elements.at[node].depth;
    Number above = depth - room->elements.at[room->best].depth;
    row[COLUMN_depth] = log_of(depth);
    row[COLUMN_depth_to_best] = (float)(above < -6 ? -6 : above > 6 ? 6 : above);
    row[COLUMN_children_log] = log_of(room->elements.at[parent_of(page, node)].children);
}

int container_columns(const Page *page, Room *room) {
    static const int levels[] = {0, 1, 3},
                     columns[] = {COLUMN_own_log_size, COLUMN_outer1_log_size, COLUMN_outer3_log_size};
    Number block;
    size_t level;
    Way to_best, to_main;
    TRY(find_way(page, room->best, &room->numbers, &to_best));
    TRY(find_way(page, room->main, &room->positions, &to_main));
    TRY(RESIZE(room->levels, page->elements.count * LEVEL_STATISTICS));
    TRY(RESIZE(room->has_levels, page->elements.count));
    memset(room->has_levels.at, 0, page->elements.count);
    for (block = 0; block < (Number)page->blocks.count; block++) {
        float *row = room->columns.at + (size_t)block * OWN_COLUMNS;
        for (level = 0; level < sizeof levels / sizeof *levels; level++) {
            const float *statistics = levels_of(room, room->blocks.at[block].levels[levels[level]]);
            memcpy(row + columns[level], statistics, LEVEL_STATISTICS * sizeof *row);
        }
        best_columns(page, room, block, steps_up(room, &to_best, block), steps_up(room, &to_main, block), row);
        card_columns(page, room, block, row);
        depth_columns(page, room, block, row);
    }
    return OK;
}
