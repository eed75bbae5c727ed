/* The shapes that the steps from a tree to kept blocks share; each step is a file, named as the Python module it
 * mirrors. */

#ifndef SCRAPY_BOILERPLATE_CORE_H
#define SCRAPY_BOILERPLATE_CORE_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <libxml/tree.h>

#include "columns.h"

/* What every function that may fail returns. After FAILED a Python exception is set. */
enum { OK = 0, NO_MEMORY = -1, BAD_TEXT = -2, FAILED = -3 };

#define TRY(call)                                                                                                      \
    do {                                                                                                               \
        int status_ = (call);                                                                                          \
        if (status_ != OK) return status_;                                                                             \
    } while (0)

typedef int32_t Number; /* of a block, an element, a tag; -1 for none */

/* memory.c: lists that grow, kept from page to page; numbers by key. */

#define LIST(type)                                                                                                     \
    struct {                                                                                                           \
        type *at;                                                                                                      \
        size_t count, room;                                                                                            \
    }
/* Make room for more items behind those of a list. */
#define RESERVE(list, more)                                                                                            \
    ((list).room - (list).count >= (size_t)(more) ? OK : reserve(&(list), sizeof *(list).at, (size_t)(more)))
/* Give a list a number of items, whose values are undefined. */
#define RESIZE(list, wanted) ((list).count = 0, reserve_exactly(&(list), sizeof *(list).at, (size_t)(wanted)))
#define FREE(list) release(&(list))

typedef LIST(char) Text;
typedef LIST(Number) Numbers;

int reserve(void *list, size_t item, size_t more);
int reserve_exactly(void *list, size_t item, size_t wanted);
void release(void *list);
void *core_realloc(void *data, size_t size);
void fail_allocations_after(long count); /* for tests; -1 for never */

static inline int append(Text *text, const char *more, size_t size) {
    if (size == 0) return OK; /* for which there may be no room at all yet */
    TRY(RESERVE(*text, size));
    memcpy(text->at + text->count, more, size);
    text->count += size;
    return OK;
}

typedef struct { /* a part of a Text */
    size_t start, size;
} Span;

typedef struct {
    uint64_t key;
    Number number; /* -1 in an empty entry */
} Entry;

typedef struct {
    LIST(Entry) entries; /* their room is a power of two */
    size_t mask;
} Map;

int clear_map(Map *map, size_t most);          /* for so many keys */
Entry *entry_of(const Map *map, uint64_t key); /* of this key, or the empty one where it belongs */
uint64_t mix(uint64_t first, uint64_t second);
uint64_t hash_of(const char *text, size_t size);
extern uint64_t hash_seed;

/* characters.c: what is known of each code point, and counts of them. */

enum { SPACE = 1, LETTER = 2, NUMBER = 4, UPPER = 8, LOWER = 16, PUNCTUATION = 32, FULL_STOP = 64, SENTENCE_END = 128 };
enum { ALNUM = 1, IS_LOWER = 2, IS_UPPER = 4, PRINTABLE = 8, INVISIBLE = 16, JOINER = 32, JOINED = 64 }; /* traits */
enum { /* of a count; the first ten are kinds of characters */
       KIND_OTHER,
       KIND_SPACE,
       KIND_UPPER,
       KIND_LOWER,
       KIND_LETTER,
       KIND_DIGIT,
       KIND_COMMA,
       KIND_MARK,
       KIND_PUNCTUATION,
       KIND_SYMBOL,
       TOKENS,
       WORDS,
       SENTENCES,
       SYLLABLES,
       IDEOGRAPHS,
       FIRST,
       LAST,
       COUNTS
};
enum { FULL_WIDTH = 0x3000, FIRST_UNSPACED = 0x0E00, CODE_POINTS = 0x110000 };

typedef struct {
    uint8_t classes, kind, script, traits;
} Character;

typedef struct { /* 256 code points */
    Character characters[256];
    uint32_t lower[256]; /* 0 where the lower case depends on its place or has several characters */
} CharacterPage;

extern const CharacterPage *character_pages[CODE_POINTS / 256];

typedef struct { /* how a text is read: the code point at a place, and how many bytes it takes */
    uint32_t code;
    uint32_t size;
    const Character *character;
} Read;

typedef struct { /* a count that goes on from character to character */
    uint32_t *counts;
    int in_token, in_word, after_mark;
} Tally;

int load_characters(uint32_t code);
int read_beyond_ascii(const char *text, size_t size, Read *read);

/* Read the character at the beginning of a text of at least one byte. */
static inline int read_character(const char *text, size_t size, Read *read) {
    unsigned char byte = (unsigned char)text[0];
    if (byte >= 0x80 || character_pages[0] == NULL) return read_beyond_ascii(text, size, read);
    read->code = byte;
    read->size = 1;
    read->character = &character_pages[0]->characters[byte];
    return OK;
}

size_t characters_in(const char *text, size_t size);
int check_text(const char *text, size_t size);
int is_blank(const char *text, size_t size, int *blank);
int is_white(const char *text, size_t size, int *white);
int tally_text(const char *text, size_t size, uint32_t *counts, uint32_t *characters);
int tidy(const char *run, size_t size, Text *tidied, uint32_t *counts, uint32_t *characters, int *unprintable);
int without_invisible(const char *text, size_t size, Text *result);
int lower_case(const char *text, size_t size, Text *result);

/* tags.c: what is known of tags and attributes. */

enum { /* the effect of a tag on the run of text around it */
       INLINE,
       PHRASE,
       WORD,
       LINK,
       BUTTON,
       BLOCK,
       PREFORMATTED,
       BREAK,
       IMAGE,
       CONTROL,
       DROPPED
};
enum { PLAIN, MARKED, HYPERLINK, CODE, MATH, SPAN, SCRIPT, ANNOTATION }; /* what is noted of its inline markup */
enum {                                                                   /* sets of tags that rules ask for */
       IS_LINK = 1,
       IS_ARTICLE = 2,
       IS_ITEM = 4, /* li, dt, dd */
       IS_LI = 8,
       IS_CELL = 16,
       IS_HEADER_CELL = 32,
       IS_ROW = 64,
       IS_TABLE = 128,
       IS_PREFORMATTED = 256,
       IS_WHOLE = 512 /* kept as a whole: lists, tables, listings */
};

typedef struct {
    uint64_t hash; /* of its name */
    uint64_t marks;
    Span name; /* in `Page.values` */
    int16_t effect, notes, own, mix, level;
    uint16_t flags;
} Tag;

enum { CLASS_BIT = 1, ID_BIT = 2, MARKING = 4, LAYOUT = 8 };

typedef struct { /* an attribute that is read */
    const char *name;
    int use; /* one of the bits above */
    int bit; /* its own among all that are read */
} KnownAttribute;

int know_tag(const char *name, int effect, int notes, int own, int mix, int level, int flags, uint64_t marks);
int know_attribute(const char *name, int use);
int know_value(const char *attribute, const char *value, uint64_t mark);
const Tag *known_tag(uint64_t hash);
int find_known_attribute(const char *name); /* -1 if it is not read */
extern KnownAttribute known_attributes[32];
extern uint64_t hidden_mark, aria_hidden_mark, style_mark;
int mark_of(const char *attribute, const char *value, size_t size, Text *scratch, uint64_t *mark);

/* A page: what the walk reads. */

typedef struct {
    Span text, link_text; /* in `Page.texts` and `Page.link_texts` */
    Number node, start, end, pre_line;
    Number marked; /* its entry in `Page.marked`, -1 if it has no marks */
    uint32_t characters, link_characters;
    uint32_t linked, linked_spaces, linked_tokens; /* of the link text, as the features see it */
    uint32_t counts[COUNTS];
} Block;

typedef struct {
    uint64_t marks; /* of its attributes */
    Span names;     /* class and id, in `Page.values` */
    Number parent, tag;
    Number seen_tag; /* as the features see it: a link around a whole text is none */
} Element;

typedef struct {
    Number element, number; /* of a known attribute; of a link's address it is 0 */
    Span value;
} Value;

typedef struct {
    Number element, block;
    Span source, text;
} Image;

typedef struct {
    Number element, block, display;
    Span latex;
} Formula;

typedef struct {
    Number place, what, number;
} Mark;

typedef struct { /* a block with marks */
    Span run;
    size_t first_mark, marks;
} Marked;

enum { START, END, LINE_BREAK, IMAGE_MARK, FORMULA_MARK };

typedef LIST(Block) Blocks;
typedef LIST(Element) Elements;
typedef LIST(Tag) Tags;
typedef LIST(Value) Values;
typedef LIST(Image) Images;
typedef LIST(Formula) Formulas;
typedef LIST(Mark) Marks;
typedef LIST(Marked) MarkedBlocks;
typedef LIST(Span) Spans;
typedef LIST(double) Doubles;
typedef LIST(float) Floats;
typedef LIST(uint64_t) Bits;

typedef struct {
    Text texts, link_texts, values, runs;
    Blocks blocks;
    Elements elements;
    Tags tags;
    Map tag_numbers;
    Values attributes, layout, hrefs;
    Images images;
    Formulas formulas;
    Marks marks;
    MarkedBlocks marked;
    Numbers controls, formula_boxes;
    int full;
} Page;

/* The tag of an element as the features see it. */
const Tag *tag_seen(const Page *page, Number element);

static inline const Tag *tag_of(const Page *page, Number element) {
    return &page->tags.at[page->elements.at[element].tag];
}

/* The element around another one; around the root it is the root itself. */
static inline Number parent_of(const Page *page, Number element) {
    Number parent = page->elements.at[element].parent;
    return parent > 0 ? parent : 0;
}

void clear_page(Page *page);
void free_page(Page *page);
size_t size_of_page(const Page *page);
Page *take_page(void); /* NULL if there is no memory */
void give_page(Page *page);

/* What the walk asks Python for, with the GIL held; each returns OK or FAILED. */

typedef struct {
    int (*load_characters)(uint32_t page, CharacterPage *characters);
    int (*name_tag)(void *context, xmlNode *node, Text *name, int *effect);
    int (*attribute_value)(void *context, xmlNode *node, xmlAttr *attribute, Text *value);
    int (*read_formula)(void *context, xmlNode *node, Text *latex, int *display);
    int (*find_cues)(const char *names, size_t size, uint64_t *cues);
    int (*lower_case)(const char *text, size_t size, Text *lower);
} Python;

extern Python python;

/* Nodes of libxml2. */

static inline int is_text(const xmlNode *node) {
    return node->type == XML_TEXT_NODE || node->type == XML_CDATA_SECTION_NODE;
}

/* The node after another one in document order, in the tree below a root; NULL behind the last one. */
static inline xmlNode *next_node(const xmlNode *root, xmlNode *node, int skip_children) {
    if (!skip_children && node->type == XML_ELEMENT_NODE && node->children != NULL) return node->children;
    while (node != root && node->next == NULL)
        node = node->parent;
    return node == root ? NULL : node->next;
}

/* walk.c */

enum { LONGEST_VALUE = 2000 };
enum { MOST_MATCHES = 10000, LONGEST_FACT = 1000 };

typedef struct {
    size_t most_blocks, most_elements;
    int image_alt;
    xmlNode **skipped; /* sorted by address */
    size_t skips;
    void *context; /* of the calls to Python */
} WalkOptions;

int walk(Page *page, xmlNode *root, const WalkOptions *options);
xmlAttr *first_attribute(const xmlNode *node, const char *name);
int value_of(void *context, xmlNode *node, xmlAttr *attribute, Text *values, Span *span);

/* parse.c */

int samples_are_suspect(const char *text, size_t size);
int stretches_have_words(const char *text, size_t size);
ptrdiff_t find_end(const char *text, size_t size);
int visible_characters(xmlNode *root, size_t most, size_t nodes, size_t *count);

/* head.c */

enum { FACT_DESCRIPTION, FACT_TYPE, FACT_ADDRESS, FACT_PUBLISHED, FACT_BASE, FACTS };

typedef struct {
    Text values;
    Span title, facts[FACTS]; /* empty spans where there is none */
    Spans linked_data;
    int has_title, found[FACTS];
    Span wrapper_url;
} Head;

int read_head(Head *head, xmlNode *root, void *context);
void free_head(Head *head);

/* The steps from a page to scores, and what each works out. Everything here is room that is used again. */

typedef struct {        /* of an element, by elements.c and containers.c */
    uint64_t kind;      /* equal for equal tags and classes */
    uint64_t marks;     /* its own and those around it */
    uint64_t cues;      /* its own */
    Number end;         /* the element after its last descendant */
    Number first, last; /* its blocks, a half-open range */
    Number depth, outer, outermost, series, equal, children, images;
    Number card, single_card, listing;
} Facts;

typedef struct { /* of a block */
    double size, linked;
    Number level;       /* of a heading; 0 for other blocks */
    Number first_equal; /* the first block with the same text */
    Number equals;      /* how many have it, noted of the first one */
    Number group, path;
    Number levels[4]; /* its element and the three next larger ones */
    uint8_t is_paragraph;
} BlockFacts;

typedef LIST(BlockFacts) BlockFactsList;

typedef struct { /* sums over the blocks before a place */
    double size, linked, paragraphs, sentences, headings, linked_headings;
} Sums;

typedef struct {
    double count, size, linked, paragraphs;
} Series;

typedef struct {
    double count, size, linked, paragraphs;
    Number first, last;
    float columns[6];
} Group;

typedef struct {
    LIST(Facts) elements;
    BlockFactsList blocks;
    LIST(Sums) sums; /* one more than blocks */
    LIST(Series) series;
    LIST(Group) groups, paths;
    Doubles candidates;
    Floats levels; /* statistics of elements, eleven each, where `has_levels` */
    LIST(uint8_t) has_levels;
    Floats columns; /* OWN_COLUMNS for each block */
    Bits bits;      /* two for each block */
    float page[PAGE_COLUMNS];
    Number best, main;
    double in_cards, second_best;
    Map map;
    Text text;
    Numbers numbers, positions;
    /* network.c */
    Floats inputs, hidden, summary, around, joint, shared;
    Doubles running, totals, content;
    /* repeats.c, selection.c, text.c */
    Doubles scores, weights;
    Numbers order;
    Text output;
} Room;

void free_room(Room *room);
size_t size_of_room(const Room *room);
Room *take_room(void);
void give_room(Room *room);

typedef struct {       /* of the page, which Python works out from the head */
    const char *title; /* in lower case */
    size_t title_size, title_characters;
    const float *facts; /* HEAD_COLUMNS */
} PageFacts;

int find_text_links(Page *page, Room *room);        /* text_links.c */
int find_cues(Page *page, Room *room);              /* markup.c; needs the GIL, as a call to Python may */
int measure_elements(const Page *page, Room *room); /* elements.c */
int group_blocks(const Page *page, Room *room);
void measure_blocks(const Page *page, Room *room);  /* wording.c */
int find_equal_texts(const Page *page, Room *room); /* place.c */
int measure_containers(const Page *page, Room *room);
void wording_columns(const Page *page, const Room *room);
void markup_columns(const Page *page, Room *room);
int container_columns(const Page *page, Room *room);
int place_columns(const Page *page, Room *room, const PageFacts *facts);
void page_columns(const Page *page, Room *room, const PageFacts *facts);
int measure(Page *page, Room *room); /* features.c: all that the columns need, with the GIL */
int fill_columns(const Page *page, Room *room, const PageFacts *facts);

float log_of(double value); /* log(1 + value) */
void fill_logs(void);       /* once, before it */
double share(double part, double whole);
static inline double at_least(double value, double least) { return value > least ? value : least; }
static inline double at_most(double value, double most) { return value < most ? value : most; }

/* network.c */

typedef struct Network Network;

typedef struct { /* as the weights file has them, with the standardisation in the first layer */
    int members, hidden, summary, joint, features, page_features;
    const Number *columns; /* the number of each feature: own columns, then bits, then columns of the page */
    const float *low, *high, *first, *first_bias, *summary_weights, *summary_bias, *content, *content_bias;
    const float *joint_weights, *joint_bias, *output, *output_bias;
} Weights;

int make_network(const Weights *weights, Network **network);
void free_network(Network *network);
int score(const Network *network, const Page *page, Room *room); /* to `Room.scores` */
int use_kernel(int number);                                      /* returns the one in use; -1 for the best one here */
const char *kernel_name(void);

/* repeats.c, selection.c, holes.c, text.c */

int whole_listings(const Page *page, Room *room);
int said_once(const Page *page, Room *room);
int expected_f1(const double *scores, const double *sizes, size_t count, double *cut, double *expected);
int without_holes(const Page *page, uint8_t *kept, Room *room);
int to_text(const Page *page, const uint8_t *kept, Room *room, Text *text);

#endif
