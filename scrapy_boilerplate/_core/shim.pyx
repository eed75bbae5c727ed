# cython: language_level=3, boundscheck=False, wraparound=False, infer_types=True
"""The core between Python and C: trees of lxml go in, lists and arrays come out.

The steps are in the C files beside this one, named as the Python modules that they mirror. Arrays leave as bytearrays.
"""

from cpython.bytearray cimport PyByteArray_AsString, PyByteArray_FromStringAndSize
from cpython.bytes cimport PyBytes_AsString
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset
from lxml.includes cimport etreepublic as cetree
from lxml.includes.tree cimport xmlAttr, xmlNode

cetree.import_lxml__etree()

cdef extern from "core.h":
    enum:
        OK, NO_MEMORY, BAD_TEXT, FAILED
        OWN_COLUMNS, BIT_COLUMNS, PAGE_COLUMNS, PAGE_TEXTS, HEAD_COLUMNS, FIRST_BIT, FIRST_OF_PAGE
        OWN_TAGS, MARK_BITS, CUE_BITS, MIXED_TAGS, COUNTS, FACTS, LETTER

    ctypedef int32_t Number
    ctypedef struct Text:
        char* at
        size_t count
    ctypedef struct Numbers:
        Number* at
        size_t count
    ctypedef struct Span:
        size_t start, size
    ctypedef struct Spans:
        Span* at
        size_t count
    ctypedef struct Character:
        uint8_t classes, kind, script, traits
    ctypedef struct CharacterPage:
        uint32_t* lower
    ctypedef struct Read:
        uint32_t code, size
        const Character* character
    ctypedef struct Tag:
        Span name
    ctypedef struct Block:
        Span text, link_text
        Number node, start, end, pre_line, marked
        uint32_t* counts
    ctypedef struct Element:
        Span names
        Number parent, tag
    ctypedef struct Value:
        Number element, number
        Span value
    ctypedef struct Image:
        Number element, block
        Span source, text
    ctypedef struct Formula:
        Number element, block, display
        Span latex
    ctypedef struct Mark:
        Number place, what, number
    ctypedef struct Marked:
        Span run
        size_t first_mark, marks
    ctypedef struct Tags:
        Tag* at
        size_t count
    ctypedef struct Blocks:
        Block* at
        size_t count
    ctypedef struct Elements:
        Element* at
        size_t count
    ctypedef struct Values:
        Value* at
        size_t count
    ctypedef struct Images:
        Image* at
        size_t count
    ctypedef struct Formulas:
        Formula* at
        size_t count
    ctypedef struct Marks:
        Mark* at
        size_t count
    ctypedef struct MarkedBlocks:
        Marked* at
        size_t count
    ctypedef struct Doubles:
        double* at
        size_t count
    ctypedef struct Floats:
        float* at
        size_t count
    ctypedef struct Bits:
        uint64_t* at
        size_t count
    ctypedef struct Page:
        Text texts, link_texts, values, runs
        Blocks blocks
        Elements elements
        Tags tags
        Values attributes, layout, hrefs
        Images images
        Formulas formulas
        Marks marks
        MarkedBlocks marked
        Numbers controls, formula_boxes
        int full
    ctypedef struct Head:
        Text values
        Span title, wrapper_url
        Span* facts
        Spans linked_data
    ctypedef struct BlockFacts:
        double size
    ctypedef struct BlockFactsList:
        BlockFacts* at
        size_t count
    ctypedef struct Room:
        BlockFactsList blocks
        Floats columns
        Bits bits
        float* page
        Doubles scores
        Text output
    ctypedef struct PageFacts:
        const char* title
        size_t title_size, title_characters
        const float* facts
    ctypedef struct CNetwork "Network":
        pass
    ctypedef struct Weights:
        int members, hidden, summary, joint, features, page_features
        const Number* columns
        const float* low
        const float* high
        const float* first
        const float* first_bias
        const float* summary_weights
        const float* summary_bias
        const float* content
        const float* content_bias
        const float* joint_weights
        const float* joint_bias
        const float* output
        const float* output_bias
    ctypedef struct WalkOptions:
        size_t most_blocks, most_elements
        int image_alt
        xmlNode** skipped
        size_t skips
        void* context
    ctypedef struct Calls "Python":
        int (*load_characters)(uint32_t page, CharacterPage* characters) except FAILED
        int (*name_tag)(void* context, xmlNode* node, Text* name, int* effect) except FAILED
        int (*attribute_value)(void* context, xmlNode* node, xmlAttr* attribute, Text* value) except FAILED
        int (*read_formula)(void* context, xmlNode* node, Text* latex, int* display) except FAILED
        int (*find_cues)(const char* names, size_t size, uint64_t* cues) except FAILED
        int (*lower_case)(const char* text, size_t size, Text* lower) except FAILED
    ctypedef struct KnownAttribute:
        const char* name

    Calls python
    KnownAttribute* known_attributes
    uint64_t hash_seed, hidden_mark, aria_hidden_mark, style_mark
    const char** own_column_names
    const char** page_column_names

    int append(Text* text, const char* more, size_t size) nogil
    int read_character(const char* text, size_t size, Read* read) nogil
    uint64_t mix(uint64_t first, uint64_t second) nogil
    int tally_text(const char* text, size_t size, uint32_t* counts, uint32_t* characters) nogil
    int know_tag(const char* name, int effect, int notes, int own, int mix, int level, int flags, uint64_t marks)
    int know_attribute(const char* name, int use)
    int know_value(const char* attribute, const char* value, uint64_t mark)
    void fill_logs()
    Page* take_page()
    void give_page(Page* page)
    Room* take_room()
    void give_room(Room* room)
    int walk_page "walk"(Page* page, xmlNode* root, const WalkOptions* options)
    int read_head(Head* head, xmlNode* root, void* context)
    void free_head(Head* head)
    int c_samples_are_suspect "samples_are_suspect"(const char* text, size_t size) nogil
    int stretches_have_words(const char* text, size_t size) nogil
    Py_ssize_t c_find_end "find_end"(const char* text, size_t size) nogil
    int c_visible_characters "visible_characters"(xmlNode* root, size_t most, size_t nodes, size_t* count)
    int check_text(const char* text, size_t size) nogil
    int measure(Page* page, Room* room)
    int fill_columns(const Page* page, Room* room, const PageFacts* facts) nogil
    int make_network(const Weights* weights, CNetwork** network)
    void free_network(CNetwork* network)
    int score(const CNetwork* network, const Page* page, Room* room) nogil
    int whole_listings(const Page* page, Room* room) nogil
    int said_once(const Page* page, Room* room) nogil
    int c_expected_f1 "expected_f1"(const double* scores, const double* sizes, size_t count, double* cut, double* expected) nogil
    int c_without_holes "without_holes"(const Page* page, uint8_t* kept, Room* room) nogil
    int c_to_text "to_text"(const Page* page, const uint8_t* kept, Room* room, Text* text) nogil
    int c_use_kernel "use_kernel"(int number)
    const char* c_kernel_name "kernel_name"()
    void c_fail_allocations_after "fail_allocations_after"(long count)

# What Python is asked for; set by prepare().
cdef object ask_characters, ask_cues, ask_formula, ask_effect
cdef list kept_names = []  # bytes that C points to


cdef int check(int status, const char* text=NULL, size_t size=0) except -1:
    """Raise what a function in C has met."""
    if status == OK:
        return 0
    if status == FAILED:  # with an exception set
        return -1
    if status == BAD_TEXT:
        raise UnicodeDecodeError("utf-8", b"\xed", 0, 1, "not UTF-8: a lone surrogate, for example")
    raise MemoryError


cdef str text_of(const Text* text, Span span):
    if span.size == 0:
        return ""
    return PyUnicode_DecodeUTF8(text.at + span.start, span.size, NULL)


cdef int put(Text* text, bytes value) except FAILED:
    if append(text, PyBytes_AsString(value), len(value)) != OK:
        raise MemoryError
    return OK


cdef int on_characters(uint32_t page, CharacterPage* characters) except FAILED with gil:
    cdef bytes entries = ask_characters(page)
    memcpy(characters, PyBytes_AsString(entries), min(<size_t>len(entries), sizeof(CharacterPage)))
    return OK


cdef int on_tag(void* context, xmlNode* node, Text* name, int* effect) except FAILED:
    cdef Walked walked = <Walked>context
    found, local = ask_effect(cetree.namespacedName(node), walked.namespaces)
    if "\ufffd" in local:
        walked.unwritable.add(local)
    effect[0] = found
    return put(name, local.encode())


cdef int on_attribute(void* context, xmlNode* node, xmlAttr* attribute, Text* value) except FAILED:
    return put(value, (cetree.attributeValue(node, attribute) or "").encode())


cdef int on_formula(void* context, xmlNode* node, Text* latex, int* display) except FAILED:
    formula = ask_formula(cetree.elementFactory((<Walked>context).document, node))
    if formula is None:
        return OK
    display[0] = formula[1]
    return put(latex, formula[0].encode())


cdef int on_cues(const char* names, size_t size, uint64_t* cues) except FAILED:
    cues[0] = ask_cues(PyUnicode_DecodeUTF8(names, size, NULL))
    return OK


cdef int on_lower_case(const char* text, size_t size, Text* lower) except FAILED with gil:
    return put(lower, PyUnicode_DecodeUTF8(text, size, NULL).lower().encode())


def prepare(tables):
    """Fill the tables of tags, attributes and values, and keep what C asks Python for."""
    global ask_characters, ask_cues, ask_formula, ask_effect, hash_seed, hidden_mark, aria_hidden_mark, style_mark
    expected = (OWN_TAGS, MARK_BITS, CUE_BITS, MIXED_TAGS, HEAD_COLUMNS, COUNTS, sizeof(CharacterPage))
    if tables.sizes() != expected:
        raise ImportError(f"compiled for other features: {expected}, not {tables.sizes()}")
    ask_characters, ask_cues = tables.characters, tables.cues_of
    ask_formula, ask_effect = tables.formula, tables.effect
    python.load_characters, python.name_tag, python.attribute_value = on_characters, on_tag, on_attribute
    python.read_formula, python.find_cues, python.lower_case = on_formula, on_cues, on_lower_case
    hash_seed ^= <uint64_t>tables.seed()
    hidden_mark, aria_hidden_mark, style_mark = tables.marks()
    fill_logs()
    c_use_kernel(-1)
    for name, effect, notes, own, mixed, level, sets, marks in tables.tags():
        check(know_tag(kept(name), effect, notes, own, mixed, level, sets, marks))
    for name, use in tables.attributes():
        check(know_attribute(kept(name), use))
    for attribute, value, mark in tables.values():
        check(know_value(kept(attribute), kept(value), mark))


cdef const char* kept(str name) except NULL:
    encoded = name.encode()
    kept_names.append(encoded)
    return PyBytes_AsString(encoded)


def own_columns():
    """The names of the columns of blocks."""
    return [own_column_names[number].decode() for number in range(OWN_COLUMNS)]


def page_columns():
    """The names of the columns of the page's text."""
    return [page_column_names[number].decode() for number in range(PAGE_TEXTS)]


def use_kernel(int number):
    """Use the kernel with this number, 0 for the plainest and -1 for the best one; returns its number."""
    return c_use_kernel(number)


def kernel_name():
    return c_kernel_name().decode()


def fail_allocations_after(long count):
    """For tests: let all allocations fail after so many, -1 for never."""
    c_fail_allocations_after(count)


def expected_f1(bytes scores not None, bytes sizes not None):
    """The cut with the best expected F1, and that F1, for arrays of doubles."""
    cdef double cut, expected
    cdef size_t count = len(scores) // sizeof(double)
    if len(sizes) != len(scores):
        raise ValueError("there is a size for each score")
    check(c_expected_f1(<double*>PyBytes_AsString(scores), <double*>PyBytes_AsString(sizes), count, &cut, &expected))
    return cut, expected


def may_have_too_many_attributes(bytes body not None):
    """Whether samples of a page, and then the stretches between its tags, have room for too many attributes."""
    cdef const char* text = PyBytes_AsString(body)
    cdef size_t size = len(body)
    return bool(c_samples_are_suspect(text, size) and stretches_have_words(text, size))


def find_end(bytes body not None):
    """The place of the first closing tag of the page, -1 if there is none."""
    return c_find_end(PyBytes_AsString(body), len(body))


def is_utf8(bytes body not None):
    """Whether these bytes are UTF-8."""
    return check_text(PyBytes_AsString(body), len(body)) == OK


def visible_characters(cetree._Element root not None, size_t most, size_t nodes):
    """The visible characters below a root, up to `most`, of so many nodes."""
    cdef size_t count
    check(c_visible_characters(root._c_node, most, nodes, &count))
    return count


def tally(texts):
    """The counts of each text, as rows of 32-bit numbers."""
    cdef uint32_t characters
    cdef bytes encoded
    result = bytearray(len(texts) * COUNTS * sizeof(uint32_t))
    cdef uint32_t* rows = <uint32_t*>PyByteArray_AsString(result)
    for text in texts:
        if not isinstance(text, str):
            raise TypeError(f"a text is a str, not {text!r}")
        encoded = text.encode()
        check(tally_text(PyBytes_AsString(encoded), len(encoded), rows, &characters))
        rows += COUNTS
    return result


cdef class Network:
    """A network in the layout that the core computes it in."""

    cdef CNetwork* network

    def __cinit__(self, columns, sizes, arrays):
        cdef Weights weights
        cdef bytes numbers = columns
        weights.members, weights.hidden, weights.summary, weights.joint, weights.features, weights.page_features = sizes
        weights.columns = <Number*>PyBytes_AsString(numbers)
        weights.low, weights.high = floats(arrays[0]), floats(arrays[1])
        weights.first, weights.first_bias = floats(arrays[2]), floats(arrays[3])
        weights.summary_weights, weights.summary_bias = floats(arrays[4]), floats(arrays[5])
        weights.content, weights.content_bias = floats(arrays[6]), floats(arrays[7])
        weights.joint_weights, weights.joint_bias = floats(arrays[8]), floats(arrays[9])
        weights.output, weights.output_bias = floats(arrays[10]), floats(arrays[11])
        status = make_network(&weights, &self.network)
        if status == FAILED:
            raise ValueError("the features of the page are not the last ones")
        check(status)

    def __dealloc__(self):
        free_network(self.network)


cdef const float* floats(bytes array) except NULL:
    return <const float*>PyBytes_AsString(array)


cdef class Walked:
    """A page as the core has read it: arrays of its own, and nothing of the tree."""

    cdef Page* page
    cdef Head head
    cdef cetree._Document document  # only while the page is read
    cdef readonly set namespaces, unwritable

    def __cinit__(self):
        self.namespaces, self.unwritable = set(), set()
        memset(&self.head, 0, sizeof(Head))
        self.page = take_page()
        if self.page is NULL:
            raise MemoryError

    def __dealloc__(self):
        if self.page is not NULL:
            give_page(self.page)
        free_head(&self.head)

    def __len__(self):
        return self.page.blocks.count

    @property
    def full(self):
        """Whether there was more than may be read."""
        return bool(self.page.full)

    # The lists of a Page.

    def texts(self):
        return [text_of(&self.page.texts, self.page.blocks.at[n].text) for n in range(self.page.blocks.count)]

    def link_texts(self):
        return [text_of(&self.page.link_texts, self.page.blocks.at[n].link_text) for n in range(self.page.blocks.count)]

    def block_nodes(self):
        return [self.page.blocks.at[n].node for n in range(self.page.blocks.count)]

    def block_starts(self):
        return [self.page.blocks.at[n].start for n in range(self.page.blocks.count)]

    def block_ends(self):
        return [self.page.blocks.at[n].end for n in range(self.page.blocks.count)]

    def pre_lines(self):
        return [self.page.blocks.at[n].pre_line for n in range(self.page.blocks.count)]

    def tags(self):
        names = [text_of(&self.page.values, self.page.tags.at[n].name) for n in range(self.page.tags.count)]
        return [names[self.page.elements.at[n].tag] for n in range(self.page.elements.count)]

    def parents(self):
        return [self.page.elements.at[n].parent for n in range(self.page.elements.count)]

    def classes(self):
        return [text_of(&self.page.values, self.page.elements.at[n].names) for n in range(self.page.elements.count)]

    def attributes(self):
        return [self.named_value(&self.page.attributes.at[n]) for n in range(self.page.attributes.count)]

    def layout(self):
        found = {}
        for n in range(self.page.layout.count):
            element, name, value = self.named_value(&self.page.layout.at[n])
            found.setdefault(element, {})[name] = value
        return found

    def hrefs(self):
        return {
            self.page.hrefs.at[n].element: text_of(&self.page.values, self.page.hrefs.at[n].value)
            for n in range(self.page.hrefs.count)
        }

    def controls(self):
        return [self.page.controls.at[n] for n in range(self.page.controls.count)]

    def formula_boxes(self):
        return {self.page.formula_boxes.at[n] for n in range(self.page.formula_boxes.count)}

    def images(self):
        return [self.page.images.at[n].element for n in range(self.page.images.count)]

    def image_blocks(self):
        return [self.page.images.at[n].block for n in range(self.page.images.count)]

    def image_sources(self):
        return [text_of(&self.page.values, self.page.images.at[n].source) for n in range(self.page.images.count)]

    def image_texts(self):
        return [text_of(&self.page.values, self.page.images.at[n].text) for n in range(self.page.images.count)]

    def formulas(self):
        """The element, the source and the display of each formula."""
        found = []
        for n in range(self.page.formulas.count):
            formula = self.page.formulas.at[n]
            found.append((formula.element, text_of(&self.page.values, formula.latex), bool(formula.display)))
        return found

    def formula_blocks(self):
        return [self.page.formulas.at[n].block for n in range(self.page.formulas.count)]

    def runs(self):
        found = {}
        for n in range(self.page.blocks.count):
            if self.page.blocks.at[n].marked >= 0:
                found[n] = text_of(&self.page.runs, self.page.marked.at[self.page.blocks.at[n].marked].run)
        return found

    def marks(self):
        found = {}
        cdef Marked* marked
        cdef Mark* mark
        for n in range(self.page.blocks.count):
            if self.page.blocks.at[n].marked < 0:
                continue
            marked = &self.page.marked.at[self.page.blocks.at[n].marked]
            found[n] = values = []
            for number in range(marked.marks):
                mark = &self.page.marks.at[marked.first_mark + number]
                values += (mark.place, mark.what, mark.number)
        return found

    cdef tuple named_value(self, Value* value):
        name = known_attributes[value.number].name.decode()
        return value.element, name, text_of(&self.page.values, value.value)

    # The head.

    def facts(self):
        """The title; description, type, address, publication and base; the wrapper's address; and linked data; as they came."""
        cdef Text* values = &self.head.values
        facts = [text_of(values, self.head.facts[n]) for n in range(FACTS)]
        data = [text_of(values, self.head.linked_data.at[n]) for n in range(self.head.linked_data.count)]
        return text_of(values, self.head.title), facts, text_of(values, self.head.wrapper_url), data

    # Numbers.

    def tally(self):
        """The counts of the texts, as rows of 32-bit numbers."""
        result = bytearray(self.page.blocks.count * COUNTS * sizeof(uint32_t))
        cdef char* rows = PyByteArray_AsString(result)
        for n in range(self.page.blocks.count):
            memcpy(rows, self.page.blocks.at[n].counts, COUNTS * sizeof(uint32_t))
            rows += COUNTS * sizeof(uint32_t)
        return result

    def letter_hashes(self):
        """A 64-bit hash of the letters of each text, whatever their case."""
        cdef Read read
        cdef size_t place
        cdef uint64_t value
        cdef Span span
        result = bytearray(self.page.blocks.count * sizeof(uint64_t))
        cdef uint64_t* hashes = <uint64_t*>PyByteArray_AsString(result)
        for n in range(self.page.blocks.count):
            span = self.page.blocks.at[n].text
            value = place = 0
            while place < span.size:
                check(read_character(self.page.texts.at + span.start + place, span.size - place, &read))
                place += read.size
                if read.character.classes & LETTER:
                    value = mix(value, lower_of(&read))
            hashes[n] = value
        return result

    def columns(self, bytes title not None, Py_ssize_t characters, bytes facts not None):
        """All columns: of blocks, their bits, of the page; and the size of each block."""
        cdef Room* room = self.measured()
        try:
            self.fill(room, title, characters, facts)
            return (
                PyByteArray_FromStringAndSize(<char*>room.columns.at, self.page.blocks.count * OWN_COLUMNS * sizeof(float)),
                PyByteArray_FromStringAndSize(<char*>room.bits.at, self.page.blocks.count * 2 * sizeof(uint64_t)),
                PyByteArray_FromStringAndSize(<char*>room.page, PAGE_COLUMNS * sizeof(float)),
                sizes_of(self.page, room),
            )
        finally:
            give_room(room)

    def score(self, Network network not None, bytes title not None, Py_ssize_t characters, bytes facts not None):
        """The score and the size of each block, as doubles."""
        cdef Room* room = self.measured()
        cdef int status
        try:
            self.fill(room, title, characters, facts)
            with nogil:
                status = score(network.network, self.page, room)
                if status == OK:
                    status = whole_listings(self.page, room)
                if status == OK:
                    status = said_once(self.page, room)
            check(status)
            scores = PyByteArray_FromStringAndSize(<char*>room.scores.at, self.page.blocks.count * sizeof(double))
            return scores, sizes_of(self.page, room), PyByteArray_FromStringAndSize(<char*>room.page, PAGE_COLUMNS * sizeof(float))
        finally:
            give_room(room)

    def without_holes(self, bytes kept not None):
        """The kept blocks, a byte for each, and those that would leave a hole among them."""
        cdef Room* room
        cdef int status
        self.check_kept(kept)
        result = bytearray(kept)
        cdef uint8_t* filled = <uint8_t*>PyByteArray_AsString(result)
        room = take_room()
        if room is NULL:
            raise MemoryError
        with nogil:
            status = c_without_holes(self.page, filled, room)
        give_room(room)
        check(status)
        return result

    def to_text(self, bytes kept not None):
        """The text of these blocks."""
        cdef Room* room
        cdef int status
        cdef const uint8_t* wanted = <const uint8_t*>PyBytes_AsString(kept)
        self.check_kept(kept)
        room = take_room()
        if room is NULL:
            raise MemoryError
        try:
            with nogil:
                status = c_to_text(self.page, wanted, room, &room.output)
            check(status)
            return PyUnicode_DecodeUTF8(room.output.at, room.output.count, NULL) if room.output.count else ""
        finally:
            give_room(room)

    cdef int check_kept(self, bytes kept) except -1:
        if <size_t>len(kept) != self.page.blocks.count:
            raise ValueError("there is a byte for each block")
        return 0

    cdef Room* measured(self) except NULL:
        cdef Room* room
        if not self.page.blocks.count or not self.page.elements.count:
            raise ValueError("a page without blocks has no features")
        room = take_room()
        if room is NULL:
            raise MemoryError
        try:
            check(measure(self.page, room))
        except BaseException:
            give_room(room)
            raise
        return room

    cdef int fill(self, Room* room, bytes title, Py_ssize_t characters, bytes facts) except -1:
        cdef PageFacts known
        cdef int status
        if len(facts) != HEAD_COLUMNS * sizeof(float):
            raise ValueError("there is a number for each fact of the head")
        known.title, known.title_size, known.title_characters = PyBytes_AsString(title), len(title), characters
        known.facts = <const float*>PyBytes_AsString(facts)
        with nogil:
            status = fill_columns(self.page, room, &known)
        return check(status)


cdef bytearray sizes_of(Page* page, Room* room):
    result = bytearray(page.blocks.count * sizeof(double))
    cdef double* sizes = <double*>PyByteArray_AsString(result)
    for n in range(page.blocks.count):
        sizes[n] = room.blocks.at[n].size
    return result


cdef uint32_t lower_of(Read* read) noexcept:
    """A character in lower case, or itself if that has several characters."""
    return read.code + 32 if 65 <= read.code <= 90 else read.code


def walk(cetree._Element root not None, bint image_alt, size_t most_blocks, size_t most_elements, skip=()):
    """Read every text below `root`; elements in `skip` are read as if they were empty."""
    cdef Walked walked = Walked()
    cdef WalkOptions options
    cdef cetree._Element element
    cdef int status
    addresses = sorted([<uintptr_t>(<cetree._Element?>skipped)._c_node for skipped in skip])
    options.most_blocks, options.most_elements, options.image_alt = most_blocks, most_elements, image_alt
    options.context, options.skips = <void*>walked, len(addresses)
    options.skipped = NULL
    if addresses:
        options.skipped = <xmlNode**>malloc(options.skips * sizeof(xmlNode*))
        if options.skipped is NULL:
            raise MemoryError
        for number, address in enumerate(addresses):
            options.skipped[number] = <xmlNode*><uintptr_t>address
    walked.document = root._doc
    try:
        check(walk_page(walked.page, root._c_node, &options))
        check(read_head(&walked.head, root._c_node, <void*>walked))
    finally:
        walked.document = None
        free(options.skipped)
    return walked
