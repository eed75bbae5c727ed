"use strict";

/* What is kept: the same rules as in filters.py, so that the page follows the slider without asking anybody. */
const filters = {
  keep(segmentation, scores, threshold, filter) {
    let kept = scores.map((score) => score >= threshold);
    if (!filter || !kept.includes(true)) return kept;
    if (filter === "ancestor") return filters.largestGroup(kept, segmentation);
    if (filter === "main") kept = kept.map((is, number) => is && number >= segmentation.first && number < segmentation.last);
    return filters.largestRun(kept, segmentation);
  },

  largestGroup(kept, { blocks, groups }) {
    const characters = new Map();
    kept.forEach((is, number) => {
      if (is) characters.set(groups[number], (characters.get(groups[number]) || 0) + blocks[number].characters);
    });
    const largest = filters.firstLargest([...characters]);
    return kept.map((is, number) => is && groups[number] === largest);
  },

  largestRun(kept, { blocks }) {
    const runs = []; // of each its number and its words
    const numbers = kept.map((is, number) => {
      if (!is) return -1;
      if (!kept[number - 1]) runs.push([runs.length, 0]);
      runs[runs.length - 1][1] += blocks[number].words;
      return runs.length - 1;
    });
    const largest = filters.firstLargest(runs);
    return numbers.map((number) => number >= 0 && number === largest);
  },

  firstLargest(pairs) {
    let best = [null, -1];
    for (const pair of pairs) if (pair[1] > best[1]) best = pair;
    return best[0];
  },
};

const STATES = { kept: "kept", below: "below the threshold", filtered: "taken away by the filter" };
const MARKS = { kept: "✓ keep", below: "– drop", filtered: "⊘ filter" };

class View {
  constructor(data) {
    this.data = data;
    this.model = data.models[0];
    this.threshold = data.threshold; // null: the model's own
    this.filter = data.filter;
    this.chosen = 0;
    this.states = [];
    this.texts = []; // of each numbered text its element in the page
    this.element = (id) => document.getElementById(id);
    this.hooks = { states: null, describe: null, keydown: null, press: null };
  }

  start() {
    const { data, element } = this;
    element("title").textContent = data.title || data.name;
    element("name").textContent = data.title ? data.name : "";
    element("model").replaceChildren(...data.models.map(({ name }) => new Option(name, name)));
    element("filter").value = data.filter || "";
    this.listen();
    this.show(matchMedia("(min-width: 900px)").matches ? "text" : "page");
    this.useModel(data.models[0].name);
    this.frame = element("frame");
    this.frame.addEventListener("load", () => this.framed(), { once: true });
    this.frame.srcdoc = data.html;
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
    element("scores").addEventListener("change", () => this.dress());
    element("styles").addEventListener("change", () => this.dress());
    for (const tab of document.querySelectorAll("[role=tab]")) tab.addEventListener("click", () => this.show(tab.dataset.shows));
    document.querySelector("[role=tablist]").addEventListener("keydown", (event) => this.moveTab(event));
    for (const pane of ["text", "list"]) {
      element(pane).addEventListener("click", ({ target }) => {
        const found = target.closest("[data-block]");
        if (found) this.choose(Number(found.dataset.block));
      });
    }
    document.addEventListener("keydown", (event) => this.keydown(event));
  }

  /* The panes. */

  show(pane) {
    document.body.dataset.pane = pane;
    for (const tab of document.querySelectorAll("[role=tab]")) {
      const selected = tab.dataset.shows === pane;
      tab.setAttribute("aria-selected", String(selected));
      tab.tabIndex = selected ? 0 : -1;
    }
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

  /* The page in its frame, whose own scripts never run: all that happens there is done from here. */

  framed() {
    const page = this.page = this.frame.contentDocument;
    for (const element of page.querySelectorAll("[data-n]")) this.texts[Number(element.dataset.n)] = element;
    page.addEventListener("click", (event) => event.preventDefault());
    page.addEventListener("auxclick", (event) => event.preventDefault());
    page.addEventListener("submit", (event) => event.preventDefault());
    page.addEventListener("dragstart", (event) => event.preventDefault());
    page.addEventListener("keydown", (event) => this.keydown(event));
    page.addEventListener("pointerdown", (event) => this.press(event));
    page.addEventListener("pointermove", (event) => this.hover(event));
    page.addEventListener("pointerleave", () => this.describe(this.chosen));
    this.mark();
    this.paint();
    this.dress();
    this.choose(Math.max(this.states.indexOf("kept"), 0));
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
    this.hooks.press?.(number, event);
  }

  hover(event) {
    const place = `${event.screenX} ${event.screenY}`; // a page that scrolls below the pointer moves it too
    if (place === this.pointer) return;
    this.pointer = place;
    const number = this.blockAt(event.target);
    this.describe(number === null ? this.chosen : number);
    if (number !== null) this.hooks.hover?.(number, event);
  }

  /* Which block each text of the page belongs to, for the model that is shown. */
  mark() {
    if (!this.page) return;
    for (const element of this.texts) {
      if (!element) continue;
      for (const name of ["block", "state", "score", "current", "marked", "suggested"]) delete element.dataset[name];
    }
    this.blocks.forEach(({ texts }, number) => {
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

  dress() {
    const page = this.page;
    if (!page) return;
    const plain = !this.element("styles").checked;
    page.documentElement.toggleAttribute("data-scores", this.element("scores").checked);
    page.documentElement.toggleAttribute("data-plain", plain);
    const sheets = [...page.styleSheets];
    for (const sheet of sheets.slice(0, -1)) sheet.disabled = plain; // the last one is ours
    for (const element of page.querySelectorAll(plain ? "[style]:not([data-n])" : "[data-own-style]")) {
      if (plain) element.dataset.ownStyle = element.getAttribute("style");
      element.setAttribute("style", plain ? "" : element.dataset.ownStyle);
      if (!plain) delete element.dataset.ownStyle;
    }
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

  /* The block of another segmentation in which this one begins. */
  nearest(block) {
    const first = block.texts[0] ?? 0;
    const found = this.blocks.findIndex(({ texts }) => texts.length && texts[texts.length - 1] >= first);
    return Math.max(found, 0);
  }

  limit() {
    return this.threshold ?? this.model.threshold;
  }

  update() {
    const limit = this.limit();
    const kept = filters.keep(this.segmentation, this.model.scores, limit, this.filter);
    const states = kept.map((is, number) => (is ? "kept" : this.model.scores[number] >= limit ? "filtered" : "below"));
    this.element("threshold").value = limit;
    this.element("threshold-value").textContent = limit.toFixed(2);
    this.element("own").disabled = this.threshold === null;
    this.paint(this.hooks.states ? this.hooks.states(states) : states);
    this.describe(this.chosen);
  }

  paint(states = this.states) {
    const before = this.states;
    this.states = states;
    states.forEach((state, number) => {
      for (const element of this.elementsOf(number)) element.dataset.state = state;
      if (state === before[number]) return;
      const item = this.items[number];
      item.dataset.state = state;
      item.firstChild.textContent = this.marks()[state];
      this.spans[number].hidden = state !== "kept";
    });
    for (const paragraph of this.element("text").children) {
      paragraph.hidden = !paragraph.querySelector("span:not([hidden])");
    }
    this.count();
  }

  marks() {
    return MARKS;
  }

  count() {
    const kept = this.blocks.filter((_, number) => this.states[number] === "kept");
    const words = (blocks) => blocks.reduce((sum, block) => sum + block.words, 0).toLocaleString("en");
    const bold = (text) => Object.assign(document.createElement("b"), { textContent: text });
    this.element("count").replaceChildren(
      bold(words(kept)), ` of ${words(this.blocks)} words kept, in `,
      bold(kept.length.toLocaleString("en")), ` of ${this.blocks.length.toLocaleString("en")} blocks`,
    );
    this.element("text").dataset.empty = kept.length ? "" : "yes";
    this.nothing.hidden = kept.length > 0;
  }

  /* The text pane and the list: an element for each block, shown or hidden as it is kept or not. */
  list() {
    const make = (tag, properties, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    this.spans = [];
    const paragraphs = [];
    this.blocks.forEach(({ text, tag }, number) => {
      const glue = this.segmentation.glue[number];
      const span = make("span", {}, (glue ?? "") + text);
      span.dataset.block = number;
      this.spans.push(span);
      if (typeof glue === "string" && paragraphs.length) {
        paragraphs[paragraphs.length - 1].append(span);
        return;
      }
      const paragraph = make("p", {}, span);
      if (tag === "pre") paragraph.dataset.pre = "";
      paragraphs.push(paragraph);
    });
    this.nothing = make("p", { className: "nothing" }, "Nothing is kept. Move the threshold down to keep more.");
    this.nothing.append(make("span", { textContent: "" }));
    this.element("text").replaceChildren(this.nothing, ...paragraphs);
    this.items = this.blocks.map(({ text, tag }, number) => {
      const item = make("li", { id: `block-${number}` },
        make("span", { className: "state" }),
        make("span", { className: "score", textContent: this.model.scores[number].toFixed(2) }),
        make("span", { className: "begin", textContent: text.slice(0, 200) }));
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", "false");
      item.dataset.block = number;
      return item;
    });
    this.element("list").replaceChildren(...this.items);
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

  reveal(scrollPage = true) {
    if (!this.items) return;
    this.items[this.chosen].scrollIntoView({ block: "nearest" });
    this.spans[this.chosen].scrollIntoView({ block: "nearest" });
    const [element] = this.page ? this.elementsOf(this.chosen) : [];
    if (element && scrollPage) element.scrollIntoView({ block: "center" });
  }

  verdict(number) {
    const score = this.model.scores[number].toFixed(4);
    const limit = this.limit().toFixed(4);
    if (this.states[number] === "kept") {
      return `Kept: its score of ${score} reaches the threshold of ${limit}` + (this.filter ? `, and the filter “${this.filter}” leaves it.` : ".");
    }
    if (this.states[number] === "below") return `Dropped: its score of ${score} is below the threshold of ${limit}.`;
    return `Dropped by the filter “${this.filter}”: ${this.outside(number)} Its score of ${score} reaches the threshold of ${limit}.`;
  }

  outside(number) {
    const { first, last } = this.segmentation;
    if (this.filter === "main" && number < first) return "it stands above the title.";
    if (this.filter === "main" && number >= last) return "it stands below the heading of the comments.";
    if (this.filter === "ancestor") return "another group of blocks has more text.";
    return "another run of kept blocks has more words.";
  }

  describe(number) {
    const block = this.blocks[number];
    const card = this.element("card");
    if (!block || !this.states.length) return;
    const html = (tag, properties = {}, ...children) => {
      const element = Object.assign(document.createElement(tag), properties);
      element.append(...children);
      return element;
    };
    const state = this.states[number];
    const heading = html("h2", {}, `Block ${number + 1} of ${this.blocks.length}`, html("span", { className: "state", textContent: this.marks()[state] }));
    heading.dataset.state = state;
    const meter = html("div", { className: "meter" }, html("u"), html("i"));
    meter.setAttribute("aria-hidden", "true");
    meter.firstChild.style.left = `${this.limit() * 100}%`;
    meter.lastChild.style.left = `${this.model.scores[number] * 100}%`;
    const facts = html("dl", { className: "facts" });
    for (const [term, value, wide] of [
      ["Score", this.model.scores[number].toFixed(4)],
      ["Tag", block.tag],
      ["Words", String(block.words)],
      ["In links", `${Math.round(block.links * 100)} %`],
      ["Place", block.xpath, true],
    ]) facts.append(html("div", { className: wide ? "wide" : "" }, html("dt", { textContent: term }), html("dd", { textContent: value, className: wide ? "path" : "" })));
    card.replaceChildren(heading, meter, html("p", { className: "verdict", textContent: this.hooks.describe ? this.hooks.describe(number) : this.verdict(number) }), facts, this.reasons(number, html));
  }

  reasons(number, html) {
    const reasons = this.model.reasons?.[number];
    if (!this.model.reasons) return html("p", { className: "nothing", textContent: "Which features moved it isn’t known for this model or page." });
    if (!reasons.length) return html("p", { className: "nothing", textContent: "No feature moved the score much by itself." });
    const rows = reasons.map(([feature, value, share]) => html("tr", {},
      html("th", { scope: "row", textContent: feature.replaceAll("_", " ") }),
      html("td", { textContent: String(value) }),
      html("td", { textContent: `${share < 0 ? "−" : "+"}${Math.abs(share).toFixed(2)}`, className: share < 0 ? "against" : "for" })));
    return html("table", {}, html("caption", { textContent: "What moved the score most, in log-odds" }), html("tbody", {}, ...rows));
  }

  keydown(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const inControl = event.target?.closest?.("select, input, textarea, [role=tablist]");
    if (inControl && event.target.ownerDocument === document) return;
    if (this.hooks.keydown?.(event)) {
      event.preventDefault();
      return;
    }
    const last = this.blocks.length - 1;
    const go = { j: this.chosen + 1, ArrowDown: this.chosen + 1, k: this.chosen - 1, ArrowUp: this.chosen - 1, Home: 0, End: last }[event.key];
    if (go === undefined) return;
    event.preventDefault();
    this.choose(go);
  }
}

const view = new View(JSON.parse(document.getElementById("data").textContent));
