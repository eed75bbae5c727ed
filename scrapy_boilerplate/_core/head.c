/* The facts in the head, as `segment/head.py` reads them: title, description, type, addresses, linked data. */

#include "core.h"

enum { MOST_LINKED_DATA = 50000 * 4 }; /* bytes; Python cuts it to characters */

static const struct {
    const char *name;
    int fact;
} meta_names[] = {
    {"description", FACT_DESCRIPTION}, {"og:description", FACT_DESCRIPTION},       {"og:type", FACT_TYPE},
    {"og:url", FACT_ADDRESS},          {"article:published_time", FACT_PUBLISHED},
};

static int is_named(const xmlNode *node, const char *name) { return strcmp((const char *)node->name, name) == 0; }

static xmlNode *root_of(const xmlNode *node) {
    xmlNode *child = node->doc != NULL ? node->doc->children : NULL;
    while (child != NULL && child->type != XML_ELEMENT_NODE)
        child = child->next;
    return child;
}

/* Append the texts in an element, with references to entities as they stand there. */
static int append_texts(Text *text, xmlNode *element) {
    xmlNode *node;
    for (node = element; node != NULL; node = next_node(element, node, 0)) {
        if (is_text(node)) {
            if (node->content == NULL) continue;
            TRY(append(text, (const char *)node->content, strlen((const char *)node->content)));
        } else if (node->type == XML_ENTITY_REF_NODE) {
            TRY(append(text, "&", 1));
            TRY(append(text, (const char *)node->name, strlen((const char *)node->name)));
            TRY(append(text, ";", 1));
        }
    }
    return check_text(text->at, text->count);
}

static int is_in_drawing(const xmlNode *node) {
    for (; node != NULL && node->type == XML_ELEMENT_NODE; node = node->parent) {
        if (is_named(node, "svg")) return 1;
    }
    return 0;
}

/* The text of the first title of the whole tree that is not that of a drawing. */
static int read_title(Head *head, const xmlNode *node) {
    xmlNode *root = root_of(node), *title;
    size_t start = head->values.count;
    head->has_title = 1;
    for (title = root; title != NULL; title = next_node(root, title, 0)) {
        if (title->type == XML_ELEMENT_NODE && is_named(title, "title") && !is_in_drawing(title)) {
            TRY(append_texts(&head->values, title));
            break;
        }
    }
    head->title.start = start;
    head->title.size = head->values.count - start;
    return OK;
}

static int read_value(Head *head, void *context, xmlNode *node, const char *name, Span *value) {
    xmlAttr *attribute = first_attribute(node, name);
    value->size = 0;
    return attribute == NULL ? OK : value_of(context, node, attribute, &head->values, value);
}

static int keep_fact(Head *head, int fact, Span value) {
    if (value.size == 0 || head->found[fact]) return OK;
    head->found[fact] = 1;
    head->facts[fact] = value;
    return OK;
}

static int fact_of(const Head *head, Span name) {
    char lower[32];
    size_t number;
    if (name.size >= sizeof lower) return -1;
    for (number = 0; number < name.size; number++) {
        char letter = head->values.at[name.start + number];
        lower[number] = (char)(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    }
    lower[name.size] = '\0';
    for (number = 0; number < sizeof meta_names / sizeof *meta_names; number++) {
        if (strcmp(lower, meta_names[number].name) == 0) return meta_names[number].fact;
    }
    return -1;
}

static int read_meta(Head *head, void *context, xmlNode *node) {
    Span name, value;
    int fact;
    TRY(read_value(head, context, node, "property", &name));
    if (name.size == 0) TRY(read_value(head, context, node, "name", &name));
    fact = fact_of(head, name);
    if (fact < 0) return OK;
    TRY(read_value(head, context, node, "content", &value));
    return keep_fact(head, fact, value);
}

static int is_value(const Head *head, Span value, const char *wanted) {
    return value.size == strlen(wanted) && memcmp(head->values.at + value.start, wanted, value.size) == 0;
}

static int read_link(Head *head, void *context, xmlNode *node) {
    Span value;
    TRY(read_value(head, context, node, "rel", &value));
    if (value.size == 0 || !is_value(head, value, "canonical")) return OK;
    TRY(read_value(head, context, node, "href", &value));
    return keep_fact(head, FACT_ADDRESS, value);
}

static int read_script(Head *head, void *context, xmlNode *node) {
    Span value, text = {0, 0};
    const xmlNode *child;
    TRY(read_value(head, context, node, "type", &value));
    if (value.size == 0 || !is_value(head, value, "application/ld+json")) return OK;
    text.start = head->values.count;
    for (child = node->children; child != NULL; child = child->next) {
        if (is_text(child)) {
            if (child->content == NULL) continue;
            TRY(append(&head->values, (const char *)child->content, strlen((const char *)child->content)));
        } else if (child->type != XML_XINCLUDE_START && child->type != XML_XINCLUDE_END) {
            break;
        }
    }
    text.size = head->values.count - text.start;
    TRY(check_text(head->values.at + text.start, text.size));
    if (text.size > MOST_LINKED_DATA) { /* cut between two characters */
        text.size = MOST_LINKED_DATA;
        while ((head->values.at[text.start + text.size] & 0xC0) == 0x80)
            text.size--;
    }
    TRY(RESERVE(head->linked_data, 1));
    head->linked_data.at[head->linked_data.count++] = text;
    return OK;
}

/* CleanEval wraps pages in <text id="URL">. */
static int read_wrapper(Head *head, void *context, const xmlNode *root) {
    xmlNode *body = root->children, *first;
    while (body != NULL && !(body->type == XML_ELEMENT_NODE && body->ns == NULL && is_named(body, "body"))) {
        body = body->next;
    }
    first = body != NULL ? body->children : NULL;
    while (first != NULL && first->type != XML_ELEMENT_NODE)
        first = first->next;
    if (first == NULL || first->ns != NULL || !is_named(first, "text")) return OK;
    return read_value(head, context, first, "id", &head->wrapper_url);
}

static int read_element(Head *head, void *context, xmlNode *node, int *matches) {
    Span value;
    const char *name = (const char *)node->name;
    if (strcmp(name, "title") == 0) {
        ++*matches;
        return head->has_title ? OK : read_title(head, node);
    }
    if (node->ns != NULL || name[0] == '\0' || strchr("mlsb", name[0]) == NULL) return OK;
    if (strcmp(name, "meta") == 0) {
        ++*matches;
        return read_meta(head, context, node);
    }
    if (strcmp(name, "link") == 0) {
        ++*matches;
        return read_link(head, context, node);
    }
    if (strcmp(name, "script") == 0) {
        ++*matches;
        return read_script(head, context, node);
    }
    if (strcmp(name, "base") == 0) {
        ++*matches;
        TRY(read_value(head, context, node, "href", &value));
        return keep_fact(head, FACT_BASE, value);
    }
    return OK;
}

static int has_parent(const xmlNode *node) { return node->parent != NULL && node->parent->type == XML_ELEMENT_NODE; }

/* Read what a page declares about itself, wherever in the page it stands. */
int read_head(Head *head, xmlNode *root, void *context) {
    xmlNode *node;
    int matches = 0;
    head->values.count = head->linked_data.count = 0;
    head->has_title = 0;
    head->title.size = head->wrapper_url.size = 0;
    memset(head->facts, 0, sizeof head->facts);
    memset(head->found, 0, sizeof head->found);
    if (has_parent(root)) TRY(read_title(head, root));
    for (node = root; node != NULL && matches < MOST_MATCHES; node = next_node(root, node, 0)) {
        if (node->type == XML_ELEMENT_NODE) TRY(read_element(head, context, node, &matches));
    }
    return read_wrapper(head, context, root);
}

void free_head(Head *head) { FREE(head->values), FREE(head->linked_data); }
