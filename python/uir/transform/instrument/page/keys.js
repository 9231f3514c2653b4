/** Connects the page's keys and buttons, and starts it. */

const plural = (count, one, many) => `${count} ${count === 1 ? one : many}`;

function errorHtml(pass) {
  return `<strong>${escaped(pass.name)} failed</strong><pre>${escaped(pass.error ?? "it did not come to its end")}</pre>`;
}

/** Storage is refused to pages of some origins; they forget. */
function remember(name, value) {
  try { localStorage.setItem(`uir-explorer-${name}`, value); } catch { /* Forgotten. */ }
}

function remembered(name) {
  try { return localStorage.getItem(`uir-explorer-${name}`); } catch { return null; }
}

/** Whether a pass is worth a stop: it changed something or, in a search, holds what was found. */
const worthAStop = (app) => (pass) => app.search.query
  ? app.search.count(pass.after ?? pass.before) > 0
  : pass.changed || pass.failed || pass.input;

function keysOf(app) {
  const search = () => { byId("query").focus(); byId("query").select(); };
  return {
    j: () => app.step(1), ArrowDown: () => app.step(1), k: () => app.step(-1), ArrowUp: () => app.step(-1),
    J: () => app.step(1, worthAStop(app)), K: () => app.step(-1, worthAStop(app)),
    g: () => app.choose(0), G: () => app.choose(app.passes.length - 1),
    ArrowRight: () => app.sidebar.toggle(app.index, false),
    ArrowLeft: () => {
      const close = app.sidebar.isGroup(app.index) && !app.sidebar.closed.has(app.index);
      if (close) app.sidebar.toggle(app.index, true);
      else if (app.sidebar.parent(app.index) >= 0 && app.pass.depth) app.choose(app.sidebar.parent(app.index));
    },
    n: () => app.jump(1), p: () => app.jump(-1), "/": search,
    d: () => app.setView(VIEWS[(VIEWS.indexOf(app.view) + 1) % VIEWS.length]),
    1: () => app.setView("diff"), 2: () => app.setView("split"), 3: () => app.setView("script"), 4: () => app.setView("code"),
    f: () => app.toggleFold(), i: () => app.toggleIndentation(), c: () => byId("only-changed").click(), y: () => app.copy(),
    o: () => byId("operator").focus(),
    s: () => { byId("schedule").open = !byId("schedule").open; },
    t: () => app.toggleTheme(), "?": () => byId("help").showModal(),
  };
}

function onKey(app, keys, event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId("help").open) return;
  if (event.target === byId("query")) { onSearchKey(app, event); return; }
  if (event.key === "Escape" && app.search.query) { byId("query").value = ""; app.setQuery(""); return; }
  if (event.target === byId("operator")) return;
  if (event.key === "Escape" && app.operators.followed.size) { app.follow([]); return; }
  const action = keys[event.key];
  // The arrows that a focused module does not need for scrolling step through the passes.
  const scrolls = event.target === byId("view") && event.key.startsWith("Arrow");
  if (!action || scrolls) return;
  event.preventDefault();
  action();
}

function onSearchKey(app, event) {
  if (event.key === "Enter") app.jump(event.shiftKey ? -1 : 1);
  if (event.key !== "Escape") return;
  byId("query").value = "";
  app.setQuery("");
  byId("passes").focus();
}

function connect(app) {
  const keys = keysOf(app);
  const on = (id, type, action) => byId(id).addEventListener(type, action);
  document.addEventListener("keydown", (event) => onKey(app, keys, event));
  on("query", "input", () => app.setQuery(byId("query").value));
  on("only-changed", "change", () => {
    app.sidebar.onlyChanged = byId("only-changed").checked;
    app.sidebar.draw();
  });
  on("theme", "click", () => app.toggleTheme());
  on("help-open", "click", () => byId("help").showModal());
  on("fold", "click", () => app.toggleFold());
  on("indentation", "click", () => app.toggleIndentation());
  on("next-change", "click", () => app.jump(1));
  on("previous-change", "click", () => app.jump(-1));
  on("copy", "click", () => app.copy());
  for (const button of document.querySelectorAll("[data-view]")) {
    button.addEventListener("click", () => app.setView(button.dataset.view));
  }
  on("rows", "click", (event) => {
    const at = event.target.closest("[data-at]")?.dataset.at;
    if (at !== undefined) {
      app.opened.add(Number(at));
      app.draw();
      return;
    }
    const line = event.target.closest("[data-operators]");
    // A click that selects text is not for the operator.
    if (line && getSelection().isCollapsed) app.follow(line.dataset.operators.split(",").map(Number));
  });
  on("operator", "change", () => {
    const { value } = byId("operator");
    app.operators.followed.clear();
    app.follow(value === "" ? [] : [Number(value)]);
    if (value !== "") app.jump(1);
    byId("passes").focus({ preventScroll: true });
  });
  window.addEventListener("hashchange", () => app.choose(Number(location.hash.slice(1)) || 0));
}

function start() {
  const app = new App(JSON.parse(byId("data").textContent));
  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  app.setTheme(remembered("theme") ?? (dark.matches ? "dark" : "light"));
  dark.addEventListener("change", () => {
    if (!remembered("theme")) app.setTheme(dark.matches ? "dark" : "light");
  });
  connect(app);
  const failed = app.passes.findLastIndex?.((pass) => pass.failed) ?? -1;
  const asked = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : undefined;
  app.choose(asked ?? (failed >= 0 ? failed : 0));
  byId("passes").focus({ preventScroll: true });
}

start();
