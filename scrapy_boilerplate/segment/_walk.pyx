# cython: language_level=3, boundscheck=False, wraparound=False
"""The walk of `walk.py` in C, on libxml2's own nodes: the same blocks without a Python object for each element.

Rule by rule it does what `walk.py` does, where the reasons are; `tests/core/test_walk.py` holds the two together. Text is
gathered as UTF-8, and becomes a `str` when its block ends.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE
from cpython.mem cimport PyMem_Free, PyMem_Realloc
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memcpy, memmove, strchr, strcmp, strlen
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

from .. import page as pages
from . import limits, markup, tags
from .walk import is_blank

cetree.import_lxml__etree()

cdef int INLINE = tags.INLINE, BLOCK = tags.BLOCK, LINK = tags.LINK, PREFORMATTED = tags.PREFORMATTED
cdef int PHRASE = tags.PHRASE, WORD = tags.WORD
cdef Py_ssize_t MOST_BLOCKS = limits.MOST_BLOCKS, MOST_ELEMENTS = limits.MOST_ELEMENTS
cdef int START = pages.START, END = pages.END, LINE_BREAK = pages.LINE_BREAK
cdef int IMAGE_MARK = pages.IMAGE_MARK, FORMULA_MARK = pages.FORMULA_MARK
cdef Py_ssize_t LONGEST_VALUE = markup.LONGEST_VALUE
cdef int BUTTON = tags.BUTTON, BREAK = tags.BREAK, IMAGE = tags.IMAGE, CONTROL = tags.CONTROL, DROPPED = tags.DROPPED

# The attributes that are read; an element's set of them is a bit for each.
cdef tuple ATTRIBUTES = ("class", "id", *sorted(tags.MARKING_ATTRIBUTES), *sorted(markup.LAYOUT_ATTRIBUTES))
cdef dict BITS = {name: 1 << number for number, name in enumerate(ATTRIBUTES)}
cdef int LAYOUT = sum(BITS[name] for name in markup.LAYOUT_ATTRIBUTES)
cdef bytes BOX_INITIALS = "".join({name[0] for name in markup.FORMULA_CLASSES}).encode()

cdef enum:
    OTHER = 0
    NAMING = 0b11  # class and id

cdef enum:  # of a tag: what of the inline markup is noted
    PLAIN, MARKED, HYPERLINK, CODE, MATH, SPAN, SCRIPT, ANNOTATION

cdef enum:
    KNOWN = 256  # names that are remembered at a time, a power of two
    LONGEST = 4  # bytes of a character in UTF-8


cdef struct Text:
    char* data
    Py_ssize_t size
    Py_ssize_t room


cdef struct Mark:  # in a run of text
    Py_ssize_t place
    int what
    Py_ssize_t number


cdef struct Frame:  # what to go on with behind an element
    xmlNode* node
    int effect
    bint marked
    Py_ssize_t parent
    Py_ssize_t container
    Py_ssize_t line


cdef struct Name:  # of a tag or an attribute, which libxml2 keeps in one place however often it occurs
    const xmlChar* address
    int code  # of a tag its effect, of an attribute its bit
    int notes
    void* name  # a str that `Walk.names` holds


cdef class Walk:
    cdef Text run, link_run  # the run of text that is being read, and what of it is inside links
    cdef Text tidy  # room for a run with its white space made even
    # As in walk.py.
    cdef Py_ssize_t pieces, runs, container, innermost, start, elements, links, link_end, line_break, pre_line
    cdef Py_ssize_t word_end, gap
    cdef int ended, gap_effect
    cdef Mark* marks
    cdef Py_ssize_t marked, marks_room
    cdef Frame* frames
    cdef Py_ssize_t depth, frames_room
    cdef Name known_tags[KNOWN], known_attributes[KNOWN]
    cdef list names, buttons
    cdef Py_ssize_t known
    cdef bint visible, full
    cdef bint image_alt
    cdef cetree._Document document
    cdef object page
    cdef set skip  # the addresses of the elements that count as empty ones
    # The page's.
    cdef list texts, link_texts, block_nodes, pre_lines, block_starts, block_ends, tags, parents, classes
    cdef list attributes, controls, images, image_blocks, image_sources, image_texts, formulas, formula_blocks
    cdef set namespaces, unwritable, formula_boxes
    cdef dict page_runs, page_marks, hrefs, layout

    def __cinit__(self, page, cetree._Element root, bint image_alt, skip):
        cdef cetree._Element element
        self.texts, self.link_texts = page.texts, page.link_texts
        self.block_nodes, self.pre_lines = page.block_nodes, page.pre_lines
        self.block_starts, self.block_ends = page.block_starts, page.block_ends
        self.tags, self.parents, self.classes = page.tags, page.parents, page.classes
        self.attributes, self.images, self.controls = page.attributes, page.images, page.controls
        self.image_blocks, self.image_sources, self.image_texts = page.image_blocks, page.image_sources, page.image_texts
        self.formulas, self.formula_blocks, self.formula_boxes = page.formulas, page.formula_blocks, page.formula_boxes
        self.page_runs, self.page_marks, self.hrefs, self.layout = page.runs, page.marks, page.hrefs, page.layout
        self.namespaces, self.unwritable = page.namespaces, page.unwritable
        self.page, self.document, self.image_alt = page, root._doc, image_alt
        self.names, self.buttons, self.skip = [], [], set()
        for element in skip:
            self.skip.add(<size_t>element._c_node)
        self.link_end = self.word_end = self.gap = self.line_break = -1

    def __dealloc__(self):
        PyMem_Free(self.run.data)
        PyMem_Free(self.link_run.data)
        PyMem_Free(self.tidy.data)
        PyMem_Free(self.frames)
        PyMem_Free(self.marks)

    cdef int walk(self, xmlNode* node) except -1:
        cdef xmlNode* next_node
        cdef Name* tag = NULL
        cdef Frame* frame
        cdef str names
        cdef int effect
        cdef bint marked, skipped
        cdef Py_ssize_t parent = -1, outer_container, outer_line
        while True:
            # An element begins here.
            outer_container, outer_line = self.container, self.pre_line
            effect = DROPPED  # a comment, for example
            if node.type == XML_ELEMENT_NODE:
                tag = self.known_tag(node)
                effect = tag.code
            marked = False
            skipped = len(self.skip) > 0 and <size_t>node in self.skip
            if skipped and effect < BREAK:
                effect = BLOCK if effect >= BLOCK else INLINE
            if effect >= BREAK:
                self.innermost = max(parent, 0)
                if skipped:
                    pass
                elif effect == BREAK:
                    self.read_break()
                elif effect == IMAGE:
                    self.read_image(node)
                    if parent < 0:
                        self.tags.append(<object>tag.name)
                        self.parents.append(parent)
                        self.classes.append("")
                        self.elements += 1
                elif effect == CONTROL:
                    self.controls.append(self.innermost)
                elif node.type == XML_ELEMENT_NODE and tag.notes != PLAIN:
                    if tag.notes == ANNOTATION or first_attribute(node, "type") is not NULL:
                        self.read_formula(node)
                effect = INLINE
            elif self.full or self.elements == MOST_ELEMENTS:
                self.full = True
                if self.pieces:
                    self.end_block()
                return 0
            else:
                names = ""
                self.innermost = self.elements
                if effect == BUTTON and tags.opens_something(cetree.elementFactory(self.document, node)):
                    effect = BLOCK
                if effect == LINK:
                    if self.link_end == self.pieces and not self.pre_line:
                        self.add_space()
                    self.links += 1
                elif effect == BUTTON:
                    self.begin_button()
                    self.controls.append(max(parent, 0))
                elif effect == INLINE:
                    self.word_end = -1
                elif effect <= WORD:
                    if self.word_end == self.pieces:
                        self.gap, self.gap_effect = self.word_end, min(effect, self.ended)
                else:
                    if self.pieces:
                        self.end_block()
                    self.container = self.elements
                    if effect == PREFORMATTED:
                        self.pre_line = 1
                    if node.properties is not NULL and not skipped:
                        names = self.read_attributes(node)
                if tag.notes != PLAIN and not skipped:
                    marked = self.note_inline(node, tag.notes)
                    if marked:
                        self.mark(START, self.innermost)
                next_node = NULL if skipped else self.read_texts(node.children)
                self.tags.append(<object>tag.name)
                self.parents.append(parent)
                self.classes.append(names)
                self.elements += 1
                if next_node is not NULL:
                    self.push(Frame(node, effect, marked, parent, outer_container, outer_line))
                    parent = self.innermost
                    node = next_node
                    continue
            while True:
                # It ends here, and so do those around it whose last child it is.
                if marked:
                    self.mark(END, self.innermost)
                self.innermost = max(parent, 0)
                if effect == LINK:
                    self.links -= 1
                    self.link_end = self.pieces
                    append(&self.link_run, " ", 1)
                elif effect == BUTTON:
                    self.drop_label()
                elif effect == PHRASE or effect == WORD:
                    self.word_end, self.ended, self.gap = self.pieces, effect, -1
                elif effect != INLINE:
                    if self.pieces:
                        self.end_block()
                    self.container = outer_container
                    if effect == PREFORMATTED:
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
                self.innermost = parent
                node, effect, marked, parent = frame.node, frame.effect, frame.marked, frame.parent
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
                self.add_piece()
                if self.links:
                    append(&self.link_run, self.run.data + start, self.run.size - start)
        while node is not NULL and not cetree._isElement(node):
            node = node.next
        return node

    cdef bint is_gap(self, Py_ssize_t start) except -1:
        """Whether a blank is missing before what was read from there on."""
        before = self.run.data[max(start - LONGEST, 0) : start].decode("utf-8", "ignore")
        after = self.run.data[start : min(start + LONGEST, self.run.size)].decode("utf-8", "ignore")
        return tags.is_gap(before, after, self.gap_effect)

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
        self.add_piece()
        return 0

    cdef inline void add_piece(self) noexcept:
        if not self.pieces:
            self.start = self.innermost
        self.pieces += 1

    cdef int mark(self, int what, Py_ssize_t number) except -1:
        cdef void* marks
        if not self.pieces:
            return 0
        if self.marked == self.marks_room:
            marks = PyMem_Realloc(self.marks, (2 * self.marked + 64) * sizeof(Mark))
            if marks is NULL:
                raise MemoryError
            self.marks, self.marks_room = <Mark*>marks, 2 * self.marked + 64
        self.marks[self.marked] = Mark(self.run.size, what, number)
        self.marked += 1
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
            self.mark(LINE_BREAK, 0)
            self.read(" ", 1)
        return 0

    cdef int read_image(self, xmlNode* image) except -1:
        cdef str src = address_of(image, "src"), alt = first_value(image, "alt") or ""
        self.mark(IMAGE_MARK, len(self.images))
        self.images.append(self.innermost)
        self.image_blocks.append(len(self.texts))
        # A script may have the address of an image that is not in sight.
        self.image_sources.append(src or markup.source_of(cetree.elementFactory(self.document, image)))
        self.image_texts.append(alt if len(alt) <= LONGEST_VALUE else "")
        if self.image_alt and alt:
            text = alt.encode("utf-8")
            self.read(PyBytes_AS_STRING(text), PyBytes_GET_SIZE(text))
        return 0

    cdef int read_formula(self, xmlNode* node) except -1:
        formula = markup.formula_of(cetree.elementFactory(self.document, node))
        if formula is not None:
            self.mark(FORMULA_MARK, len(self.formulas))
            self.formula_blocks.append(len(self.texts))
            self.formulas.append(pages.Formula(self.innermost, *formula))
        return 0

    cdef bint note_inline(self, xmlNode* node, int notes) except -1:
        """Keep the attributes of an inline element that a renderer needs; whether its extent is to be noted."""
        cdef str value
        cdef xmlAttr* attribute
        if notes == HYPERLINK:
            value = address_of(node, "href")
            if value is not None:
                self.hrefs[self.innermost] = value
        elif notes == MATH:
            self.read_formula(node)
        elif notes == CODE:
            value = first_value(node, "class")
            if value and len(value) <= LONGEST_VALUE:
                self.layout[self.innermost] = {"class": value}
        elif notes == SPAN:
            attribute = first_attribute(node, "class")
            if attribute is NULL or not may_be_box(attribute):
                return False
            if not markup.is_formula_box(value_of(node, attribute)):
                return False
            self.formula_boxes.add(self.innermost)
        return True

    cdef int add_space(self) except -1:
        append(&self.run, " ", 1)
        self.add_piece()
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
            self.block_starts.append(self.start)
            self.block_ends.append(self.elements)
            if self.marked:
                self.note_marks()
        if self.pre_line:
            self.pre_line += 1
        self.runs += 1
        self.run.size = self.link_run.size = self.pieces = self.marked = self.known = 0
        self.visible = False
        self.link_end = self.word_end = self.gap = self.line_break = -1
        return 0

    cdef int note_marks(self) except -1:
        """Keep the marks of the run, but for those behind its last word, with the numbers of characters before them."""
        cdef Py_ssize_t number, place = 0, characters = 0, end = self.run.size
        cdef Mark* mark
        cdef list marks = []
        while end and is_space(self.run.data[end - 1]):
            end -= 1
        while self.marked:
            mark = &self.marks[self.marked - 1]
            if mark.what > LINE_BREAK or mark.place < end:
                break
            self.marked -= 1
        if not self.marked:
            return 0
        for number in range(self.marked):
            mark = &self.marks[number]
            while place < mark.place:
                characters += (self.run.data[place] & 0xC0) != 0x80  # a character's other bytes begin with 10
                place += 1
            marks.append(characters)
            marks.append(mark.what)
            marks.append(mark.number)
        self.page_runs[len(self.texts) - 1] = self.read_since(0)
        self.page_marks[len(self.texts) - 1] = marks
        return 0

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
            (
                *(len(self.texts), self.visible, self.runs),
                (self.pieces, self.run.size, self.link_run.size, self.marked),
                (len(self.images), len(self.formulas)),
            )
        )
        return 0

    cdef int drop_label(self) except -1:
        cdef bint text_before
        cdef Py_ssize_t blocks_before, runs_before, pieces_before, size_before, link_size_before, marks_before
        blocks_before, text_before, runs_before, sizes_before, seen = self.buttons.pop()
        pieces_before, size_before, link_size_before, marks_before = sizes_before
        blocks = len(self.texts) - blocks_before
        self.link_end = self.word_end = self.gap = -1
        if (blocks == 0 or blocks == text_before + 1) and seen != (len(self.images), len(self.formulas)):
            markup.drop_images(self.page, *seen)
        if blocks == 0:
            if self.runs > runs_before:
                pieces_before = size_before = link_size_before = marks_before = 0
                text_before = False
            self.known, self.visible = size_before, text_before
            self.pieces, self.run.size, self.link_run.size = pieces_before, size_before, link_size_before
            self.marked = marks_before
            self.add_space()
            if self.line_break >= size_before:
                self.line_break = -1
        elif blocks == text_before + 1:
            self.pieces = self.run.size = self.link_run.size = self.marked = self.known = 0
            self.visible = False
            self.line_break = -1
            self.page_runs.pop(len(self.texts) - 1, None)
            self.page_marks.pop(len(self.texts) - 1, None)
            for values in (
                *(self.texts, self.link_texts),
                *(self.block_nodes, self.block_starts, self.block_ends, self.pre_lines),
            ):
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
                if name.code & seen:  # once more in broken XML
                    pass
                elif name.code & NAMING:
                    value = value_of(node, attribute)
                    names = f"{names} {value}" if names else value
                elif name.code & LAYOUT:
                    value = value_of(node, attribute)
                    if len(value) <= LONGEST_VALUE:
                        self.layout.setdefault(self.elements, {})[<object>name.name] = value
                elif name.code != OTHER:
                    self.attributes.append((self.elements, <object>name.name, value_of(node, attribute)))
                seen |= name.code
            attribute = attribute.next
        return names

    cdef Name* known_tag(self, xmlNode* node) except NULL:
        cdef Name* known = &self.known_tags[slot(node.name)]
        if known.address is not node.name or node.ns is not NULL:
            effect, name = tags.effect_of(cetree.namespacedName(node), self.namespaces)
            self.names.append(name)
            known.address = node.name if node.ns is NULL else NULL
            known.code, known.name, known.notes = effect, <void*>name, notes_of(effect, name)
            if "\ufffd" in name:
                self.unwritable.add(name)
        return known

    cdef Name* known_attribute(self, xmlAttr* attribute) except NULL:
        cdef Name* known = &self.known_attributes[slot(attribute.name)]
        if known.address is not attribute.name:
            name = cetree.pyunicode(attribute.name)
            self.names.append(name)
            known.address, known.name = attribute.name, <void*>name
            known.code = BITS.get(name, OTHER)
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


def walk(cetree._Element root not None, page, bint image_alt, skip=()):
    """Read every text below `root` in document order; whether there was more than may be read."""
    cdef Walk reader = Walk(page, root, image_alt, skip)
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


cdef int notes_of(int effect, str tag):
    """What of the inline markup is noted of elements with this tag."""
    if tag in tags.MARKED_TAGS:
        return HYPERLINK if tag == "a" else MATH if tag == "math" else CODE if tag in tags.CODE_TAGS else MARKED
    if effect == DROPPED:
        return PLAIN if tag not in tags.FORMULA_TAGS else SCRIPT if tag == "script" else ANNOTATION
    return SPAN if tag == "span" else PLAIN


cdef str first_value(xmlNode* node, const char* name):
    """The value of an attribute, None if the element has none."""
    cdef xmlAttr* attribute = first_attribute(node, name)
    return None if attribute is NULL else value_of(node, attribute)


cdef xmlAttr* first_attribute(xmlNode* node, const char* name) noexcept:
    cdef xmlAttr* attribute = node.properties
    while attribute is not NULL:
        if attribute.type == XML_ATTRIBUTE_NODE and attribute.ns is NULL:
            if strcmp(<const char*>attribute.name, name) == 0:
                return attribute
        attribute = attribute.next
    return NULL


cdef str address_of(xmlNode* node, const char* name):
    """The address in an attribute, None if there is none; most of them are told from others at a glance."""
    cdef str value = first_value(node, name)
    if not value:
        return None
    if len(value) <= LONGEST_VALUE and (value[0] == "/" or value[0] == "h"):
        return value
    return value if markup.is_address(value) else None


cdef bint may_be_box(xmlAttr* attribute) noexcept:
    """A first look at the class of a `<span>`, of which there are many."""
    cdef xmlNode* text = attribute.children
    return text is not NULL and (text.content is NULL or strchr(<char*>BOX_INITIALS, <char>text.content[0]) is not NULL)


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
