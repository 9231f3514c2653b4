/** Draws the rows that can be seen, and no others: the script, a diff, or two sides. */
const ROW_HEIGHT = 20;
const MARGIN = 30;

class Viewport {
  constructor(view, canvas, rows) {
    Object.assign(this, { view, canvas, element: rows, rows: [], columns: 1, query: "", current: -1 });
    this.drawn = "";
    view.addEventListener("scroll", () => this.draw());
    new ResizeObserver(() => this.draw()).observe(view);
  }

  show(rows, columns, query, operators) {
    Object.assign(this, { rows, columns, query, operators, drawn: "", current: -1 });
    const widest = rows.reduce((most, row) =>
      Math.max(most, row.left?.line.length ?? 0, row.right?.line.length ?? 0), 0);
    this.canvas.style.height = `${rows.length * ROW_HEIGHT}px`;
    this.canvas.style.setProperty("--widest", `${widest}ch`);
    this.canvas.className = ["", "script", "diff", "split"][columns];
    this.draw();
  }

  draw() {
    const first = Math.max(0, Math.floor(this.view.scrollTop / ROW_HEIGHT) - MARGIN);
    const seen = Math.ceil(this.view.clientHeight / ROW_HEIGHT) + 2 * MARGIN;
    const last = Math.min(this.rows.length, first + seen);
    this.canvas.style.setProperty("--shift", `${this.view.scrollLeft}px`);
    this.canvas.style.setProperty("--shown", `${this.view.clientWidth}px`);
    const key = `${first} ${last} ${this.current}`;
    if (key === this.drawn) return;
    this.drawn = key;
    this.element.style.transform = `translateY(${first * ROW_HEIGHT}px)`;
    let html = "";
    for (let i = first; i < last; i++) html += this.rowHtml(this.rows[i], i);
    this.element.innerHTML = html;
  }

  rowHtml(row, index) {
    if (row.fold) {
      return `<div class="row fold"><button type="button" data-at="${row.at}">`
        + `⋯ ${row.fold} unchanged lines</button></div>`;
    }
    const current = index === this.current ? " current" : "";
    const gone = row.gone ? ` gone" title="${row.gone} lines removed below` : "";
    if (this.columns === 3) {
      return `<div class="row${current}">${this.cellHtml(row.left, "old")}${this.cellHtml(row.right, "new")}</div>`;
    }
    const shown = row.right ?? row.left;
    const numbers = this.columns === 1 ? number(row.right) : number(row.left) + number(row.right);
    return `<div class="row ${shown.kind}${current}${gone}"${this.originHtml(shown)}>${numbers}${this.codeHtml(shown)}</div>`;
  }

  cellHtml(side, where) {
    if (!side) return `<div class="cell none">${number()}</div>`;
    return `<div class="cell ${side.kind} ${where}-side"${this.originHtml(side)}>${number(side)}${this.codeHtml(side)}</div>`;
  }

  /** The attributes of a line that comes from operators. */
  originHtml(side) {
    if (!side.operators?.length) return "";
    const names = side.operators.map((one) => this.operators.names[one]).join(", ");
    const followed = this.operators.follows(side) ? " data-followed" : "";
    return ` data-operators="${side.operators}" title="from ${escaped(names)}"${followed}`;
  }

  codeHtml(side) {
    const marks = side.change && side.kind !== "same" ? side.change.marks(side.kind, side.index) : [];
    const sign = { old: "−", new: "+", same: " " }[side.kind];
    return `<span class="sign">${sign}</span><code>${lineHtml(side.line, marks, this.query)}</code>`;
  }

  /** Scroll to a row and point it out. */
  goTo(index) {
    this.current = index;
    this.view.scrollTop = Math.max(0, (index + 0.5) * ROW_HEIGHT - this.view.clientHeight / 3);
    this.draw();
  }

  /** The row that a step starts from: the one pointed out, or the one above the first seen. */
  get place() {
    const top = Math.floor(this.view.scrollTop / ROW_HEIGHT);
    const seen = this.current >= top && this.current * ROW_HEIGHT < this.view.scrollTop + this.view.clientHeight;
    return seen ? this.current : top - 1;
  }
}

const number = (side) => `<span class="number">${side ? side.number : ""}</span>`;
