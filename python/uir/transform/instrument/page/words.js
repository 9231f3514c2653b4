/** Which parts of two lines differ, and which removed line became which added one. */

const TOKEN = /\w+|\s+|[^\w\s]/g;
const MOST_CELLS = 40000;

/** Ranges [start, end] of characters that differ in each line; null if little is common. */
function wordMarks(before, after) {
  const a = before.match(TOKEN) ?? [];
  const b = after.match(TOKEN) ?? [];
  let start = 0;
  while (start < a.length && start < b.length && a[start] === b[start]) start++;
  let end = 0;
  while (end < a.length - start && end < b.length - start
         && a[a.length - 1 - end] === b[b.length - 1 - end]) end++;
  const keptA = new Uint8Array(a.length).fill(1, 0, start).fill(1, a.length - end);
  const keptB = new Uint8Array(b.length).fill(1, 0, start).fill(1, b.length - end);
  markCommon(a, b, start, end, keptA, keptB);
  const kept = a.reduce((sum, token, i) => sum + (keptA[i] && token.trim() ? token.length : 0), 0);
  if (kept * 4 < Math.min(before.trim().length, after.trim().length)) return null;
  return [ranges(a, keptA), ranges(b, keptB)];
}

/** The longest common subsequence of the tokens between `start` and `end`. */
function markCommon(a, b, start, end, keptA, keptB) {
  const n = a.length - start - end;
  const m = b.length - start - end;
  if (!n || !m || n * m > MOST_CELLS) return;
  const width = m + 1;
  const longest = new Uint16Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      longest[i * width + j] = a[start + i] === b[start + j]
        ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  for (let i = 0, j = 0; i < n && j < m;) {
    if (a[start + i] === b[start + j]) { keptA[start + i++] = 1; keptB[start + j++] = 1; }
    else if (longest[(i + 1) * width + j] >= longest[i * width + j + 1]) i++;
    else j++;
  }
}

/** Ranges of the tokens that were not kept; blanks between two of them belong to the range. */
function ranges(tokens, kept) {
  const found = [];
  let at = 0;
  tokens.forEach((token, i) => {
    const last = found[found.length - 1];
    const joins = kept[i] && !token.trim() && last && last[1] === at && i + 1 < tokens.length && !kept[i + 1];
    if (!kept[i] || joins) {
      if (last && last[1] === at) last[1] = at + token.length;
      else found.push([at, at + token.length]);
    }
    at += token.length;
  });
  return found;
}

/** How often each word and sign stands in a line. */
function bag(line) {
  const counts = new Map();
  for (const token of line.match(TOKEN) ?? []) {
    if (token.trim()) counts.set(token, (counts.get(token) ?? 0) + token.length);
  }
  return counts;
}

/** Share of the characters that two lines have in common, word by word, from 0 to 1. */
function likeness(before, after) {
  let [common, all] = [0, 0];
  for (const [token, size] of before) {
    common += 2 * Math.min(size, after.get(token) ?? 0);
    all += size;
  }
  for (const size of after.values()) all += size;
  return all ? common / all : 0;
}

const MOST_PAIRS = 4000;

/** For each removed line the added one that it became, or -1; never crossing. */
function pairs(removed, added) {
  const n = removed.length;
  const m = added.length;
  if (n === m && n * m > MOST_PAIRS) return removed.map((_, i) => i);
  if (!n || !m || n * m > MOST_PAIRS) return removed.map(() => -1);
  const [before, after] = [removed.map(bag), added.map(bag)];
  const width = m + 1;
  const alike = new Float64Array(n * m);
  const best = new Float64Array((n + 1) * width);
  for (let i = n - 1; i >= 0; i--) {
    for (let j = m - 1; j >= 0; j--) {
      const found = likeness(before[i], after[j]);
      alike[i * m + j] = found > 0.4 ? found : 0;
      best[i * width + j] = Math.max(best[(i + 1) * width + j], best[i * width + j + 1],
        alike[i * m + j] && best[(i + 1) * width + j + 1] + alike[i * m + j]);
    }
  }
  const paired = removed.map(() => -1);
  for (let i = 0, j = 0; i < n && j < m;) {
    const together = alike[i * m + j];
    if (together && best[i * width + j] === best[(i + 1) * width + j + 1] + together) paired[i++] = j++;
    else if (best[i * width + j] === best[(i + 1) * width + j]) i++;
    else j++;
  }
  return paired;
}
