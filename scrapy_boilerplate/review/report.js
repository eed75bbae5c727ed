"use strict";

/* The list of pages can be searched and sorted; without this script it is complete, the least sure page first. */
class Report {
  constructor() {
    this.element = (id) => document.getElementById(id);
    this.body = this.element("rows");
    this.rows = [...this.body.rows];
    this.heads = [...document.querySelectorAll(".pages thead th")];
    this.sorted = { column: 0, isDescending: false };
  }

  start() {
    const { element } = this;
    element("search").hidden = false;
    element("search").addEventListener("submit", (event) => event.preventDefault());
    element("words").addEventListener("input", () => this.search());
    element("type").addEventListener("change", () => this.search());
    element("sort").addEventListener("change", (event) => this.sort(Number(event.target.value), false));
    this.heads.forEach((head, column) => this.addButton(head, column));
    this.addTypes();
    if (element("copy")) {
      element("copy").hidden = false;
      element("copy").addEventListener("click", () => copier.copy(element("command").textContent, "the command"));
    }
    this.search();
  }

  addButton(head, column) {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.addEventListener("click", () => {
      const isAgain = this.sorted.column === column;
      this.sort(column, isAgain && !this.sorted.isDescending);
    });
    head.append(button);
    this.element("sort").append(new Option(button.textContent, column));
  }

  addTypes() {
    const types = this.rows.map((row) => row.querySelector("[data-type]")?.dataset.type).filter(Boolean);
    this.element("type-field").hidden = !types.length;
    for (const type of [...new Set(types)].sort()) this.element("type").append(new Option(type, type));
  }

  /* Show the rows that have all words of the search, and the chosen type. */
  search() {
    const words = this.element("words").value.toLowerCase().split(/\s+/).filter(Boolean);
    const type = this.element("type").value;
    for (const row of this.rows) {
      const text = row.cells[1].textContent.toLowerCase();
      const hasType = !type || row.querySelector("[data-type]").dataset.type === type;
      row.hidden = !(hasType && words.every((word) => text.includes(word)));
    }
    const shown = this.rows.filter((row) => !row.hidden).length;
    this.element("found").textContent = `${shown.toLocaleString("en")} of ${this.rows.length.toLocaleString("en")}`;
    this.showCommand();
  }

  sort(column, isDescending) {
    this.sorted = { column, isDescending };
    const value = ({ cells }) => {
      const { dataset, textContent } = cells[column];
      return dataset.value === undefined ? textContent : Number(dataset.value);
    };
    const compare = (one, other) => (typeof one === "number" ? one - other : one.localeCompare(other, "en"));
    this.rows.sort((one, other) => compare(value(one), value(other)) * (isDescending ? -1 : 1));
    this.body.append(...this.rows);
    this.heads.forEach((head, number) => {
      if (number === column) head.ariaSort = isDescending ? "descending" : "ascending";
      else head.removeAttribute("aria-sort");
    });
    this.element("sort").value = column;
    this.showCommand();
  }

  /* The command opens the first pages that are shown, as report.py writes it for the first of all. */
  showCommand() {
    if (!this.element("command")) return;
    const urls = this.rows.filter((row) => !row.hidden).map((row) => row.dataset.url).filter(Report.isFetchable);
    const words = urls.slice(0, 10).map(Report.quoted);
    this.element("label").hidden = !words.length;
    this.element("command").textContent = ["scrapy boilerplate label", ...words].join(" ");
  }

  static isFetchable(url) {
    return /^https?:\/\//.test(url) && !/[\p{C}\p{Z}]/u.test(url);
  }

  /* A word for the shell, which must not read anything else in it. */
  static quoted(word) {
    return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'"'"'`)}'`;
  }
}

new Report().start();
