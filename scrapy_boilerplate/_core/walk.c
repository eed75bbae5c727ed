/* The walk of `segment/walk.py` on libxml2's own nodes: the same blocks without a Python object for each element.

   Rule by rule it does what `walk.py` does, where the reasons are; `tests/core/test_walk.py` holds the two together.
   Text is gathered as UTF-8. */

#include "core.h"

#include <stdlib.h>

enum { KNOWN = 256 }; /* names that are remembered at a time, a power of two */
enum { LONGEST = 4 }; /* bytes of a character */

typedef struct { /* what to go on with behind an element */
    xmlNode *node;
    int effect, marked;
    Number parent, container, line;
} Frame;

typedef struct { /* what came before a button */
    size_t blocks, run, link_run, marks, images, formulas;
    int64_t runs, pieces;
    int visible;
} Button;

typedef struct { /* libxml2 keeps a name in one place however often it occurs */
    const xmlChar *name, *space;
    Number number;
} KnownName;

typedef struct {
    Page *page;
    const WalkOptions *options;
    Text run, link_run; /* the run of text that is being read, and the part of it inside links */
    LIST(Mark) marks;   /* in the run, at bytes */
    LIST(Frame) frames;
    LIST(Button) buttons;
    Text scratch;
    /* As in walk.py. */
    int64_t pieces, runs, link_end, word_end, gap, line_break;
    Number container, innermost, start, links, pre_line;
    int ended, gap_effect, visible;
    size_t known;
    KnownName tags[KNOWN], attributes[KNOWN];
} Walk;

static int end_block(Walk *walk);

static size_t slot(const void *name) { return ((uintptr_t)name ^ (uintptr_t)name >> 8) & (KNOWN - 1); }

static int is_space(char character) {
    return character == ' ' || (character >= 9 && character <= 13) || (character >= 28 && character <= 31);
}

static int is_element(const xmlNode *node) { /* or what lxml shows as one */
    return node->type == XML_ELEMENT_NODE || node->type == XML_COMMENT_NODE || node->type == XML_ENTITY_REF_NODE ||
           node->type == XML_PI_NODE;
}

static Number count_of(size_t count) { return (Number)count; } /* lists are far shorter than a Number can say */

/* Pieces of text. */

static void add_piece(Walk *walk) {
    if (walk->pieces == 0) walk->start = walk->innermost;
    walk->pieces++;
}

static int read_piece(Walk *walk, const char *text, size_t size) {
    TRY(append(&walk->run, text, size));
    if (walk->links > 0) TRY(append(&walk->link_run, text, size));
    add_piece(walk);
    return OK;
}

static int add_space(Walk *walk) {
    TRY(append(&walk->run, " ", 1));
    add_piece(walk);
    return OK;
}

static int read_lines(Walk *walk, const char *text, size_t size) {
    size_t start = 0, place;
    for (place = 0; place < size && !walk->page->full; place++) {
        if (text[place] != '\n' && text[place] != '\r') continue;
        TRY(read_piece(walk, text + start, place - start));
        if (text[place] == '\r' && place + 1 < size && text[place + 1] == '\n') place++;
        start = place + 1;
        TRY(end_block(walk));
    }
    return read_piece(walk, text + start, size - start);
}

static int mark(Walk *walk, int what, Number number) {
    Mark *mark;
    if (walk->pieces == 0) return OK;
    TRY(RESERVE(walk->marks, 1));
    mark = &walk->marks.at[walk->marks.count++];
    mark->place = count_of(walk->run.count);
    mark->what = what;
    mark->number = number;
    return OK;
}

/* The character that begins at a place, or the one that ends there; none at the ends of the run. */
static int traits_at(const Walk *walk, size_t place, int before, int *traits) {
    const Text *run = &walk->run;
    Read read;
    *traits = 0;
    if (before) {
        size_t start = place;
        if (place == 0) return OK;
        do {
            start--;
        } while (start > 0 && place - start < LONGEST && (run->at[start] & 0xC0) == 0x80);
        TRY(read_character(run->at + start, place - start, &read));
    } else {
        if (place == run->count) return OK;
        TRY(read_character(run->at + place, run->count - place, &read));
    }
    *traits = read.character->traits;
    return OK;
}

/* Put a blank before what was read from there on, if a reader sees two words there; move its start behind the blank. */
static int separate(Walk *walk, size_t *start) {
    int before, after;
    TRY(traits_at(walk, *start, 1, &before));
    TRY(traits_at(walk, *start, 0, &after));
    if (walk->gap_effect == WORD ? !(before & after & ALNUM) : !(before & IS_LOWER && after & IS_UPPER)) return OK;
    TRY(add_space(walk));
    memmove(walk->run.at + *start + 1, walk->run.at + *start, walk->run.count - *start - 1);
    walk->run.at[(*start)++] = ' ';
    return walk->links > 0 ? append(&walk->link_run, " ", 1) : OK;
}

static int take_up(Walk *walk, size_t start) {
    int white = 0;
    size_t size = walk->run.count - start;
    if (size == 0) return OK;
    if (walk->pre_line > 0) {
        walk->scratch.count = 0;
        TRY(append(&walk->scratch, walk->run.at + start, size));
        walk->run.count = start;
        return read_lines(walk, walk->scratch.at, size);
    }
    if (walk->pieces == 0) TRY(is_white(walk->run.at + start, size, &white));
    if (white) {
        walk->run.count = start;
        return OK;
    }
    if (walk->gap == walk->pieces && walk->pieces > 0) TRY(separate(walk, &start));
    add_piece(walk);
    return walk->links > 0 ? append(&walk->link_run, walk->run.at + start, walk->run.count - start) : OK;
}

/* Take up the text from a node on; find the next element, comment or the like behind it. */
static int read_texts(Walk *walk, xmlNode *node, xmlNode **next) {
    size_t start = walk->run.count;
    for (; node != NULL; node = node->next) {
        if (is_text(node)) {
            if (node->content == NULL) continue;
            TRY(append(&walk->run, (const char *)node->content, strlen((const char *)node->content)));
        } else if (node->type != XML_XINCLUDE_START && node->type != XML_XINCLUDE_END) {
            break;
        }
    }
    TRY(take_up(walk, start));
    while (node != NULL && !is_element(node))
        node = node->next;
    *next = node;
    return OK;
}

/* The end of a block. */

/* Keep the marks of the run, but for those behind its last word, with the numbers of characters before them. */
static int note_marks(Walk *walk, Block *block) {
    Page *page = walk->page;
    Marked *marked;
    size_t number, place = 0, end = walk->run.count;
    Number characters = 0;
    while (end > 0 && is_space(walk->run.at[end - 1]))
        end--;
    while (walk->marks.count > 0) {
        const Mark *last = &walk->marks.at[walk->marks.count - 1];
        if (last->what > LINE_BREAK || (size_t)last->place < end) break;
        walk->marks.count--;
    }
    if (walk->marks.count == 0) return OK;
    TRY(RESERVE(page->marked, 1));
    TRY(RESERVE(page->marks, walk->marks.count));
    marked = &page->marked.at[page->marked.count];
    marked->run.start = page->runs.count;
    marked->run.size = walk->run.count;
    marked->first_mark = page->marks.count;
    marked->marks = walk->marks.count;
    TRY(append(&page->runs, walk->run.at, walk->run.count));
    for (number = 0; number < walk->marks.count; number++) {
        Mark noted = walk->marks.at[number];
        for (; place < (size_t)noted.place; place++)
            characters += (walk->run.at[place] & 0xC0) != 0x80;
        noted.place = characters;
        page->marks.at[page->marks.count++] = noted;
    }
    block->marked = count_of(page->marked.count++);
    return OK;
}

/* The text of a line of a <pre>: its white space is part of it, but for that at its end. */
static int read_line(Walk *walk, Block *block) {
    Text *texts = &walk->page->texts;
    size_t start = texts->count, end, last;
    int white;
    TRY(without_invisible(walk->run.at, walk->run.count, texts));
    for (end = texts->count; end > start; end = last) {
        last = end - 1;
        while (last > start && (texts->at[last] & 0xC0) == 0x80)
            last--;
        TRY(is_white(texts->at + last, end - last, &white));
        if (!white) break;
    }
    texts->count = end;
    return tally_text(texts->at + start, end - start, block->counts, &block->characters);
}

static int read_text(Walk *walk, Block *block) {
    Page *page = walk->page;
    uint32_t counts[COUNTS];
    int unprintable = 0;
    block->text.start = page->texts.count;
    block->link_text.start = page->link_texts.count;
    if (walk->pre_line > 0) {
        TRY(read_line(walk, block));
    } else {
        TRY(tidy(walk->run.at, walk->run.count, &page->texts, block->counts, &block->characters, &unprintable));
    }
    block->text.size = page->texts.count - block->text.start;
    if (block->text.size == 0) return OK;
    if (unprintable) {
        TRY(without_invisible(walk->link_run.at, walk->link_run.count, &page->link_texts));
    } else {
        TRY(append(&page->link_texts, walk->link_run.at, walk->link_run.count));
    }
    block->link_text.size = page->link_texts.count - block->link_text.start;
    if (block->link_text.size == 0) { /* most blocks */
        block->link_characters = block->linked = block->linked_spaces = block->linked_tokens = 0;
        return OK;
    }
    TRY(tally_text(page->link_texts.at + block->link_text.start, block->link_text.size, counts,
                   &block->link_characters));
    block->linked = block->link_characters;
    block->linked_spaces = counts[KIND_SPACE];
    block->linked_tokens = counts[TOKENS];
    return OK;
}

static void forget_run(Walk *walk) {
    walk->run.count = walk->link_run.count = walk->marks.count = walk->known = 0;
    walk->pieces = 0;
    walk->visible = 0;
    walk->line_break = -1;
}

static int end_block(Walk *walk) {
    Page *page = walk->page;
    Block *block;
    TRY(RESERVE(page->blocks, 1));
    block = &page->blocks.at[page->blocks.count];
    if (walk->run.count == 0) { /* an empty line, of which there may be millions */
        block->text.size = 0;
    } else {
        TRY(read_text(walk, block));
    }
    if (block->text.size > 0 && page->blocks.count == walk->options->most_blocks) {
        page->texts.count = block->text.start;
        page->link_texts.count = block->link_text.start;
        page->full = 1;
    } else if (block->text.size > 0) {
        block->node = walk->container;
        block->pre_line = walk->pre_line;
        block->start = walk->start;
        block->end = count_of(page->elements.count);
        block->marked = -1;
        if (walk->marks.count > 0) TRY(note_marks(walk, block));
        page->blocks.count++;
    }
    if (walk->pre_line > 0) walk->pre_line++;
    walk->runs++;
    forget_run(walk);
    walk->link_end = walk->word_end = walk->gap = -1;
    return OK;
}

static int end_run(Walk *walk) { return walk->pieces > 0 ? end_block(walk) : OK; }

/* Attributes. */

xmlAttr *first_attribute(const xmlNode *node, const char *name) {
    xmlAttr *attribute;
    for (attribute = node->properties; attribute != NULL; attribute = attribute->next) {
        if (attribute->type == XML_ATTRIBUTE_NODE && attribute->ns == NULL) {
            if (strcmp((const char *)attribute->name, name) == 0) return attribute;
        }
    }
    return NULL;
}

/* Append the value of an attribute to these texts. */
int value_of(void *context, xmlNode *node, xmlAttr *attribute, Text *values, Span *span) {
    const xmlNode *text = attribute->children;
    span->start = values->count;
    if (text == NULL) {
        span->size = 0;
        return OK;
    }
    if (text->next == NULL && text->type == XML_TEXT_NODE && text->content != NULL) {
        TRY(append(values, (const char *)text->content, strlen((const char *)text->content)));
    } else {
        TRY(python.attribute_value(context, node, attribute, values));
    }
    span->size = values->count - span->start;
    return check_text(values->at + span->start, span->size);
}

static int is_too_long(const Walk *walk, Span value) {
    if (value.size <= LONGEST_VALUE) return 0;
    return value.size > LONGEST * LONGEST_VALUE ||
           characters_in(walk->page->values.at + value.start, value.size) > LONGEST_VALUE;
}

/* The value of the first attribute of this name; whether there is one with a value. */
static int first_value(Walk *walk, xmlNode *node, const char *name, Span *value, int *found) {
    xmlAttr *attribute = first_attribute(node, name);
    *found = 0;
    if (attribute == NULL) return OK;
    TRY(value_of(walk->options->context, node, attribute, &walk->page->values, value));
    *found = value->size > 0;
    return OK;
}

static int begins_with(const char *text, size_t size, const char *part) {
    size_t length = strlen(part);
    return size >= length && memcmp(text, part, length) == 0;
}

/* Whether an address can be fetched and has a usual length; mirrors `is_address()` in `segment/markup.py`. */
static int check_address(const Walk *walk, Span value, int *is_address) {
    static const char *const not_fetched[] = {"data:", "javascript:", "about:", "blob:"};
    const char *text = walk->page->values.at + value.start;
    size_t size = value.size, number;
    char beginning[12];
    *is_address = 0;
    if (is_too_long(walk, value)) return OK;
    *is_address = 1;
    if (begins_with(text, size, "/") || begins_with(text, size, "http") || begins_with(text, size, "#")) return OK;
    while (size > 0) {
        Read read;
        TRY(read_character(text, size, &read));
        if (!(read.character->classes & SPACE)) break;
        text += read.size;
        size -= read.size;
    }
    size = size < sizeof beginning ? size : sizeof beginning;
    for (number = 0; number < size; number++) {
        beginning[number] = (char)(text[number] >= 'A' && text[number] <= 'Z' ? text[number] + 32 : text[number]);
    }
    for (number = 0; number < sizeof not_fetched / sizeof *not_fetched; number++) {
        if (begins_with(beginning, size, not_fetched[number])) *is_address = 0;
    }
    return OK;
}

static int read_address(Walk *walk, xmlNode *node, const char *name, Span *value, int *found) {
    TRY(first_value(walk, node, name, value, found));
    if (*found) TRY(check_address(walk, *value, found));
    return OK;
}

static int note_value(Walk *walk, int known, Number element, Span value) {
    Page *page = walk->page;
    Value noted = {element, known, value};
    if (known_attributes[known].use == LAYOUT) {
        if (is_too_long(walk, value)) return OK;
        TRY(RESERVE(page->layout, 1));
        page->layout.at[page->layout.count++] = noted;
        return OK;
    }
    TRY(RESERVE(page->attributes, 1));
    page->attributes.at[page->attributes.count++] = noted;
    return OK;
}

static int add_name(Walk *walk, xmlNode *node, xmlAttr *attribute, Span *names) {
    Text *values = &walk->page->values;
    Span value;
    if (names->size > 0) TRY(append(values, " ", 1));
    TRY(value_of(walk->options->context, node, attribute, values, &value));
    if (names->size == 0) names->start = value.start;
    names->size = values->count - names->start;
    return OK;
}

static int number_of_attribute(Walk *walk, const xmlAttr *attribute) {
    KnownName *known = &walk->attributes[slot(attribute->name)];
    if (known->name != attribute->name) {
        known->name = attribute->name;
        known->number = find_known_attribute((const char *)attribute->name);
    }
    return known->number;
}

/* Note the marking attributes and the layout of an element, and its class and id. */
static int read_attributes(Walk *walk, xmlNode *node, Number element, Span *names, uint64_t *marks) {
    xmlAttr *attribute;
    int seen = 0, pass;
    /* Class and id first: their values have to stand side by side. */
    for (pass = 0; pass < 2; pass++) {
        for (attribute = node->properties; attribute != NULL; attribute = attribute->next) {
            const KnownAttribute *known;
            Span value;
            uint64_t found;
            int number;
            if (attribute->type != XML_ATTRIBUTE_NODE || attribute->ns != NULL) continue;
            number = number_of_attribute(walk, attribute);
            if (number < 0) continue;
            known = &known_attributes[number];
            if (seen & known->bit || (known->use <= ID_BIT) != (pass == 0)) continue; /* once more in broken XML */
            seen |= known->bit;
            if (pass == 0) {
                TRY(add_name(walk, node, attribute, names));
                continue;
            }
            TRY(value_of(walk->options->context, node, attribute, &walk->page->values, &value));
            TRY(note_value(walk, number, element, value));
            if (known->use != MARKING) continue;
            TRY(mark_of(known->name, walk->page->values.at + value.start, value.size, &walk->scratch, &found));
            *marks |= found;
        }
    }
    return OK;
}

/* Inline markup. */

static int read_formula(Walk *walk, xmlNode *node) {
    Page *page = walk->page;
    Formula formula = {walk->innermost, count_of(page->blocks.count), 0, {page->values.count, 0}};
    TRY(python.read_formula(walk->options->context, node, &page->values, &formula.display));
    formula.latex.size = page->values.count - formula.latex.start;
    if (formula.latex.size == 0) return OK;
    TRY(mark(walk, FORMULA_MARK, count_of(page->formulas.count)));
    TRY(RESERVE(page->formulas, 1));
    page->formulas.at[page->formulas.count++] = formula;
    return OK;
}

static int read_image(Walk *walk, xmlNode *node) {
    static const char *const sources[] = {"src", "data-src", "data-original", "data-lazy-src"};
    Page *page = walk->page;
    Image image = {walk->innermost, count_of(page->blocks.count), {0, 0}, {0, 0}};
    Span text = {0, 0};
    size_t number;
    int found = 0, has_text;
    TRY(mark(walk, IMAGE_MARK, count_of(page->images.count)));
    /* A script may have the address of an image that is not in sight. */
    for (number = 0; number < sizeof sources / sizeof *sources && !found; number++) {
        TRY(read_address(walk, node, sources[number], &image.source, &found));
    }
    if (!found) image.source.size = 0;
    TRY(first_value(walk, node, "alt", &text, &has_text));
    if (has_text && !is_too_long(walk, text)) image.text = text;
    TRY(RESERVE(page->images, 1));
    page->images.at[page->images.count++] = image;
    return has_text && walk->options->image_alt ? read_piece(walk, page->values.at + text.start, text.size) : OK;
}

static int add_value(Page *page, int layout, Number element, Number number, Span value) {
    Value noted = {element, number, value};
    if (layout) {
        TRY(RESERVE(page->layout, 1));
        page->layout.at[page->layout.count++] = noted;
        return OK;
    }
    TRY(RESERVE(page->hrefs, 1));
    page->hrefs.at[page->hrefs.count++] = noted;
    return OK;
}

/* Whether a script draws a formula in a <span>. */
static int check_box(Walk *walk, xmlNode *node, int *is_box) {
    static const char *const classes[] = {"katex", "MathJax", "mwe-math-element"};
    Text *values = &walk->page->values;
    size_t number;
    Span value;
    int found;
    *is_box = 0;
    TRY(first_value(walk, node, "class", &value, &found));
    if (!found) return OK;
    for (number = 0; number < sizeof classes / sizeof *classes; number++) {
        if (begins_with(values->at + value.start, value.size, classes[number])) *is_box = 1;
    }
    values->count = value.start;
    return OK;
}

/* Keep the attributes of an inline element that a renderer needs; whether its extent is to be noted. */
static int note_inline(Walk *walk, xmlNode *node, int notes, int *marked) {
    Page *page = walk->page;
    Span value;
    int found;
    *marked = 1;
    if (notes == HYPERLINK) {
        TRY(read_address(walk, node, "href", &value, &found));
        if (found) TRY(add_value(page, 0, walk->innermost, 0, value));
    } else if (notes == MATH) {
        TRY(read_formula(walk, node));
    } else if (notes == CODE) {
        TRY(first_value(walk, node, "class", &value, &found));
        if (found && !is_too_long(walk, value))
            TRY(add_value(page, 1, walk->innermost, find_known_attribute("class"), value));
    } else if (notes == SPAN) {
        TRY(check_box(walk, node, marked));
        if (!*marked) return OK;
        TRY(RESERVE(page->formula_boxes, 1));
        page->formula_boxes.at[page->formula_boxes.count++] = walk->innermost;
    } else {
        *marked = notes == MARKED;
    }
    return OK;
}

/* Line breaks and buttons. */

static int read_break(Walk *walk) {
    int blank = 0;
    if (walk->pre_line > 0) return read_lines(walk, "\n", 1);
    if (walk->line_break >= 0) {
        size_t start = (size_t)walk->line_break;
        TRY(is_blank(walk->run.at + start, walk->run.count - start, &blank));
        if (blank) return end_block(walk);
    }
    if (walk->pieces == 0) return OK;
    walk->line_break = (int64_t)walk->run.count;
    TRY(mark(walk, LINE_BREAK, 0));
    return read_piece(walk, " ", 1);
}

static int begin_button(Walk *walk) {
    Button *button;
    int blank;
    TRY(is_blank(walk->run.at + walk->known, walk->run.count - walk->known, &blank));
    walk->visible = walk->visible || !blank;
    walk->known = walk->run.count;
    TRY(RESERVE(walk->buttons, 1));
    button = &walk->buttons.at[walk->buttons.count++];
    button->blocks = walk->page->blocks.count;
    button->visible = walk->visible;
    button->runs = walk->runs;
    button->pieces = walk->pieces;
    button->run = walk->run.count;
    button->link_run = walk->link_run.count;
    button->marks = walk->marks.count;
    button->images = walk->page->images.count;
    button->formulas = walk->page->formulas.count;
    return OK;
}

/* Images and formulas in a label, which no block holds. */
static void drop_images(Page *page, const Button *button) {
    size_t number;
    for (number = button->images; number < page->images.count; number++)
        page->images.at[number].block = -1;
    for (number = button->formulas; number < page->formulas.count; number++)
        page->formulas.at[number].block = -1;
}

static void drop_last_block(Page *page) {
    const Block *block = &page->blocks.at[--page->blocks.count];
    page->texts.count = block->text.start;
    page->link_texts.count = block->link_text.start;
    if (block->marked < 0) return;
    page->marked.count--;
    page->marks.count = page->marked.at[page->marked.count].first_mark;
    page->runs.count = page->marked.at[page->marked.count].run.start;
}

/* Take back what was read in a button. */
static int drop_label(Walk *walk) {
    Button before = walk->buttons.at[--walk->buttons.count];
    size_t blocks = walk->page->blocks.count - before.blocks;
    walk->link_end = walk->word_end = walk->gap = -1;
    if (blocks == 0 || blocks == (size_t)before.visible + 1) drop_images(walk->page, &before);
    if (blocks == 0) {
        if (walk->runs > before.runs) {
            before.pieces = 0;
            before.run = before.link_run = before.marks = 0;
            before.visible = 0;
        }
        walk->known = before.run;
        walk->visible = before.visible;
        walk->pieces = before.pieces;
        walk->run.count = before.run;
        walk->link_run.count = before.link_run;
        walk->marks.count = before.marks;
        TRY(add_space(walk));
        if (walk->line_break >= (int64_t)before.run) walk->line_break = -1;
    } else if (blocks == (size_t)before.visible + 1) {
        forget_run(walk);
        drop_last_block(walk->page);
    }
    return OK;
}

/* Elements. */

static int is_plain_name(const char *name) {
    for (; *name != '\0'; name++) {
        if (*name <= ' ' || *name > '~' || *name == '{') return 0;
    }
    return 1;
}

/* The number of a tag among those of the page. */
static int number_tag(Walk *walk, const char *name, size_t size, int effect, Number *number) {
    Page *page = walk->page;
    uint64_t hash = hash_of(name, size);
    Entry *entry = entry_of(&page->tag_numbers, hash);
    const Tag *known;
    Tag *tag;
    size_t other;
    if (entry->number >= 0) {
        *number = entry->number;
        return OK;
    }
    TRY(RESERVE(page->tags, 1));
    tag = &page->tags.at[page->tags.count];
    memset(tag, 0, sizeof *tag);
    tag->own = OWN_TAGS - 1;
    tag->mix = -1;
    known = known_tag(hash);
    if (known != NULL) *tag = *known;
    tag->hash = hash;
    tag->effect = (int16_t)effect;
    tag->name.start = page->values.count;
    tag->name.size = size;
    TRY(append(&page->values, name, size));
    entry->key = hash;
    entry->number = *number = count_of(page->tags.count++);
    if (page->tags.count * 2 <= page->tag_numbers.mask) return OK;
    TRY(clear_map(&page->tag_numbers, 2 * page->tags.count));
    for (other = 0; other < page->tags.count; other++) {
        entry = entry_of(&page->tag_numbers, page->tags.at[other].hash);
        entry->key = page->tags.at[other].hash;
        entry->number = count_of(other);
    }
    return OK;
}

static int find_tag(Walk *walk, xmlNode *node, Number *number) {
    const char *name = (const char *)node->name;
    const Tag *known;
    int effect;
    walk->scratch.count = 0;
    if (node->ns == NULL && is_plain_name(name)) {
        size_t size = strlen(name);
        known = known_tag(hash_of(name, size));
        effect = known != NULL ? known->effect : memchr(name, ':', size) != NULL ? INLINE : BLOCK;
        return number_tag(walk, name, size, effect, number);
    }
    TRY(python.name_tag(walk->options->context, node, &walk->scratch, &effect));
    return number_tag(walk, walk->scratch.at, walk->scratch.count, effect, number);
}

static int find_number_of_tag(Walk *walk, xmlNode *node, Number *number) {
    const xmlChar *space = node->ns != NULL ? node->ns->href : NULL;
    KnownName *known = &walk->tags[slot(node->name)];
    if (known->name != node->name || known->space != space) {
        TRY(find_tag(walk, node, &known->number));
        known->name = node->name;
        known->space = space;
    }
    *number = known->number;
    return OK;
}

static int is_skipped(const WalkOptions *options, const xmlNode *node) {
    size_t low = 0, high = options->skips;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (options->skipped[middle] == node) return 1;
        if ((uintptr_t)options->skipped[middle] < (uintptr_t)node) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return 0;
}

static int add_element(Walk *walk, Number tag, Number parent, Span names, uint64_t marks) {
    Page *page = walk->page;
    Element *element;
    TRY(RESERVE(page->elements, 1));
    element = &page->elements.at[page->elements.count++];
    element->tag = element->seen_tag = tag;
    element->parent = parent;
    element->names = names;
    element->marks = marks;
    return OK;
}

static int add_control(Walk *walk, Number element) {
    TRY(RESERVE(walk->page->controls, 1));
    walk->page->controls.at[walk->page->controls.count++] = element;
    return OK;
}

static int push(Walk *walk, xmlNode *node, int effect, int marked, Number parent, Number container, Number line) {
    Frame frame = {node, effect, marked, parent, container, line};
    TRY(RESERVE(walk->frames, 1));
    walk->frames.at[walk->frames.count++] = frame;
    return OK;
}

/* An element of which only the text behind it is left to read. */
static int pass_over(Walk *walk, xmlNode *node, int effect, Number tag, Number parent) {
    Span none = {0, 0};
    int notes = tag >= 0 ? walk->page->tags.at[tag].notes : PLAIN;
    if (effect == BREAK) return read_break(walk);
    if (effect == CONTROL) return add_control(walk, walk->innermost);
    if (effect == IMAGE) {
        TRY(read_image(walk, node));
        return parent < 0 ? add_element(walk, tag, parent, none, 0) : OK;
    }
    if (notes == ANNOTATION || (notes == SCRIPT && first_attribute(node, "type") != NULL))
        return read_formula(walk, node);
    return OK;
}

static int opens_something(const xmlNode *button) {
    return first_attribute(button, "aria-expanded") != NULL || first_attribute(button, "aria-controls") != NULL;
}

/* What the beginning of an element does to the run of text. */
static int begin(Walk *walk, xmlNode *node, int effect, Number parent, int skipped, Span *names, uint64_t *marks) {
    Number element = count_of(walk->page->elements.count);
    if (effect == LINK) {
        if (walk->link_end == walk->pieces && walk->pre_line == 0) TRY(add_space(walk));
        walk->links++;
    } else if (effect == BUTTON) {
        TRY(begin_button(walk));
        TRY(add_control(walk, parent > 0 ? parent : 0));
    } else if (effect == INLINE) {
        walk->word_end = -1;
    } else if (effect <= WORD) {
        if (walk->word_end == walk->pieces) {
            walk->gap = walk->word_end;
            walk->gap_effect = effect < walk->ended ? effect : walk->ended;
        }
    } else {
        TRY(end_run(walk));
        walk->container = element;
        if (effect == PREFORMATTED) walk->pre_line = 1;
        if (node->properties != NULL && !skipped) TRY(read_attributes(walk, node, element, names, marks));
    }
    return OK;
}

/* What its end does. */
static int end(Walk *walk, int effect, Number outer_container, Number outer_line) {
    if (effect == LINK) {
        walk->links--;
        walk->link_end = walk->pieces;
        return append(&walk->link_run, " ", 1);
    }
    if (effect == BUTTON) return drop_label(walk);
    if (effect == PHRASE || effect == WORD) {
        walk->word_end = walk->pieces;
        walk->ended = effect;
        walk->gap = -1;
    } else if (effect != INLINE) {
        TRY(end_run(walk));
        walk->container = outer_container;
        if (effect == PREFORMATTED) walk->pre_line = outer_line;
    }
    return OK;
}

static int walk_tree(Walk *walk, xmlNode *node) {
    Page *page = walk->page;
    Number parent = -1;
    for (;;) {
        Number outer_container = walk->container, outer_line = walk->pre_line, tag = -1;
        int effect = DROPPED, marked = 0, skipped = 0;
        xmlNode *next = NULL;
        if (node->type == XML_ELEMENT_NODE) {
            TRY(find_number_of_tag(walk, node, &tag));
            effect = page->tags.at[tag].effect;
            skipped = is_skipped(walk->options, node);
            if (skipped && effect < BREAK) effect = effect >= BLOCK ? BLOCK : INLINE; /* as if it were empty */
        }
        if (effect >= BREAK) {
            walk->innermost = parent > 0 ? parent : 0;
            if (!skipped) TRY(pass_over(walk, node, effect, tag, parent));
            effect = INLINE;
        } else if (page->full || page->elements.count == walk->options->most_elements) {
            page->full = 1;
            return end_run(walk);
        } else {
            Span names = {0, 0};
            uint64_t marks = 0;
            walk->innermost = count_of(page->elements.count);
            if (effect == BUTTON && opens_something(node)) effect = BLOCK;
            TRY(begin(walk, node, effect, parent, skipped, &names, &marks));
            if (page->tags.at[tag].notes != PLAIN && !skipped) TRY(note_inline(walk, node, page->tags.at[tag].notes, &marked));
            if (marked) TRY(mark(walk, START, walk->innermost));
            if (!skipped) TRY(read_texts(walk, node->children, &next));
            TRY(add_element(walk, tag, parent, names, marks));
            if (next != NULL) {
                TRY(push(walk, node, effect, marked, parent, outer_container, outer_line));
                parent = walk->innermost;
                node = next;
                continue;
            }
        }
        for (;;) { /* it ends here, and so do those around it whose last child it is */
            Frame frame;
            if (marked) TRY(mark(walk, END, walk->innermost));
            walk->innermost = parent > 0 ? parent : 0;
            TRY(end(walk, effect, outer_container, outer_line));
            if (walk->frames.count == 0) return end_run(walk);
            TRY(read_texts(walk, node->next, &next));
            if (next != NULL) break;
            frame = walk->frames.at[--walk->frames.count];
            walk->innermost = parent;
            node = frame.node;
            effect = frame.effect;
            marked = frame.marked;
            parent = frame.parent;
            outer_container = frame.container;
            outer_line = frame.line;
        }
        node = next;
    }
}

int walk(Page *page, xmlNode *root, const WalkOptions *options) {
    Walk *walk = core_realloc(NULL, sizeof *walk);
    int status;
    if (walk == NULL) return NO_MEMORY;
    memset(walk, 0, sizeof *walk);
    walk->page = page;
    walk->options = options;
    walk->link_end = walk->word_end = walk->gap = walk->line_break = -1;
    clear_page(page);
    status = clear_map(&page->tag_numbers, 64);
    if (status == OK) status = walk_tree(walk, root);
    FREE(walk->run), FREE(walk->link_run), FREE(walk->marks), FREE(walk->frames), FREE(walk->buttons);
    FREE(walk->scratch);
    free(walk);
    return status;
}
