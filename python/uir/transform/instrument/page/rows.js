/** Rows of the three views: what stands on each line of the screen. */

const CONTEXT = 3;
const SHORTEST_FOLD = 4;

/** A block that changed, with its lines paired and their words marked when first asked. */
class Change {
  constructor(removed, added) {
    this.removed = removed;
    this.added = added;
  }

  get pairs() {
    this._pairs ??= pairs(this.removed, this.added);
    return this._pairs;
  }

  marks(side, index) {
    const paired = side === "old" ? this.pairs[index] : this.pairs.indexOf(index);
    if (paired === undefined || paired < 0) return [];
    const [i, j] = side === "old" ? [index, paired] : [paired, index];
    const both = wordMarks(this.removed[i], this.added[j]);
    return both ? both[side === "old" ? 0 : 1] : [];
  }
}

/** One side of a row: `number` from 1, `kind` same, old or new, `change` and `index` for the words. */
const cell = (line, number, kind, change, index) => ({ line, number, kind, change, index });

/**
 * Rows [{left, right}], where a row of one column has `right` alone, or `left` alone for what is gone.
 * `changed` is the number of the block that the row belongs to, or -1. Lines that only moved to the
 * left or right are changed if `indented`.
 */
function viewRows(store, before, after, view, indented) {
  const textOf = (version, i) => store.lines[store.versions[version].text[i]];
  const make = { diff: unified, split: sideBySide, script: afterwards }[view];
  if (before < 0) return inputRows(store, after);
  const rows = [];
  let number = 0;
  for (const block of indented ? store.diff(before, after) : store.diffOfUnindented(before, after)) {
    if (block.same) {
      for (let i = block.a0, j = block.b0; i < block.a1; i++, j++) {
        const [left, right] = [cell(textOf(before, i), i + 1, "same"), cell(textOf(after, j), j + 1, "same")];
        rows.push({ left, right, changed: -1 });
      }
      continue;
    }
    const removed = Array.from({ length: block.a1 - block.a0 }, (_, i) => textOf(before, block.a0 + i));
    const added = Array.from({ length: block.b1 - block.b0 }, (_, j) => textOf(after, block.b0 + j));
    make(rows, new Change(removed, added), block, number++);
  }
  return rows;
}

/** The input of the first pass, which has no earlier version to differ from. */
function inputRows(store, version) {
  return Array.from(store.versions[version].text, (line, i) => (
    { right: cell(store.lines[line], i + 1, "same"), changed: -1 }));
}

/** The script of a version with the code of each function beside it; the rest of the code comes last. */
function codeRows(store, version, operators) {
  const script = inputRows(store, version).map((row) => row.right);
  const code = store.code[version].map((line, i) => cell(line, i + 1, "same"));
  const bodies = bodiesOf(store.code[version]);
  const rows = [];
  const put = (left, right) => {
    for (let i = 0; i < Math.max(left.length, right.length); i++) {
      rows.push({ left: left[i], right: right[i], changed: -1 });
    }
  };
  const used = new Uint8Array(code.length);
  const kernels = new Map();
  for (const { name, start, end } of functionsOf(script.map((one) => one.line))) {
    const [from, to] = bodies.get(name) ?? [0, 0];
    // A kernel comes from the operators of its first line, a call from those of the called kernel.
    const own = operators.of(version).get(start + 1);
    if (own) kernels.set(name, own);
    for (const one of code.slice(from, to)) one.operators = own;
    put(script.slice(start, end), code.slice(from, to));
    used.fill(1, from, to);
  }
  for (const one of code) one.operators ??= kernels.get(/\b(\w+)_\(/.exec(one.line)?.[1]) ?? [];
  put([], code.filter((_, i) => !used[i]));
  return rows;
}

/** The parts of a script, from decorator to decorator: {name, start, end}; what comes first has no name. */
function functionsOf(lines) {
  const parts = [{ start: 0 }];
  lines.forEach((line, i) => {
    if (/^\s*@tir\.prim_func/.test(line)) {
      parts[parts.length - 1].end = i;
      parts.push({ start: i });
    }
    const found = /^\s*def (\w+)\(/.exec(line);
    if (found) parts[parts.length - 1].name ??= found[1];
  });
  parts[parts.length - 1].end = lines.length;
  return parts;
}

/** The lines of each function of a C text, with the comment before it: name to [start, end]. */
function bodiesOf(lines) {
  const bodies = new Map();
  for (let i = 0; i < lines.length; i++) {
    const found = /^static int32_t (\w+)_\(/.exec(lines[i]);
    if (!found) continue;
    let start = i;
    while (start > 0 && lines[start - 1].startsWith("// ")) start--;
    while (i < lines.length && lines[i] !== "}") i++;
    bodies.set(found[1], [start, i + 1]);
  }
  return bodies;
}

const oldCell = (change, block, i) => cell(change.removed[i], block.a0 + i + 1, "old", change, i);
const newCell = (change, block, j) => cell(change.added[j], block.b0 + j + 1, "new", change, j);

function unified(rows, change, block, changed) {
  change.removed.forEach((_, i) => rows.push({ left: oldCell(change, block, i), changed }));
  change.added.forEach((_, j) => rows.push({ right: newCell(change, block, j), changed }));
}

function sideBySide(rows, change, block, changed) {
  let j = 0;
  const rest = (end) => { while (j < end) rows.push({ right: newCell(change, block, j++), changed }); };
  let left = [];
  const flush = (end) => {
    for (const i of left) {
      const right = j < end ? newCell(change, block, j++) : undefined;
      rows.push({ left: oldCell(change, block, i), right, changed });
    }
    left = [];
    rest(end);
  };
  change.pairs.forEach((paired, i) => {
    if (paired < 0) { left.push(i); return; }
    flush(paired);
    rows.push({ left: oldCell(change, block, i), right: newCell(change, block, j++), changed });
  });
  flush(change.added.length);
}

function afterwards(rows, change, block, changed) {
  if (!change.added.length && rows.length) rows[rows.length - 1].gone = change.removed.length;
  change.added.forEach((_, j) => rows.push({ right: newCell(change, block, j), changed }));
}

/** Replace long stretches of rows that are of no interest by rows {fold: how many}. */
function folded(rows, interesting, opened) {
  const near = new Uint8Array(rows.length);
  rows.forEach((row, i) => {
    if (interesting(row)) near.fill(1, Math.max(0, i - CONTEXT), i + CONTEXT + 1);
  });
  const shown = [];
  for (let i = 0; i < rows.length;) {
    let end = i;
    while (end < rows.length && !near[end]) end++;
    if (end - i >= SHORTEST_FOLD && !opened.has(i)) shown.push({ fold: end - i, at: i, changed: -1 });
    else shown.push(...rows.slice(i, end));
    if (end < rows.length) shown.push(rows[end]);
    i = end + 1;
  }
  return shown;
}
