# cython: language_level=3, boundscheck=False, wraparound=False
"""The walk of `walk.py` in C, on libxml2's own nodes: the same blocks without a Python object for each element.

Rule by rule it does what `walk.py` does, where the reasons are; `tests/test_walk.py` holds the two together. Text is
gathered as UTF-8, and becomes a `str` when its block ends.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcpy, memmove, strlen
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport (
    XML_ATTRIBUTE_NODE,
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlChar,
    xmlNode,
)

from . import limits, tags
from .walk import is_blank

cetree.import_lxml__etree()

cdef int INLINE = tags.INLINE, BLOCK = tags.BLOCK, LINK = tags.LINK, PREFORMATTED = tags.PREFORMATTED
cdef int PHRASE = tags.PHRASE, WORD = tags.WORD
cdef Py_ssize_t MOST_BLOCKS = limits.MOST_BLOCKS, MOST_ELEMENTS = limits.MOST_ELEMENTS
cdef int BUTTON = tags.BUTTON, BREAK = tags.BREAK, IMAGE = tags.IMAGE, CONTROL = tags.CONTROL, DROPPED = tags.DROPPED

# The attributes that are read; an element's set of them is a bit for each.
cdef tuple ATTRIBUTES = ("class", "id", *sorted(tags.MARKING_ATTRIBUTES))

cdef enum:
    OTHER = 0
    NAMING = 0b11  # class and id

cdef enum:
    KNOWN = 256  # names that are remembered at a time, a power of two
    LONGEST = 4  # bytes of a character in UTF-8


cdef struct Text:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct Frame:  # what to go on with behind an element
    xmlNode* node
    int kind
    Py_ssize_t parent
    Py_ssize_t container
    Py_ssize_t line


cdef struct Name:  # of a tag or an attribute, which libxml2 keeps in one place however often it occurs
    const xmlChar* address
    int kind
    void* name  # a str that `Walk.names` holds


cdef class Walk:
    cdef Text run, link_run  # the run of text that is being read, and what of it is inside links
    cdef Text tidy  # room for a run with its white space made even
    cdef Py_ssize_t pieces, runs, container, elements, links, link_end, line_break, pre_line  # as in walk.py
    cdef Py_ssize_t word_end, gap
    cdef int ended, gap_kind
    cdef Frame* frames
    cdef Py_ssize_t depth, frames_room
    cdef Name known_tags[KNOWN], known_attributes[KNOWN]
    cdef list names, buttons, line_breaks
    cdef Py_ssize_t known
    cdef bint visible, full
    cdef bint image_alt
    cdef cetree._Document document
    # The page's.
    cdef list texts, link_texts, block_nodes, pre_lines, block_ends, tags, parents, classes
    cdef list attributes, images, controls
    cdef set namespaces
    cdef dict page_line_breaks

    def __cinit__(self, page, cetree._Element root, bint image_alt):
        self.texts, self.link_texts = page.texts, page.link_texts
        self.block_nodes, self.block_ends, self.pre_lines = page.block_nodes, page.block_ends, page.pre_lines
        self.tags, self.parents, self.classes = page.tags, page.parents, page.classes
        self.attributes, self.images, self.controls = page.attributes, page.images, page.controls
        self.namespaces = page.namespaces
        self.document, self.image_alt = root._doc, image_alt
        self.page_line_breaks = page.line_breaks
        self.names, self.buttons, self.line_breaks = [], [], []
        self.link_end = self.word_end = self.gap = self.line_break = -1

    def __dealloc__(self):
        PyMem_Free(self.run.data)
        PyMem_Free(self.link_run.data)
        PyMem_Free(self.tidy.data)
        PyMem_Free(self.frames)

    cdef int walk(self, xmlNode* node) except -1:
        cdef xmlNode* next_node
        cdef Name* tag = NULL
        cdef Frame* frame
        cdef str names
        cdef int kind
        cdef Py_ssize_t parent = -1, outer_container, outer_line
        while True:
            # An element begins here.
            outer_container, outer_line = self.container, self.pre_line
            kind = DROPPED  # a comment, for example
            if node.type == XML_ELEMENT_NODE:
                tag = self.known_tag(node)
                kind = tag.kind
            if kind >= BREAK:
                if kind == BREAK:
                    self.read_break()
                elif kind == IMAGE:
                    self.images.append(max(parent, 0))
                    if self.image_alt:
                        self.read_alternative_text(node)
                    if parent < 0:
                        self.tags.append(<object>tag.name)
                        self.parents.append(parent)
                        self.classes.append("")
                        self.elements += 1
                elif kind == CONTROL:
                    self.controls.append(max(parent, 0))
                kind = INLINE
            elif self.full or self.elements == MOST_ELEMENTS:
                self.full = True
                if self.pieces:
                    self.end_block()
                return 0
            else:
                names = ""
                if kind == BUTTON and tags.opens_something(cetree.elementFactory(self.document, node)):
                    kind = BLOCK
                if kind == LINK:
                    if self.link_end == self.pieces and not self.pre_line:
                        self.add_space()
                    self.links += 1
                elif kind == BUTTON:
                    self.begin_button()
                    self.controls.append(max(parent, 0))
                elif kind == INLINE:
                    self.word_end = -1
                elif kind <= WORD:
                    if self.word_end == self.pieces:
                        self.gap, self.gap_kind = self.word_end, min(kind, self.ended)
                else:
                    if self.pieces:
                        self.end_block()
                    self.container = self.elements
                    if kind == PREFORMATTED:
                        self.pre_line = 1
                    if node.properties is not NULL:
                        names = self.read_attributes(node)
                next_node = self.read_texts(node.children)
                self.tags.append(<object>tag.name)
                self.parents.append(parent)
                self.classes.append(names)
                self.elements += 1
                if next_node is not NULL:
                    self.push(Frame(node, kind, parent, outer_container, outer_line))
                    parent = self.elements - 1
                    node = next_node
                    continue
            while True:
                # It ends here, and so do those around it whose last child it is.
                if kind == LINK:
                    self.links -= 1
                    self.link_end = self.pieces
                    append(&self.link_run, " ", 1)
                elif kind == BUTTON:
                    self.drop_label()
                elif kind == PHRASE or kind == WORD:
                    self.word_end, self.ended, self.gap = self.pieces, kind, -1
                elif kind != INLINE:
                    if self.pieces:
                        self.end_block()
                    self.container = outer_container
                    if kind == PREFORMATTED:
                        self.pre_line = outer_line
                if not self.depth:
                    if self.pieces:
                        self.end_block()
                    return 0
                next_node = self.read_texts(node.next)
                if next_node is not NULL:
                    node = next_node
                    break
                self.depth -= 1
                frame = &self.frames[self.depth]
                node, kind, parent = frame.node, frame.kind, frame.parent
                outer_container, outer_line = frame.container, frame.line

    cdef xmlNode* read_texts(self, xmlNode* node) except? NULL:
        """Take up the text from a node on; return the next element, comment or the like behind it."""
        cdef Py_ssize_t start = self.run.size
        while node is not NULL:
            if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
                if node.content is not NULL:
                    append(&self.run, <const char*>node.content, strlen(<const char*>node.content))
            elif node.type != XML_XINCLUDE_START and node.type != XML_XINCLUDE_END:
                break
            node = node.next
        if self.run.size > start:
            if self.pre_line:
                lines = self.run.data[start : self.run.size]
                self.run.size = start
                self.read_lines(lines)
            elif not self.pieces and is_white(self.run.data + start, self.run.size - start):
                self.run.size = start
            else:
                if self.gap == self.pieces and self.pieces and self.is_gap(start):
                    start = self.set_apart(start)
                self.pieces += 1
                if self.links:
                    append(&self.link_run, self.run.data + start, self.run.size - start)
        while node is not NULL and not cetree._isElement(node):
            node = node.next
        return node

    cdef bint is_gap(self, Py_ssize_t start) except -1:
        """Whether a blank is missing before what was read from there on."""
        before = self.run.data[max(start - LONGEST, 0) : start].decode("utf-8", "ignore")
        after = self.run.data[start : min(start + LONGEST, self.run.size)].decode("utf-8", "ignore")
        return tags.is_gap(before, after, self.gap_kind)

    cdef Py_ssize_t set_apart(self, Py_ssize_t start) except -1:
        """Put a blank there; return where the text behind it starts."""
        self.add_space()
        memmove(self.run.data + start + 1, self.run.data + start, self.run.size - start - 1)
        self.run.data[start] = c" "
        if self.links:
            append(&self.link_run, " ", 1)
        return start + 1

    cdef int read(self, const char* text, Py_ssize_t size) except -1:
        append(&self.run, text, size)
        if self.links:
            append(&self.link_run, text, size)
        self.pieces += 1
        return 0

    cdef int read_lines(self, bytes text) except -1:
        cdef const char* characters = PyBytes_AS_STRING(text)
        cdef Py_ssize_t size = PyBytes_GET_SIZE(text), start = 0, place = 0
        while place < size and not self.full:
            if characters[place] == c"\n" or characters[place] == c"\r":
                self.read(characters + start, place - start)
                if characters[place] == c"\r" and place + 1 < size and characters[place + 1] == c"\n":
                    place += 1
                start = place + 1
                self.end_block()
            place += 1
        return self.read(characters + start, size - start)

    cdef int read_break(self) except -1:
        if self.pre_line:
            self.read_lines(b"\n")
        elif self.line_break >= 0 and is_blank(self.read_since(self.line_break)):
            self.end_block()
        elif self.pieces:
            self.line_break = self.run.size
            self.line_breaks.append(self.line_break)
            self.read(" ", 1)
        return 0

    cdef int read_alternative_text(self, xmlNode* image) except -1:
        text = cetree.attributeValueFromNsName(image, NULL, <const xmlChar*>"alt")
        if text:
            text = text.encode("utf-8")
            self.read(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        return 0

    cdef int add_space(self) except -1:
        append(&self.run, " ", 1)
        self.pieces += 1
        return 0

    cdef str read_since(self, Py_ssize_t start):
        return PyUnicode_DecodeUTF8(self.run.data + start, self.run.size - start, NULL)

    cdef int end_block(self) except -1:
        cdef str text = None, link_text
        if not self.pre_line:
            text = self.tidied()
        elif not self.run.size:  # an empty line, of which there may be millions
            text = ""
        link_text = PyUnicode_DecodeUTF8(self.link_run.data, self.link_run.size, NULL)
        if text is None:
            text = self.read_since(0)
            if self.pre_line:
                text = tags.INVISIBLE.sub("", text).rstrip()
            else:
                text = " ".join(text.split())
                if not text.isprintable():
                    text = " ".join(tags.INVISIBLE.sub("", text).split())
                    link_text = tags.INVISIBLE.sub("", link_text)
        if text and len(self.texts) == MOST_BLOCKS:
            self.full = True
        elif text:
            self.texts.append(text)
            self.link_texts.append(link_text)
            self.block_nodes.append(self.container)
            self.pre_lines.append(self.pre_line)
            self.block_ends.append(self.elements)
            if self.line_breaks:
                self.page_line_breaks[len(self.texts) - 1] = self.line_break_offsets()
        if self.pre_line:
            self.pre_line += 1
        self.runs += 1
        self.run.size = self.link_run.size = self.pieces = self.known = 0
        self.visible = False
        if self.line_breaks:
            self.line_breaks.clear()
        self.link_end = self.word_end = self.gap = self.line_break = -1
        return 0

    cdef list line_break_offsets(self):
        starts = [0, *self.line_breaks]
        ends = [*self.line_breaks, self.run.size]
        return tags.line_break_offsets(
            [self.run.data[start:end].decode("utf-8") for start, end in zip(starts, ends)]
        )

    cdef str tidied(self):
        """The run with single spaces only, or None if it has other characters than those of plain ASCII."""
        cdef Py_ssize_t place, size = 0
        cdef bint space = False
        cdef char character
        cdef char* tidy
        self.tidy.size = 0
        append(&self.tidy, self.run.data, self.run.size)
        tidy = self.tidy.data
        for place in range(self.run.size):
            character = tidy[place]
            if is_space(character):
                space = size > 0
            elif c" " < character <= c"~":
                if space:
                    tidy[size] = c" "
                    size += 1
                    space = False
                tidy[size] = character
                size += 1
            else:
                return None
        return PyUnicode_DecodeUTF8(tidy, size, NULL)

    cdef int begin_button(self) except -1:
        self.visible = self.visible or not is_blank(self.read_since(self.known))
        self.known = self.run.size
        self.buttons.append(
            (len(self.texts), self.visible, self.runs, self.pieces, self.run.size, self.link_run.size)
        )
        return 0

    cdef int drop_label(self) except -1:
        cdef bint text_before
        cdef Py_ssize_t blocks_before, runs_before, pieces_before, size_before, link_size_before
        blocks_before, text_before, runs_before, pieces_before, size_before, link_size_before = self.buttons.pop()
        blocks = len(self.texts) - blocks_before
        self.link_end = self.word_end = self.gap = -1
        if blocks == 0:
            if self.runs > runs_before:
                pieces_before = size_before = link_size_before = 0
                text_before = False
            self.known, self.visible = size_before, text_before
            self.pieces, self.run.size, self.link_run.size = pieces_before, size_before, link_size_before
            self.add_space()
            if self.line_break >= size_before:
                self.line_break = -1
            while self.line_breaks and self.line_breaks[len(self.line_breaks) - 1] >= size_before:  # no index -1 here
                self.line_breaks.pop()
        elif blocks == text_before + 1:
            self.pieces = self.run.size = self.link_run.size = self.known = 0
            self.visible = False
            self.line_break = -1
            self.line_breaks.clear()
            self.page_line_breaks.pop(len(self.texts) - 1, None)
            for values in (self.texts, self.link_texts, self.block_nodes, self.pre_lines, self.block_ends):
                values.pop()
        return 0

    cdef str read_attributes(self, xmlNode* node):
        """Note the marking attributes of an element; return its class and id."""
        cdef xmlAttr* attribute = node.properties
        cdef Name* name
        cdef int seen = OTHER
        cdef str names = "", value
        while attribute is not NULL:
            if attribute.type == XML_ATTRIBUTE_NODE and attribute.ns is NULL:
                name = self.known_attribute(attribute)
                if name.kind & seen:  # once more in broken XML
                    pass
                elif name.kind & NAMING:
                    value = value_of(node, attribute)
                    names = f"{names} {value}" if names else value
                elif name.kind != OTHER:
                    self.attributes.append((self.elements, <object>name.name, value_of(node, attribute)))
                seen |= name.kind
            attribute = attribute.next
        return names

    cdef Name* known_tag(self, xmlNode* node) except NULL:
        cdef Name* known = &self.known_tags[slot(node.name)]
        if known.address is not node.name or node.ns is not NULL:
            kind, name = tags.kind_of(cetree.namespacedName(node), self.namespaces)
            self.names.append(name)
            known.address = node.name if node.ns is NULL else NULL
            known.kind, known.name = kind, <void*>name
        return known

    cdef Name* known_attribute(self, xmlAttr* attribute) except NULL:
        cdef Name* known = &self.known_attributes[slot(attribute.name)]
        if known.address is not attribute.name:
            name = cetree.pyunicode(attribute.name)
            self.names.append(name)
            known.address, known.name = attribute.name, <void*>name
            known.kind = 1 << ATTRIBUTES.index(name) if name in ATTRIBUTES else OTHER
        return known

    cdef int push(self, Frame frame) except -1:
        cdef void* frames
        if self.depth == self.frames_room:
            frames = PyMem_Realloc(self.frames, (2 * self.depth + 64) * sizeof(Frame))
            if frames is NULL:
                raise MemoryError
            self.frames, self.frames_room = <Frame*>frames, 2 * self.depth + 64
        self.frames[self.depth] = frame
        self.depth += 1
        return 0


def walk(cetree._Element root not None, page, bint image_alt):
    """Read every text below `root` in document order; whether there was more than may be read."""
    cdef Walk reader = Walk(page, root, image_alt)
    reader.walk(root._c_node)
    return reader.full


cdef int append(Text* text, const char* more, Py_ssize_t size) except -1:
    cdef void* data
    if not size:  # for which there may be no room at all yet
        return 0
    if text.size + size > text.room:
        data = PyMem_Realloc(text.data, 2 * (text.size + size) + 256)
        if data is NULL:
            raise MemoryError
        text.data, text.room = <char*>data, 2 * (text.size + size) + 256
    memcpy(text.data + text.size, more, size)
    text.size += size
    return 0


cdef str value_of(xmlNode* node, xmlAttr* attribute):
    cdef xmlNode* text = attribute.children
    if text is not NULL and text.next is NULL and text.type == XML_TEXT_NODE and text.content is not NULL:
        return cetree.pyunicode(text.content)
    return cetree.attributeValue(node, attribute)


cdef int is_white(const char* text, Py_ssize_t size) except -1:
    """As str.isspace()."""
    cdef Py_ssize_t place
    for place in range(size):
        if not is_space(text[place]):
            # Some of the characters beyond ASCII are white space.
            return <unsigned char>text[place] > 127 and PyUnicode_DecodeUTF8(text, size, NULL).isspace()
    return True


cdef inline bint is_space(char character) noexcept:
    return character == c" " or 9 <= character <= 13 or 28 <= character <= 31


cdef inline size_t slot(const xmlChar* name) noexcept:
    return (<size_t>name ^ <size_t>name >> 8) & (KNOWN - 1)
