/* Features of the place of a block. Mirrors `features/place.py`. */

#include "core.h"

enum { TITLE_PART = 3, SHORT = 3, FAR = 50, NO_LEVEL = 7 };

/* For each block the first one with the same text, and for that one their number. */
int find_equal_texts(const Page *page, Room *room) {
    size_t number;
    TRY(clear_map(&room->map, page->blocks.count));
    for (number = 0; number < page->blocks.count; number++) {
        const Span text = page->blocks.at[number].text;
        uint64_t key = hash_of(page->texts.at + text.start, text.size);
        for (;; key = mix(key, 1)) { /* other texts may have the same hash */
            Entry *entry = entry_of(&room->map, key);
            Span other;
            if (entry->number < 0) {
                entry->key = key;
                entry->number = (Number)number;
            }
            other = page->blocks.at[entry->number].text;
            if (other.size != text.size ||
                memcmp(page->texts.at + other.start, page->texts.at + text.start, text.size)) {
                continue;
            }
            room->blocks.at[number].first_equal = entry->number;
            room->blocks.at[number].equals = 0;
            room->blocks.at[entry->number].equals++;
            break;
        }
    }
    return OK;
}

/* log(1 + distance); distances that are larger than 50 or not known count as 50. */
static float near(Number distance, int known) { return log_of(known && distance < FAR ? distance : FAR); }

static void position_columns(const Room *room, Number block, Number count, float *row) {
    row[COLUMN_position] = (float)((double)block / (count > 1 ? count - 1 : 1));
    row[COLUMN_size_before] = (float)share(room->sums.at[block].size, room->sums.at[count].size);
    row[COLUMN_log_number] = log_of(block);
    row[COLUMN_log_number_from_end] = log_of(count - 1 - block);
}

static void heading_columns(const Room *room, Number count) {
    const BlockFacts *facts = room->blocks.at;
    Number block, last = -1, last_top = -1, next = count, top = 9;
    for (block = 0; block < count; block++) {
        if (facts[block].level > 0 && facts[block].level < top) top = facts[block].level;
    }
    for (block = 0; block < count; block++) {
        float *row = room->columns.at + (size_t)block * OWN_COLUMNS;
        double since = room->sums.at[block].size - (last >= 0 ? room->sums.at[last].size : 0);
        row[COLUMN_heading_distance] = near(block - last, last >= 0);
        row[COLUMN_heading_level] = (float)(last >= 0 ? facts[last].level : NO_LEVEL);
        row[COLUMN_heading_linked] = last >= 0 ? (float)facts[last].linked : 0;
        row[COLUMN_heading_log_size] = last >= 0 ? log_of(facts[last].size) : 0;
        row[COLUMN_size_since_heading] = log_of(since);
        row[COLUMN_top_heading_before] = last_top >= 0;
        row[COLUMN_top_heading_distance] = near(block - last_top, last_top >= 0);
        if (facts[block].level > 0) last = block;
        if (facts[block].level == top) last_top = block;
    }
    for (block = count - 1; block >= 0; block--) {
        room->columns.at[(size_t)block * OWN_COLUMNS + COLUMN_next_heading_distance] = near(next - block, next < count);
        if (facts[block].level > 0) next = block;
    }
}

static void paragraph_columns(const Room *room, Number count) {
    const Sums *sums = room->sums.at;
    double total = sums[count].paragraphs;
    Number block, before = -1, after = count;
    for (block = 0; block < count; block++) {
        float *row = room->columns.at + (size_t)block * OWN_COLUMNS;
        row[COLUMN_paragraph_before_distance] = near(block - before, before >= 0);
        row[COLUMN_paragraphs_before] = (float)share(sums[block].paragraphs, total);
        row[COLUMN_paragraphs_after] = (float)share(total - sums[block + 1].paragraphs, total);
        if (room->blocks.at[block].is_paragraph) before = block;
    }
    for (block = count - 1; block >= 0; block--) {
        room->columns.at[(size_t)block * OWN_COLUMNS + COLUMN_paragraph_after_distance] =
            near(after - block, after < count);
        if (room->blocks.at[block].is_paragraph) after = block;
    }
}

static int contains(const char *text, size_t size, const char *part, size_t length) {
    const char *place = text;
    if (length == 0) return 1;
    while (size - (size_t)(place - text) >= length) {
        place = memchr(place, part[0], size - (size_t)(place - text) - length + 1);
        if (place == NULL) return 0;
        if (memcmp(place, part, length) == 0) return 1;
        place++;
    }
    return 0;
}

static int is_part_of_title(const Page *page, Room *room, Number block, const PageFacts *facts, int *is_part) {
    const Block *own = &page->blocks.at[block];
    *is_part = 0;
    if (own->characters <= SHORT || own->characters > facts->title_characters) return OK;
    TRY(lower_case(page->texts.at + own->text.start, own->text.size, &room->text));
    *is_part = contains(facts->title, facts->title_size, room->text.at, room->text.count);
    return OK;
}

static int repetition_columns(const Page *page, Room *room, const PageFacts *facts) {
    Number block, last = -1, count = (Number)page->blocks.count;
    for (block = 0; block < count; block++) {
        float *row = room->columns.at + (size_t)block * OWN_COLUMNS;
        Number first = room->blocks.at[block].first_equal;
        int is_part, is_title;
        TRY(is_part_of_title(page, room, block, facts, &is_part));
        is_title = is_part && (size_t)page->blocks.at[block].characters * TITLE_PART > facts->title_characters;
        row[COLUMN_log_equal_texts] = log_of(room->blocks.at[first].equals - 1);
        row[COLUMN_is_repeated_before] = first < block;
        row[COLUMN_is_title_part] = (float)is_part;
        row[COLUMN_title_block_before] = (float)((last >= 0) + is_title);
        row[COLUMN_title_block_distance] = near(block - last, last >= 0);
        if (is_title) last = block;
    }
    return OK;
}

static void fill_group(const Room *room, Group *group, Number count) {
    group->columns[0] = log_of(group->count);
    group->columns[1] = (float)share(group->size, room->sums.at[count].size);
    group->columns[2] = (float)share(group->linked, group->size);
    group->columns[3] = log_of(share(group->size, group->count));
    group->columns[4] = (float)share(group->paragraphs, group->size);
    group->columns[5] = (float)((double)(group->last - group->first) / (count > 1 ? count : 1));
}

static void add_to_group(Group *group, const BlockFacts *facts, Number block) {
    if (group->count == 0) group->first = block;
    group->count++;
    group->size += facts->size;
    group->linked += facts->size * facts->linked;
    group->paragraphs += facts->is_paragraph ? facts->size : 0;
    group->last = block;
}

/* Statistics of the blocks with equal elements and parents, and of those with equal paths. */
static void group_columns(const Room *room, Number count) {
    Group *groups = room->groups.at, *paths = room->paths.at;
    Number block;
    size_t number;
    memset(groups, 0, room->groups.count * sizeof *groups);
    memset(paths, 0, room->paths.count * sizeof *paths);
    for (block = 0; block < count; block++) {
        const BlockFacts *facts = &room->blocks.at[block];
        add_to_group(&groups[facts->group], facts, block);
        add_to_group(&paths[facts->path], facts, block);
    }
    for (number = 0; number < room->groups.count; number++)
        fill_group(room, &groups[number], count);
    for (number = 0; number < room->paths.count; number++)
        fill_group(room, &paths[number], count);
    for (block = 0; block < count; block++) {
        const BlockFacts *facts = &room->blocks.at[block];
        float *row = room->columns.at + (size_t)block * OWN_COLUMNS;
        memcpy(row + COLUMN_group_log_count, groups[facts->group].columns, sizeof groups->columns);
        memcpy(row + COLUMN_path_log_count, paths[facts->path].columns, sizeof paths->columns);
    }
}

int place_columns(const Page *page, Room *room, const PageFacts *facts) {
    Number block, count = (Number)page->blocks.count;
    for (block = 0; block < count; block++) {
        position_columns(room, block, count, room->columns.at + (size_t)block * OWN_COLUMNS);
    }
    heading_columns(room, count);
    paragraph_columns(room, count);
    TRY(repetition_columns(page, room, facts));
    group_columns(room, count);
    return OK;
}
