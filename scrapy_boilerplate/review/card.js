/* The details of one block. Texts of the page are inserted as text only, never as markup. */

const make = (tag, properties = {}, ...children) => {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children);
  return element;
};

const card = {
  /* All parts of the card for a block of a view. */
  of(view, number) {
    return [card.heading(view, number), card.meter(view, number), card.verdict(view, number),
      card.facts(view, number), card.place(view.blocks[number]), card.reasons(view.model, number)];
  },

  heading(view, number) {
    const state = view.states[number];
    const mark = make("span", { className: "state", textContent: view.marks[state] });
    const heading = make("h2", {}, `Block ${number + 1} of ${view.blocks.length}`, mark);
    heading.dataset.state = state;
    return heading;
  },

  /* The score, and the threshold as a dashed line. */
  meter(view, number) {
    const meter = make("div", { className: "meter", ariaHidden: "true" }, make("u"), make("i"));
    meter.firstChild.style.left = `${view.limit() * 100}%`;
    meter.lastChild.style.left = `${view.model.scores[number] * 100}%`;
    return meter;
  },

  verdict(view, number) {
    return make("p", { className: "verdict", textContent: view.verdict(number) });
  },

  facts(view, number) {
    const block = view.blocks[number];
    return make("dl", { className: "facts" },
      card.fact("Score", view.model.scores[number].toFixed(4)),
      card.fact("Kind", block.kind),
      card.fact("Tag", block.tag),
      card.fact("Words", String(block.words)),
      card.fact("In links", `${Math.round(block.links * 100)} %`),
      card.fact("Characters", String(block.characters)));
  },

  place({ xpath }) {
    const copy = make("button", { type: "button", textContent: "Copy XPath", title: "Copy the XPath (x)" });
    copy.addEventListener("click", () => copier.copy(xpath, xpath));
    const path = make("dl", { className: "facts path", title: xpath }, card.fact("Place", xpath));
    return make("div", { className: "place" }, path, copy);
  },

  fact(term, value) {
    return make("div", {}, make("dt", { textContent: term }), make("dd", { textContent: value }));
  },

  reasons(model, number) {
    if (!model.reasons) return card.nothing("For this model or page, there are no reasons.");
    if (!model.reasons[number].length) return card.nothing("No feature moved the score much by itself.");
    const rows = model.reasons[number].map(([feature, value, share, words]) => make("tr", {},
      make("th", { scope: "row", textContent: words, title: `${feature} = ${value}` }),
      make("td", {
        textContent: `${share < 0 ? "−" : "+"}${Math.abs(share).toFixed(2)}`,
        className: share < 0 ? "against" : "for",
      })));
    const caption = make("caption", { textContent: "What moved the score most, in log-odds" });
    return make("table", {}, caption, make("tbody", {}, ...rows));
  },

  nothing(text) {
    return make("p", { className: "nothing", textContent: text });
  },
};
