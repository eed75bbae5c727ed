/* The view as an editor of labels: every change is saved at once. */

class Editor extends View {
  constructor(data) {
    super(data);
    this.labels = [...data.editor.content];
    this.revision = data.editor.revision;
    this.undone = []; // the labels before each change
    this.anchor = null; // where the selection began
    this.destination = null; // the page to open as soon as all is saved
    this.failed = false; // whether the last attempt to save failed
    this.marks = {
      "content": "✓ content",
      "boilerplate": "✗ boilerplate",
      "maybe-content": "? content",
      "maybe-boilerplate": "? boilerplate",
    };
  }

  start() {
    const { element } = this;
    document.body.dataset.editor = "";
    this.listenToInput(false); // until the page is shown
    this.explain();
    const actions = {
      content: () => this.label(true),
      boilerplate: () => this.label(false),
      undo: () => this.undo(),
      accept: () => this.askToAccept(),
      next: () => this.turn(1),
      previous: () => this.turn(-1),
      more: () => this.toggleControls(),
      help: () => element("keys").showModal(),
      theirs: () => this.loadTheirs(),
      mine: () => this.keepMine(),
      yes: () => this.accept(),
      no: () => element("question").close(),
    };
    for (const [id, action] of Object.entries(actions)) element(id).addEventListener("click", action);
    addEventListener("beforeunload", (event) => (this.unsaved || this.saving) && event.preventDefault());
    // "Back" may restore this page: its labels may be old then, and its input is off.
    addEventListener("pageshow", (event) => event.persisted && location.reload());
    super.start();
    const { page, pages, lost } = this.data.editor;
    element("previous").disabled = page === 0;
    element("next").disabled = page === pages.length - 1;
    const texts = lost.map((text) => `“${text.slice(0, 40)}”`).join(", ");
    this.say(lost.length ? `Labels of an earlier version of this page that match no block: ${texts}`
      : "All changes are saved at once.");
  }

  explain() {
    const samples = ["content, by you", "boilerplate, by you", "content?", "boilerplate?"];
    const items = Object.keys(this.marks).map((state, number) => {
      const sample = make("span", { className: "sample", textContent: samples[number] });
      sample.dataset.state = state;
      return make("li", {}, sample);
    });
    document.querySelector(".legend").replaceChildren(...items);
    document.querySelector(".keys").textContent = "Press ? for all keys.";
    this.element("list").setAttribute("aria-multiselectable", "true");
  }

  /* On narrow screens, model and threshold are hidden until the user asks for them. */
  toggleControls() {
    const shown = document.body.toggleAttribute("data-controls");
    this.element("more").setAttribute("aria-expanded", String(shown));
  }

  pageLoaded() {
    super.pageLoaded();
    this.page.documentElement.dataset.editor = "";
    this.page.addEventListener("pointerup", () => this.endDrag());
    this.page.addEventListener("click", (event) => this.tap(event));
    addEventListener("pointerup", () => this.endDrag());
    this.listenToInput(true);
  }

  /* Keys and clicks are ignored until their page is shown, and while a dialog is open. */

  listenToInput(listens) {
    this.endDrag();
    document.body.inert = !listens; // also stops the mouse, the buttons and the frame
  }

  keydown(event) {
    if (document.body.inert || document.querySelector("dialog[open]")) return;
    super.keydown(event);
  }

  /* Labels: the user's, or else the model's suggestions. */

  shownStates() {
    this.showProgress();
    return this.labels.map((label, number) => {
      if (label !== null) return label ? "content" : "boilerplate";
      return this.verdicts[number] === "kept" ? "maybe-content" : "maybe-boilerplate";
    });
  }

  isKept(number) {
    return this.states[number].endsWith("content");
  }

  verdict(number) {
    const label = this.labels[number];
    const suggestion = this.verdicts[number] === "kept" ? "content" : "boilerplate";
    return label === null ? `The model suggests ${suggestion}; you have not labelled it.`
      : `You marked it as ${label ? "content" : "boilerplate"}; the model suggests ${suggestion}.`;
  }

  selection() {
    const from = this.anchor ?? this.chosen;
    const [first, last] = [Math.min(from, this.chosen), Math.max(from, this.chosen)];
    return Array.from({ length: last - first + 1 }, (_, step) => first + step);
  }

  label(value, numbers = this.selection(), { step = true } = {}) {
    const changed = numbers.filter((number) => this.labels[number] !== value);
    if (!changed.length) return;
    if (step) this.undone.push([...this.labels]);
    for (const number of changed) this.labels[number] = value;
    const what = changed.length === 1 ? `Block ${changed[0] + 1}` : `${changed.length} blocks`;
    this.changed(`${what}: ${value === null ? "no label" : value ? "content" : "boilerplate"}.`);
  }

  toggle() {
    this.label(!this.isKept(this.chosen));
  }

  unlabelled() {
    return this.labels.map((_, number) => number).filter((number) => this.labels[number] === null);
  }

  askToAccept() {
    const rest = this.unlabelled();
    if (!rest.length) return;
    const content = rest.filter((number) => this.isKept(number)).length;
    const { page, pages } = this.data.editor;
    this.element("question-text").textContent =
      `Page ${page + 1} of ${pages.length}: ${content} blocks become content, ${rest.length - content} boilerplate.`;
    this.element("question").showModal();
  }

  accept() {
    this.element("question").close();
    const rest = this.unlabelled();
    this.undone.push([...this.labels]);
    for (const number of rest) this.labels[number] = this.isKept(number);
    this.changed(`${rest.length} suggestions accepted.`);
  }

  undo() {
    if (!this.undone.length) return;
    this.endDrag();
    this.labels = this.undone.pop();
    this.changed("Undone.");
  }

  changed(message) {
    this.paint(this.shownStates());
    this.describe(this.chosen);
    this.save(message);
  }

  showProgress() {
    const { page, pages } = this.data.editor;
    const [labelled, blocks] = [this.labels.filter((label) => label !== null).length, this.labels.length];
    const progress = pages.map((other, number) => (number === page ? { labelled, blocks } : other));
    const done = progress.filter((other) => other.blocks && other.labelled === other.blocks).length;
    Object.assign(this.element("progress"), { max: blocks, value: labelled });
    const [here, all] = [`Page ${page + 1} of ${pages.length}`, `${done} of ${pages.length} pages done`];
    this.element("progress-text").textContent = `${here}: ${labelled} of ${blocks} blocks labelled. ${all}.`;
    this.element("undo").disabled = !this.undone.length;
    this.element("accept").disabled = labelled === blocks;
  }

  /* Saving: one request at a time, always with the latest labels. */

  save(message = "") {
    this.unsaved = true;
    this.message = message;
    this.saving ??= this.saveAll().finally(() => { this.saving = null; });
  }

  async saveAll() {
    while (this.unsaved) {
      this.unsaved = false;
      this.say(`${this.message} Saving…`);
      const answer = await this.send();
      this.failed = answer.status !== 200;
      if (!this.failed) {
        this.revision = answer.revision;
        if (!this.unsaved) this.say(`${this.message} Saved.`);
        continue;
      }
      this.unsaved = true;
      if (this.destination !== null) this.stay();
      this.say(`Not saved: ${answer.message}.`, true);
      if (answer.status === 409) this.conflict(answer.revision);
      // A restarted server answers 403 until its address is opened in this browser, so go on trying.
      if (answer.status && answer.status !== 403) return;
      await new Promise((resolve) => setTimeout(resolve, 2000)); // and try again
    }
  }

  async send() {
    const { page, name, digest } = this.data.editor;
    try {
      const response = await fetch(`/labels/${page + 1}`, {
        method: "PUT",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ page: name, digest, content: this.labels, revision: this.revision }),
      });
      return { status: response.status, ...(await response.json()) };
    } catch {
      return { status: 0, message: "the server doesn’t answer" };
    }
  }

  conflict(revision) {
    this.theirRevision = revision;
    this.element("conflict").showModal();
  }

  loadTheirs() {
    this.unsaved = false;
    this.listenToInput(false);
    location.reload();
  }

  keepMine() {
    this.revision = this.theirRevision;
    this.element("conflict").close();
    this.save();
  }

  say(text, isError = false) {
    this.element("saved").textContent = text.trim();
    this.element("saved").classList.toggle("error", isError);
  }

  async turn(step) {
    const next = this.data.editor.page + step;
    if (next < 0 || next >= this.data.editor.pages.length) return;
    if (this.saving && this.failed) return; // saving is retried, and the user has been told
    this.destination = next;
    this.listenToInput(false);
    if (this.unsaved) this.save(this.message);
    await this.saving; // leaving now would lose the request
    if (this.destination !== next) return;
    this.say(`Loading page ${next + 1}…`);
    location.href = `/page/${next + 1}`;
  }

  stay() {
    this.destination = null;
    this.listenToInput(true);
  }

  /* Mouse and touch: a press toggles a block, a drag gives the blocks on its way the same label. */

  press(event) {
    const number = this.blockAt(event.target);
    if (number === null || event.button !== 0) return;
    this.select(null);
    this.choose(number, { scroll: false });
    if (event.pointerType === "touch") return; // it may begin a scroll; a tap arrives as a click
    this.drag = { value: !this.isKept(number) };
    this.label(this.drag.value);
  }

  tap(event) {
    if (event.pointerType === "touch" && this.blockAt(event.target) === this.chosen) this.toggle();
  }

  hover(event) {
    super.hover(event);
    const number = this.blockAt(event.target);
    if (!this.drag || number === null || number === this.chosen) return;
    if (!(event.buttons & 1)) {
      this.endDrag();
      return;
    }
    const [from, to] = [Math.min(number, this.chosen), Math.max(number, this.chosen)];
    this.choose(number, { scroll: false });
    const way = Array.from({ length: to - from + 1 }, (_, step) => from + step);
    this.label(this.drag.value, way, { step: false });
  }

  endDrag() {
    this.drag = null;
  }

  /* Keyboard. */

  clicked(number, event) {
    if (event.shiftKey) this.anchor ??= this.chosen;
    else this.anchor = null;
    this.choose(number);
    this.showSelection();
  }

  select(anchor) {
    this.anchor = anchor;
    this.showSelection();
  }

  showSelection() {
    for (const item of this.marked || []) item.removeAttribute("data-marked");
    this.marked = this.anchor === null || !this.items ? [] : this.selection().map((number) => this.items[number]);
    for (const item of this.marked) {
      item.setAttribute("aria-selected", "true");
      item.dataset.marked = "";
    }
    this.drawFrames();
  }

  framedBlocks() {
    return this.selection();
  }

  key(event) {
    const extended = { ArrowDown: 1, ArrowUp: -1, J: 1, K: -1 }[event.key];
    if (event.shiftKey && extended) {
      this.anchor ??= this.chosen;
      this.choose(this.chosen + extended);
      this.showSelection();
      return true;
    }
    const actions = {
      "c": () => this.label(true),
      "x": () => this.label(false),
      " ": () => this.toggle(),
      "Backspace": () => this.label(null),
      "Delete": () => this.label(null),
      "u": () => this.undo(),
      "a": () => this.askToAccept(),
      "n": () => this.turn(1),
      "p": () => this.turn(-1),
      "?": () => this.element("keys").showModal(),
      "Escape": () => this.select(null),
    };
    if (event.key === " " && event.target?.closest?.("button")) return false;
    if (event.key in actions) {
      actions[event.key]();
      return true;
    }
    if (super.key(event)) {
      this.select(null);
      return true;
    }
    return false;
  }

  act() {
    return false;
  }
}

const view = new Editor(JSON.parse(document.getElementById("data").textContent));
view.start();
