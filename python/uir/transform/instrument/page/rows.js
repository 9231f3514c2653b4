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
 * `changed` is the number of the block that the row belongs to, or -1.
 */
function viewRows(store, before, after, view) {
  const textOf = (version, i) => store.lines[store.versions[version].text[i]];
  const make = { diff: unified, split: sideBySide, script: afterwards }[view];
  if (before < 0) return inputRows(store, after);
  const rows = [];
  let number = 0;
  for (const block of store.diff(before, after)) {
    if (block.same) {
      for (let i = block.a0, j = block.b0; i < block.a1; i++, j++) {
        const line = textOf(after, j);
        rows.push({ left: cell(line, i + 1, "same"), right: cell(line, j + 1, "same"), changed: -1 });
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

/** The script and the code of a version, each from its first line. */
function codeRows(store, version) {
  const script = inputRows(store, version).map((row) => row.right);
  const code = store.code[version].map((line, i) => cell(line, i + 1, "same"));
  return Array.from({ length: Math.max(script.length, code.length) }, (_, i) => (
    { left: script[i], right: code[i], changed: -1 }));
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
