/** What the page shows, and how keys, clicks and the address change it. */
const byId = (id) => document.getElementById(id);

const VIEWS = ["diff", "split", "script", "code"];

class App {
  constructor(data) {
    const passes = data.passes.map((pass) => ({ ...pass, failed: pass.after === null }));
    if (data.versions.length) passes.unshift({ name: "Input", input: true, depth: 0, before: -1, after: 0 });
    this.store = new Store({ ...data, passes });
    this.passes = passes;
    this.search = new Search(this.store);
    this.operators = new Operators(data);
    this.sidebar = new Sidebar(byId("passes"), passes, (index) => this.choose(index));
    this.viewport = new Viewport(byId("view"), byId("canvas"), byId("rows"));
    Object.assign(this, { index: 0, view: "diff", fold: true, indented: true, opened: new Set() });
    this.describe(data);
    this.drawOperators();
  }

  describe(data) {
    document.title = data.title;
    byId("title").textContent = data.title;
    const outermost = data.passes.filter((pass) => pass.depth === 0);
    // A sequence only runs the passes in it.
    const single = data.passes.filter((pass, i) => !(data.passes[i + 1]?.depth > pass.depth));
    const changed = single.filter((pass) => pass.changed).length;
    const failed = data.passes.some((pass) => pass.after === null);
    const time = duration(outermost.reduce((sum, pass) => sum + pass.time, 0));
    byId("summary").textContent = `${plural(single.length, "pass", "passes")} in ${time}, `
      + `${changed} changed the module${failed ? ", one failed" : ""}`;
  }

  choose(index) {
    if (!this.passes.length) return;
    this.index = Math.min(Math.max(index, 0), this.passes.length - 1);
    this.opened = new Set();
    this.sidebar.select(this.index);
    this.draw();
    byId("view").scrollTop = 0;
    if (this.operators.followed.size) this.jump(1);
    history.replaceState(null, "", `#${this.index}`);
    byId("said").textContent = `${this.pass.name}: ${byId("pass-facts").textContent}`;
  }

  get pass() { return this.passes[this.index]; }

  draw() {
    const { pass } = this;
    const after = pass.failed ? pass.before : pass.after;
    const view = this.possible(this.view, after);
    this.shown = view;
    this.rows = view === "code"
      ? codeRows(this.store, after, this.operators) : viewRows(this.store, pass.before, after, view, this.indented);
    this.operators.attach(this.rows, view === "code" ? after : pass.before, after);
    const interesting = (row) => row.changed >= 0 || row.gone || this.search.found(row) || this.operators.found(row);
    this.folds = this.fold && this.rows.some(interesting);
    const shown = this.folds ? folded(this.rows, interesting, this.opened) : this.rows;
    this.viewport.show(shown, { script: 1, diff: 2, split: 3, code: 3 }[view], this.search.query, this.operators);
    this.drawHead(view);
  }

  /** The view, or the script where a pass has nothing else to show. */
  possible(view, version) {
    const { pass } = this;
    if (view === "code") return this.store.code[version] ? "code" : "script";
    return pass.input || pass.failed || !pass.changed ? "script" : view;
  }

  drawSchedule() {
    const { pass, store } = this;
    const lines = store.schedule(pass.after ?? pass.before);
    const before = new Set(store.schedule(pass.before));
    byId("schedule").hidden = !lines.length;
    byId("schedule-title").textContent = `Schedule: ${plural(lines.length, "choice", "choices")}`;
    byId("schedule-lines").innerHTML = lines.map((line) =>
      `<span class="${before.has(line) ? "kept" : "new"}">${escaped(line)}</span>`).join("\n");
  }

  drawHead(view) {
    const { pass } = this;
    byId("pass-name").textContent = pass.name;
    byId("pass-facts").innerHTML = this.facts();
    byId("error").hidden = !pass.failed;
    byId("error").innerHTML = pass.failed ? errorHtml(pass) : "";
    for (const button of document.querySelectorAll("[data-view]")) {
      button.setAttribute("aria-checked", String(button.dataset.view === view));
      button.disabled = this.possible(button.dataset.view, pass.after ?? pass.before) !== button.dataset.view;
    }
    byId("fold").setAttribute("aria-pressed", String(this.fold));
    byId("indentation").setAttribute("aria-pressed", String(!this.indented));
    this.drawSchedule();
  }

  facts() {
    const { pass } = this;
    const lines = (version) => plural(this.store.versions[version].text.length, "line", "lines");
    if (pass.input) return `the module before the first pass · ${lines(0)}`;
    const place = `${this.index} of ${this.passes.length - 1}`;
    const time = `${duration(pass.time)} · level ${pass.level}`;
    if (pass.failed) return `${place} · ${time} · failed; below is what it was given`;
    const change = pass.changed ? `${changesHtml(pass)} · ${lines(pass.after)}` : `no change · ${lines(pass.after)}`;
    return `${place} · ${time} · ${change}`;
  }

  /** Go to the pass `step` entries further that the list shows, and that `wanted` takes. */
  step(step, wanted = () => true) {
    const seen = this.sidebar.visible;
    let place = seen.indexOf(this.index) + step;
    while (place >= 0 && place < seen.length && !wanted(this.passes[seen[place]])) place += step;
    if (place >= 0 && place < seen.length) this.choose(seen[place]);
  }

  /** Go to the next change or, while something is searched or followed, the next place of it. */
  jump(step) {
    const { rows, place } = this.viewport;
    const wanted = this.search.query
      ? (row) => this.search.found(row)
      : this.operators.followed.size
      ? (row, i) => this.operators.found(row) && !(i && this.operators.found(rows[i - 1]))
      : (row, i) => (row.changed >= 0 && row.changed !== rows[i - 1]?.changed) || Boolean(row.gone);
    const count = rows.length;
    for (let tried = 1; tried <= count; tried++) {
      const i = (place + step * tried + 2 * count) % count;
      if (wanted(rows[i], i)) { this.viewport.goTo(i); return; }
    }
  }

  setView(view) {
    this.view = view;
    this.opened = new Set();
    this.draw();
  }

  toggleFold() {
    this.fold = !this.fold;
    this.opened = new Set();
    this.draw();
  }

  toggleIndentation() {
    this.indented = !this.indented;
    this.opened = new Set();
    this.draw();
  }

  setQuery(query) {
    this.search.set(query);
    this.sidebar.draw(query ? (i) => this.search.count(this.passes[i].after ?? this.passes[i].before) : undefined);
    this.sidebar.hits = query ? this.sidebar.hits : undefined;
    if (!query) this.sidebar.draw();
    this.draw();
    const here = query ? this.search.count(this.pass.after ?? this.pass.before) : 0;
    const versions = new Set(this.passes.map((pass) => pass.after ?? pass.before));
    const holding = [...versions].filter((version) => this.search.count(version)).length;
    byId("hits").textContent = query ? `${here} here, in ${holding} of ${versions.size} versions` : "";
    if (here) this.jump(1);
  }

  /** Mark the lines that come from operators, in all versions; the same ones again end that. */
  follow(operators) {
    this.operators.toggle(operators);
    this.drawOperators();
    this.draw();
    const { text } = this.operators;
    byId("said").textContent = text ? `follows ${text}` : "follows no operator";
  }

  drawOperators() {
    const { followed, names } = this.operators;
    byId("operators").hidden = !names.length;
    byId("operator").innerHTML = operatorOptions(this.operators);
    byId("operator").value = followed.size > 1 ? "several" : String([...followed][0] ?? "");
  }

  setTheme(theme) {
    document.documentElement.dataset.theme = theme;
    byId("theme").textContent = theme === "dark" ? "☀" : "☾";
    byId("theme").setAttribute("aria-label", theme === "dark" ? "Light colors" : "Dark colors");
  }

  toggleTheme() {
    this.setTheme(document.documentElement.dataset.theme === "dark" ? "light" : "dark");
    remember("theme", document.documentElement.dataset.theme);
  }

  async copy() {
    const version = this.pass.after ?? this.pass.before;
    const text = this.shown === "code" ? this.store.code[version].join("\n") + "\n" : this.store.script(version);
    await navigator.clipboard.writeText(text);
    byId("said").textContent = "copied";
    byId("copy").textContent = "Copied";
    setTimeout(() => { byId("copy").textContent = "Copy"; }, 1200);
  }
}
