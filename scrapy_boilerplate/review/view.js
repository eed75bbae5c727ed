const LEAST_CONTRAST = 3; // below it, a text is unreadable even if it is large
const MIDDLE_GREY = 0.2; // the luminance that looks halfway between black and white
const NOT_HERE = "This large file has no text for these settings: scrapy boilerplate prints it.";
const FRAME = 3; // pixels from a block to the outer edge of its frame, whose line is 2 wide

/* The highlighted page: the page in a frame, its text, its blocks, and the details of the chosen block. */

class View {
  constructor(data) {
    this.data = data;
    this.model = data.models[0];
    this.threshold = data.threshold; // null: the model's own
    this.filter = data.filter;
    this.chosen = 0;
    this.states = [];
    this.texts = []; // the element in the page of each numbered text
    this.element = (id) => document.getElementById(id);
    this.isDark = matchMedia("(prefers-color-scheme: dark)");
    this.marks = { kept: "✓ keep", below: "– drop", filtered: "⊘ filter" };
  }

  start() {
    const { data, element } = this;
    element("title").textContent = data.title || data.name;
    element("name").textContent = data.title ? data.name : "";
    element("model").replaceChildren(...data.models.map(({ name }) => new Option(name, name)));
    element("filter").value = data.filter || "";
    element("back").hidden = !data.back;
    if (data.back) element("back").href = data.back;
    this.checkSheets();
    this.listen();
    this.show(matchMedia("(min-width: 900px)").matches ? "text" : "page");
    this.useModel(data.models[0].name);
    this.frame = element("frame");
    this.frame.addEventListener("load", () => this.pageLoaded(), { once: true });
    this.frame.srcdoc = data.html;
  }

  /* Without most of its style sheets, a page is easier to read in none at all. */
  checkSheets() {
    const { linked, missing } = this.data.sheets;
    const styles = this.element("styles");
    styles.checked = missing * 2 <= linked;
    if (missing) styles.parentElement.title = `${missing} of the page’s ${linked} style sheets are not in this file`;
  }

  listen() {
    const { element } = this;
    element("model").addEventListener("change", (event) => this.useModel(event.target.value));
    element("filter").addEventListener("change", (event) => {
      this.filter = event.target.value || null;
      this.update();
    });
    element("threshold").addEventListener("input", (event) => {
      this.threshold = event.target.valueAsNumber;
      this.update();
    });
    element("own").addEventListener("click", () => {
      this.threshold = null;
      this.update();
    });
    for (const id of ["scores", "styles", "dark"]) element(id).addEventListener("change", () => this.applyStyles());
    this.isDark.addEventListener("change", () => this.applyStyles());
    const actions = {
      "copy-text": () => this.copyText("text"),
      "copy-markdown": () => this.copyText("markdown"),
      "copy-settings": () => this.copySettings(),
      "show-keys": () => element("keys").showModal(),
      "unfold-controls": (button) => this.unfold(button, "data-controls"),
      "unfold-details": (button) => this.unfold(button, "data-details"),
    };
    for (const [id, action] of Object.entries(actions)) {
      element(id).addEventListener("click", (event) => action(event.currentTarget));
    }
    for (const tab of document.querySelectorAll("[role=tab], .skip a[data-shows]")) {
      tab.addEventListener("click", () => this.show(tab.dataset.shows));
    }
    for (const link of document.querySelectorAll(".skip a")) {
      link.addEventListener("click", (event) => {
        event.preventDefault(); // the address of a labelling page must stay as it is
        document.querySelector(link.hash).focus();
      });
    }
    document.querySelector("[role=tablist]").addEventListener("keydown", (event) => this.moveTab(event));
    for (const pane of ["text", "list"]) {
      element(pane).addEventListener("click", (event) => {
        const number = this.blockAt(event.target);
        if (number !== null) this.clicked(number, event);
      });
    }
    document.addEventListener("keydown", (event) => this.keydown(event));
  }

  /* On narrow screens the settings, and the reasons of a score, are hidden until the user asks for them. */
  unfold(button, attribute) {
    button.setAttribute("aria-expanded", String(document.body.toggleAttribute(attribute)));
  }

  /* The panes. */

  show(pane) {
    document.body.dataset.pane = pane;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const selected = tab.dataset.shows === pane;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
    this.showMarkdown();
    this.reveal();
  }

  moveTab(event) {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...document.querySelectorAll("[role=tab]")].filter((tab) => tab.offsetParent);
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    this.show(next.dataset.shows);
    event.preventDefault();
    event.stopPropagation();
  }

  /* The page in its frame. Its own scripts never run; this script handles all of its events. */

  pageLoaded() {
    const page = this.page = this.frame.contentDocument;
    for (const element of page.querySelectorAll("[data-n]")) this.texts[Number(element.dataset.n)] = element;
    for (const name of ["click", "auxclick", "submit", "dragstart"]) {
      page.addEventListener(name, (event) => event.preventDefault());
    }
    page.addEventListener("keydown", (event) => this.keydown(event));
    page.addEventListener("pointerdown", (event) => this.press(event));
    page.addEventListener("pointermove", (event) => this.hover(event));
    page.addEventListener("pointerleave", () => this.describe(this.chosen));
    this.frames = page.createElement("x-frames");
    this.frames.dataset.frames = "";
    page.documentElement.append(this.frames);
    page.addEventListener("scroll", () => this.drawFrames(), { capture: true, passive: true });
    new ResizeObserver(() => this.drawFrames()).observe(page.body);
    this.mark();
    this.states = [];
    this.update();
    this.applyStyles();
    this.choose(Math.max(this.states.findIndex((_, number) => this.isKept(number)), 0));
    document.body.dataset.ready = "";
  }

  blockAt(target) {
    const text = target?.closest?.("[data-block]");
    return text ? Number(text.dataset.block) : null;
  }

  press(event) {
    const number = this.blockAt(event.target);
    if (number === null) return;
    this.choose(number, { scroll: false });
  }

  clicked(number) {
    this.choose(number);
  }

  hover(event) {
    const place = `${event.screenX} ${event.screenY}`; // scrolling fires this event, too, though the pointer rests
    if (place === this.pointer) return;
    this.pointer = place;
    const number = this.blockAt(event.target);
    this.describe(number === null ? this.chosen : number);
  }

  /* Mark each text of the page with its block, for the model that is shown. */
  mark() {
    if (!this.page) return;
    for (const element of this.texts) {
      if (!element) continue;
      for (const name of ["block", "state", "score", "current"]) delete element.dataset[name];
    }
    this.blocks.forEach((_, number) => {
      const elements = this.elementsOf(number);
      for (const element of elements) {
        element.dataset.block = number;
        element.style.setProperty("--score", this.model.scores[number]);
      }
      if (elements.length) elements[0].dataset.score = this.model.scores[number].toFixed(2);
    });
  }

  elementsOf(number) {
    return this.blocks[number].texts.map((text) => this.texts[text]).filter(Boolean);
  }

  applyStyles() {
    const page = this.page;
    if (!page) return;
    const plain = !this.element("styles").checked;
    page.documentElement.toggleAttribute("data-scores", this.element("scores").checked);
    page.documentElement.toggleAttribute("data-plain", plain);
    const [, ...sheets] = page.styleSheets; // the first one is ours
    for (const sheet of sheets) sheet.disabled = plain;
    for (const element of page.querySelectorAll(plain ? "[style]:not([data-n])" : "[data-own-style]")) {
      if (plain) element.dataset.ownStyle = element.getAttribute("style");
      element.setAttribute("style", plain ? "" : element.dataset.ownStyle);
      if (!plain) delete element.dataset.ownStyle;
    }
    this.markUnreadable();
    this.darken();
    this.drawFrames();
  }

  /* On dark screens, turn the lightness of a light page round; its pictures stay as they are. */
  darken() {
    const ground = new Contrast().groundOf(this.page.body);
    const isLight = new Contrast().luminance(ground ?? ["#fff"]) > MIDDLE_GREY;
    const isInverted = this.isDark.matches && this.element("dark").checked && isLight;
    for (const element of [this.frame, this.page.documentElement]) element.toggleAttribute("data-inverted", isInverted);
  }

  /* Mark texts without contrast, such as white text whose dark background is in a missing style sheet or image. */
  markUnreadable() {
    const texts = this.texts.filter((text) => text?.matches("x-text"));
    for (const text of texts) delete text.dataset.unreadable;
    const contrast = new Contrast();
    const unreadable = texts.filter((text) => contrast.of(text) < LEAST_CONTRAST);
    for (const text of unreadable) text.dataset.unreadable = "";
  }

  /* Models, threshold, filter. */

  useModel(name) {
    const before = this.blocks && this.blocks[this.chosen];
    this.model = this.data.models.find((model) => model.name === name);
    this.segmentation = this.data.segmentations[this.model.segmentation];
    this.blocks = this.segmentation.blocks;
    this.chosen = before ? this.nearest(before) : 0;
    this.element("model").value = name;
    this.list();
    this.mark();
    this.states = [];
    this.update();
    if (this.page) this.choose(this.chosen, { scroll: false });
  }

  /* The block in which this block of another segmentation begins. */
  nearest(block) {
    const first = block.texts[0] ?? 0;
    const found = this.blocks.findIndex(({ texts }) => texts.length && texts[texts.length - 1] >= first);
    return Math.max(found, 0);
  }

  limit() {
    return this.threshold ?? this.model.threshold;
  }

  /* With its own threshold, a model may keep blocks below it, too: those that fill a hole in a list or a table. */
  keptBlocks() {
    const { scores, own } = this.model;
    if (this.threshold !== null) return filters.keep(this.segmentation, scores, this.threshold, this.filter);
    const numbers = new Set(own[this.filter ?? ""]);
    return scores.map((_, number) => numbers.has(number));
  }

  update() {
    const limit = this.limit();
    this.verdicts = this.keptBlocks().map((is, number) => {
      const { left_out: leftOut, other_pages: otherPages, by_hand: byHand } = this.blocks[number];
      if (byHand) return "kept";
      if (is) return leftOut || otherPages ? "filtered" : "kept";
      return this.model.scores[number] >= limit ? "filtered" : "below";
    });
    this.element("threshold").value = limit;
    this.element("threshold-value").textContent = limit.toFixed(2);
    this.element("own").disabled = this.threshold === null;
    this.paint(this.shownStates());
    this.describe(this.chosen);
  }

  shownStates() {
    return this.verdicts;
  }

  isKept(number) {
    return this.states[number] === "kept";
  }

  paint(states) {
    const before = this.states;
    this.states = states;
    states.forEach((state, number) => {
      if (state === before[number]) return;
      for (const element of this.elementsOf(number)) element.dataset.state = state;
      const item = this.items[number];
      item.dataset.state = state;
      item.firstChild.textContent = this.marks[state];
      this.spans[number].hidden = !this.isKept(number);
    });
    for (const paragraph of this.paragraphs) paragraph.hidden = !paragraph.querySelector("span:not([hidden])");
    this.count();
    this.showMarkdown();
  }

  /* Texts, as a crawl with these settings would write them. */

  rendering(format) {
    const { texts, segmentations } = this.data;
    if (!texts) return null;
    const runs = [];
    this.states.forEach((_, number) => {
      if (!this.isKept(number)) return;
      const last = runs[runs.length - 1];
      if (last && last[1] === number - 1) last[1] = number;
      else runs.push([number, number]);
    });
    const key = runs.map(([first, last]) => (first === last ? first : `${first}-${last}`)).join();
    const found = texts.sets[`${segmentations.indexOf(this.segmentation)}:${key}`]?.[format];
    if (!found) return null;
    const paragraphs = [];
    for (let place = 0; place < found.length; place += 2) {
      paragraphs.push(...texts.paragraphs.slice(found[place], found[place] + found[place + 1]));
    }
    return paragraphs.join("\n\n");
  }

  showMarkdown() {
    if (document.body.dataset.pane !== "markdown") return;
    const markdown = this.rendering("markdown");
    this.element("markdown").replaceChildren(markdown === null ? card.nothing(NOT_HERE)
      : markdown ? make("pre", { textContent: markdown }) : card.nothing("Nothing is kept."));
  }

  copyText(format) {
    const text = this.rendering(format);
    if (text === null) copier.say(NOT_HERE);
    else copier.copy(text, format === "text" ? "the text" : "the Markdown");
  }

  copySettings() {
    copier.copy(this.settings(), "the settings, as custom_settings of a spider");
  }

  /* The settings in Python, as a spider has them. */
  settings() {
    const threshold = this.threshold === null ? "None" : String(this.threshold);
    const values = {
      BOILERPLATE_MODEL: JSON.stringify(this.model.name),
      BOILERPLATE_THRESHOLD: threshold,
      BOILERPLATE_FILTER: this.filter === null ? "None" : JSON.stringify(this.filter),
      ...this.data.settings,
    };
    const lines = Object.entries(values).map(([name, value]) => `    "${name}": ${value},\n`);
    return `custom_settings = {\n${lines.join("")}}\n`;
  }

  count() {
    const kept = this.blocks.filter((_, number) => this.isKept(number));
    const words = (blocks) => blocks.reduce((sum, block) => sum + block.words, 0).toLocaleString("en");
    const bold = (text) => make("b", { textContent: text });
    this.element("count").replaceChildren(
      bold(words(kept)), ` of ${words(this.blocks)} words kept, in `,
      bold(kept.length.toLocaleString("en")), ` of ${this.blocks.length.toLocaleString("en")} blocks`,
    );
    this.nothing.hidden = kept.length > 0;
  }

  /* The text pane and the list have an element for each block; those of dropped blocks are hidden in the text pane. */
  list() {
    this.spans = [];
    this.paragraphs = [];
    this.blocks.forEach((block, number) => {
      const { text } = block;
      const glue = this.segmentation.glue[number];
      const span = make("span", {}, (glue ?? "") + text);
      span.dataset.block = number;
      this.spans.push(span);
      if (typeof glue === "string" && this.paragraphs.length) {
        this.paragraphs[this.paragraphs.length - 1].append(span);
        return;
      }
      this.paragraphs.push(this.paragraph(block, span));
    });
    this.nothing = card.nothing("Nothing is kept. Move the threshold down to keep more.");
    this.element("text").replaceChildren(this.nothing, ...this.paragraphs);
    this.items = this.blocks.map((block, number) => this.item(block, number));
    this.element("list").replaceChildren(...this.items);
  }

  paragraph({ tag, kind }, span) {
    const paragraph = make("p", {}, span);
    if (tag === "pre") paragraph.dataset.pre = "";
    paragraph.dataset.kind = kind;
    if (kind === "heading") {
      paragraph.role = "heading";
      paragraph.ariaLevel = /^h[1-6]$/.test(tag) ? tag[1] : "2";
    }
    return paragraph;
  }

  item({ text }, number) {
    const item = make("li", { id: `block-${number}`, role: "option", ariaSelected: "false" },
      make("span", { className: "state" }),
      make("span", { className: "score", textContent: this.model.scores[number].toFixed(2) }),
      make("span", { className: "begin", textContent: text.slice(0, 200) }));
    item.dataset.block = number;
    return item;
  }

  /* One block. */

  choose(number, { scroll = true } = {}) {
    const before = this.chosen;
    this.chosen = Math.min(Math.max(number, 0), this.blocks.length - 1);
    this.setCurrent(before, false);
    this.setCurrent(this.chosen, true);
    this.element("list").setAttribute("aria-activedescendant", `block-${this.chosen}`);
    this.describe(this.chosen);
    this.reveal(scroll);
  }

  setCurrent(number, is) {
    if (!this.items[number]) return;
    this.items[number].toggleAttribute("data-current", is);
    this.items[number].setAttribute("aria-selected", String(is));
    this.spans[number].toggleAttribute("data-current", is);
    for (const element of this.elementsOf(number)) element.toggleAttribute("data-current", is);
  }

  /* The blocks that have a frame in the page. */
  framedBlocks() {
    return [this.chosen];
  }

  drawFrames() {
    if (!this.frames) return;
    this.frames.replaceChildren();
    this.frames.style.setProperty("--width", 0);
    this.frames.style.setProperty("--width", `${this.page.documentElement.scrollWidth}px`);
    const origin = this.frames.getBoundingClientRect();
    const frames = this.framedBlocks().map((number) => {
      const rects = this.elementsOf(number).flatMap((text) => [...text.getClientRects()]).filter((rect) => rect.width);
      if (!rects.length) return null; // it is not visible
      const left = Math.min(...rects.map((rect) => rect.left)) - FRAME;
      const top = Math.min(...rects.map((rect) => rect.top)) - FRAME;
      const right = Math.max(...rects.map((rect) => rect.right)) + FRAME;
      const bottom = Math.max(...rects.map((rect) => rect.bottom)) + FRAME;
      const frame = this.page.createElement("x-frame");
      frame.dataset.frame = number === this.chosen ? "current" : "marked";
      const place = { left: left - origin.left, top: top - origin.top, width: right - left, height: bottom - top };
      for (const [name, value] of Object.entries(place)) frame.style.setProperty(`--${name}`, `${value}px`);
      return frame;
    });
    this.frames.replaceChildren(...frames.filter(Boolean));
  }

  reveal(scrollPage = true) {
    if (!this.items) return;
    this.items[this.chosen].scrollIntoView({ block: "nearest" });
    this.spans[this.chosen].scrollIntoView({ block: "nearest" });
    const [element] = this.page ? this.elementsOf(this.chosen) : [];
    if (element && scrollPage) element.scrollIntoView({ block: "center" });
    this.drawFrames();
  }

  verdict(number) {
    const score = this.model.scores[number].toFixed(4);
    const limit = this.limit().toFixed(4);
    const reaches = `its score of ${score} reaches the threshold of ${limit}`;
    const { left_out: leftOut, kind, other_pages: otherPages, by_hand: byHand } = this.blocks[number];
    if (this.states[number] === "kept" && byHand) return "Kept by hand: it is in an element of the option “keep”.";
    if (this.states[number] === "kept" && this.model.scores[number] < this.limit()) {
      return `Kept as part of a list or table that is kept; its score of ${score} is below the threshold of ${limit}.`;
    }
    if (this.states[number] === "kept") {
      return `Kept: ${reaches}${this.filter ? `, and the filter “${this.filter}” keeps it` : ""}.`;
    }
    if (this.states[number] === "below") return `Dropped: its score of ${score} is below the threshold of ${limit}.`;
    if (otherPages) {
      const pages = otherPages === 1 ? "1 other page" : `${otherPages} other pages`;
      return `Dropped: also on ${pages} of this site; ${reaches}.`;
    }
    if (leftOut) return `Dropped with all of its kind (${kind}), as the options say; ${reaches}.`;
    return `Dropped by the filter “${this.filter}”: ${reaches}, but ${this.outside(number)}.`;
  }

  outside(number) {
    if (this.filter === "main") {
      const reaches = this.verdicts.map((verdict) => verdict !== "below");
      const { first, last } = filters.titleAndComments(reaches, this.segmentation);
      if (number < first) return "it is above the title";
      if (number >= last) return "it is below the heading of the comments";
    }
    if (this.filter === "ancestor") return "another group of blocks has more text";
    return "another run of kept blocks has more words";
  }

  describe(number) {
    if (this.states.length) this.element("card").replaceChildren(...card.of(this, number));
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inside = (controls) => event.target.ownerDocument === document && event.target.closest(controls);
    if (inside("select") || document.querySelector("dialog[open]")) return;
    // In a slider, a box and a tab only letters are shortcuts; arrows, Home and the space bar operate the control.
    if (inside("input, [role=tablist]") && !/^[a-z?]$/i.test(event.key)) return;
    if (this.key(event)) event.preventDefault();
  }

  /* Handle a key, and return whether it is a shortcut. */
  key(event) {
    const [next, previous, last] = [this.chosen + 1, this.chosen - 1, this.blocks.length - 1];
    const go = { j: next, ArrowDown: next, k: previous, ArrowUp: previous, Home: 0, End: last }[event.key];
    if (go !== undefined) {
      this.choose(go);
      return true;
    }
    return this.act(event.key);
  }

  /* Do what a key stands for that only the view has, not the editor. */
  act(key) {
    const { xpath } = this.blocks[this.chosen];
    const actions = {
      "t": () => this.copyText("text"),
      "m": () => this.copyText("markdown"),
      "x": () => copier.copy(xpath, xpath),
      "s": () => this.copySettings(),
      "?": () => this.element("keys").showModal(),
    };
    actions[key]?.();
    return key in actions;
  }
}
