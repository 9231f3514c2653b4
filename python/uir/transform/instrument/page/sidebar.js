/** The list of passes: a tree, one of whose entries is selected. */
class Sidebar {
  constructor(element, passes, choose) {
    Object.assign(this, { element, passes, closed: new Set(), onlyChanged: false, selected: 0 });
    this.slowest = Math.max(1, ...passes.filter((pass, i) => !this.isGroup(i)).map((pass) => pass.time ?? 0));
    element.addEventListener("click", (event) => {
      const item = event.target.closest("[data-pass]");
      if (!item) return;
      if (event.target.closest(".chevron")) this.toggle(Number(item.dataset.pass));
      else choose(Number(item.dataset.pass));
    });
  }

  isGroup(index) {
    return index + 1 < this.passes.length && this.passes[index + 1].depth > this.passes[index].depth;
  }

  parent(index) {
    let parent = index - 1;
    while (parent >= 0 && this.passes[parent].depth >= this.passes[index].depth) parent--;
    return parent;
  }

  /** The entries that can be seen now. */
  get visible() {
    const seen = [];
    let closedDepth = Infinity;
    this.passes.forEach((pass, i) => {
      if (pass.depth > closedDepth) return;
      closedDepth = this.closed.has(i) ? pass.depth : Infinity;
      const worth = !this.onlyChanged || pass.changed || pass.failed || pass.input || i === this.selected;
      if (worth) seen.push(i);
    });
    return seen;
  }

  toggle(index, close = !this.closed.has(index)) {
    if (!this.isGroup(index)) return;
    if (close) this.closed.add(index);
    else this.closed.delete(index);
    this.draw();
  }

  /** Make sure that an entry can be seen. */
  reveal(index) {
    for (let parent = this.parent(index); parent >= 0; parent = this.parent(parent)) this.closed.delete(parent);
  }

  select(index) {
    this.selected = index;
    this.reveal(index);
    this.draw();
    document.getElementById(`pass-${index}`)?.scrollIntoView({ block: "nearest" });
  }

  draw(hits = this.hits) {
    this.hits = hits;
    this.element.innerHTML = this.visible.map((i) => this.itemHtml(i)).join("");
    this.element.setAttribute("aria-activedescendant", `pass-${this.selected}`);
  }

  itemHtml(index) {
    const pass = this.passes[index];
    const group = this.isGroup(index);
    const hits = this.hits?.(index);
    const classes = ["item", pass.failed && "failed", !pass.changed && !pass.failed && !pass.input && "idle",
      hits === 0 && "no-hits"].filter(Boolean).join(" ");
    const share = group || pass.input ? 0 : pass.time / this.slowest;
    const expanded = group ? ` aria-expanded="${!this.closed.has(index)}"` : "";
    return `<div role="treeitem" id="pass-${index}" class="${classes}" data-pass="${index}" aria-level="${pass.depth + 1}"`
      + ` aria-selected="${index === this.selected}"${expanded} style="--depth:${pass.depth};--share:${share.toFixed(3)}">`
      + `<span class="chevron" aria-hidden="true">${group ? "▾" : ""}</span>`
      + `<span class="name">${escaped(pass.name)}</span>`
      + (hits === undefined ? changesHtml(pass) : `<span class="hits" title="places found">${hits || ""}</span>`)
      + `<span class="time">${pass.input ? "" : duration(pass.time)}</span></div>`;
  }
}

function changesHtml(pass) {
  if (pass.failed) return '<span class="changes"><span class="bad">failed</span></span>';
  if (!pass.changed) return '<span class="changes"></span>';
  return `<span class="changes"><span class="plus">+${pass.added}</span> <span class="minus">−${pass.removed}</span></span>`;
}

/** Nanoseconds with a unit, to three digits. */
function duration(nanoseconds) {
  const units = [["s", 1e9], ["ms", 1e6], ["µs", 1e3], ["ns", 1]];
  const [unit, size] = units.find(([, one]) => nanoseconds >= one) ?? units[3];
  const value = nanoseconds / size;
  return `${value >= 100 || size === 1 ? Math.round(value) : value.toPrecision(value >= 10 ? 3 : 2)} ${unit}`;
}
