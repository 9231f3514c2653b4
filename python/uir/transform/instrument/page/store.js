/** The versions of the module, and which lines differ between any two of them. */
class Store {
  constructor(data) {
    this.title = data.title;
    this.lines = data.lines;
    this.unindented = numbered(data.lines.map((line) => line.trimStart()));
    this.passes = data.passes;
    this.versions = decode(data.versions);
    this.code = data.code;
    this.schedules = data.schedules;
    this.identities = this.versions.reduce((most, version) => Math.max(most, version.next), 0);
  }

  /** Blocks that are the same on both sides or changed, in order. */
  diff(before, after) {
    const a = this.versions[before];
    const b = this.versions[after];
    const inA = new Uint8Array(this.identities);
    const inB = new Uint8Array(this.identities);
    for (const id of a.id) inA[id] = 1;
    for (const id of b.id) inB[id] = 1;
    const blocks = [];
    let i = 0;
    let j = 0;
    while (i < a.id.length || j < b.id.length) {
      const [i0, j0] = [i, j];
      while (i < a.id.length && !inB[a.id[i]]) i++;
      while (j < b.id.length && !inA[b.id[j]]) j++;
      if (i > i0 || j > j0) refine(blocks, a.text, i0, i, b.text, j0, j);
      const [i1, j1] = [i, j];
      while (i < a.id.length && j < b.id.length && a.id[i] === b.id[j]) { i++; j++; }
      if (i > i1) push(blocks, true, i1, i, j1, j);
    }
    return blocks;
  }

  /** The blocks of `diff`, where lines are the same that differ only in their indentation. */
  diffOfUnindented(before, after) {
    const [a, b] = [before, after].map((version) => this.versions[version].text.map((line) => this.unindented[line]));
    const blocks = [];
    for (const { same, a0, a1, b0, b1 } of this.diff(before, after)) {
      if (same) push(blocks, true, a0, a1, b0, b1);
      else refine(blocks, a, a0, a1, b, b0, b1);
    }
    return blocks;
  }

  /** What recipes have chosen for a version. */
  schedule(version) { return factsAt(this.schedules, version); }

  script(version) {
    return Array.from(this.versions[version].text, (line) => this.lines[line]).join("\n") + "\n";
  }
}

/** What is known about a version: what is said of the last one that says something. */
function factsAt(facts, version) {
  for (let at = version; at >= 0; at--) if (facts[at]) return facts[at];
  return [];
}

/** A number for each text, the same for equal ones. */
function numbered(texts) {
  const numbers = new Map();
  return texts.map((text) => {
    if (!numbers.has(text)) numbers.set(text, numbers.size);
    return numbers.get(text);
  });
}

/** Each version's lines, and for each line the identity that it keeps as long as it stays. */
function decode(encoded) {
  const versions = [];
  let version = { text: new Int32Array(0), id: new Int32Array(0), next: 0 };
  for (const hunks of encoded) {
    version = patched(version, hunks);
    versions.push(version);
  }
  return versions;
}

function patched(old, hunks) {
  const grown = hunks.reduce((sum, [, removed, added]) => sum + added.length - removed, 0);
  const text = new Int32Array(old.text.length + grown);
  const id = new Int32Array(text.length);
  let [from, to, next] = [0, 0, old.next];
  const keep = (end) => {
    text.set(old.text.subarray(from, end), to);
    id.set(old.id.subarray(from, end), to);
    to += end - from;
    from = end;
  };
  for (const [start, removed, added] of hunks) {
    keep(start);
    for (const line of added) { text[to] = line; id[to++] = next++; }
    from += removed;
  }
  keep(old.text.length);
  return { text, id, next };
}

function push(blocks, same, a0, a1, b0, b1) {
  const last = blocks[blocks.length - 1];
  if (last && last.same === same && last.a1 === a0 && last.b1 === b0) { last.a1 = a1; last.b1 = b1; }
  else blocks.push({ same, a0, a1, b0, b1 });
}

/** Find lines that went and came back, by Myers' algorithm where that is cheap. */
function refine(blocks, a, a0, a1, b, b0, b1) {
  const end = [a1, b1];
  const start = [a0, b0];
  while (a0 < a1 && b0 < b1 && a[a0] === b[b0]) { a0++; b0++; }
  if (a0 > start[0]) push(blocks, true, start[0], a0, start[1], b0);
  while (a0 < a1 && b0 < b1 && a[a1 - 1] === b[b1 - 1]) { a1--; b1--; }
  for (const [i, j, n] of common(a.slice(a0, a1), b.slice(b0, b1))) {
    change(blocks, a0, a0 + i, b0, b0 + j);
    push(blocks, true, a0 + i, a0 + i + n, b0 + j, b0 + j + n);
    // What follows is counted from the end of this run.
    a0 += i + n;
    b0 += j + n;
  }
  change(blocks, a0, a1, b0, b1);
  if (end[0] > a1) push(blocks, true, a1, end[0], b1, end[1]);
}

function change(blocks, a0, a1, b0, b1) {
  if (a1 > a0 || b1 > b0) push(blocks, false, a0, a1, b0, b1);
}

const MOST_EDITS = 400;

/** Runs that two lists have in common: [skipped in a, skipped in b, length], one after the other. */
function common(a, b) {
  if (!a.length || !b.length) return [];
  const trace = [];
  let reach = { 1: 0 };
  for (let edits = 0; edits <= Math.min(a.length + b.length, MOST_EDITS); edits++) {
    trace.push(reach);
    const further = { ...reach };
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && reach[k - 1] < reach[k + 1]);
      let x = down ? reach[k + 1] : reach[k - 1] + 1;
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++;
      further[k] = x;
      if (x >= a.length && x - k >= b.length) return runs(trace, a.length, b.length);
    }
    reach = further;
  }
  return [];
}

/** Follow the traces of Myers' algorithm back. */
function runs(trace, x, y) {
  const found = [];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits];
    const k = x - y;
    const down = k === -edits || (k !== edits && reach[k - 1] < reach[k + 1]);
    const before = down ? k + 1 : k - 1;
    const beforeX = edits ? reach[before] : 0;
    const beforeY = edits ? beforeX - before : 0;
    const startX = edits ? (down ? beforeX : beforeX + 1) : 0;
    if (x > startX) found.push([startX, startX - k, x - startX]);
    [x, y] = [beforeX, beforeY];
  }
  let [i, j] = [0, 0];
  return found.reverse().map(([startX, startY, n]) => {
    const run = [startX - i, startY - j, n];
    [i, j] = [startX + n, startY + n];
    return run;
  });
}
