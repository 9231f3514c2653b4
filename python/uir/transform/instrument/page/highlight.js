/** A line of script as HTML: the parts of its syntax, what changed in it, and what was searched. */

const SYNTAX = new RegExp([
  "(?<comment>#.*|^\\s*//.*)",
  "(?<string>\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*')",
  "(?<decorator>@[\\w.]+)",
  "(?<keyword>\\b(?:and|as|assert|class|def|elif|else|False|for|from|if|import|in|is|lambda|None|not|or|pass|return|True|while|with)\\b)",
  "(?<number>\\b\\d[\\w.]*)",
  "(?<scope>\\b(?:ir|tir|relay|te|meta|metadata)(?=[.\\[]))",
  "(?<name>[A-Za-z_]\\w*)",
].join("|"), "g");

const LONGEST_HIGHLIGHTED = 2000;
const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text) => text.replace(/[&<>"]/g, (character) => ESCAPES[character]);

/** Ranges [start, end, class] of a line's syntax. */
function syntax(line) {
  const found = [];
  if (line.length > LONGEST_HIGHLIGHTED) return found;
  for (const match of line.matchAll(SYNTAX)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    const called = kind === "name" && line[match.index + match[0].length] === "(";
    if (kind !== "name" || called) {
      found.push([match.index, match.index + match[0].length, called ? "call" : kind]);
    }
  }
  return found;
}

/** Ranges [start, end] at which a lower-case text occurs. */
function occurrences(line, query) {
  const found = [];
  if (!query) return found;
  const lower = line.toLowerCase();
  for (let at = lower.indexOf(query); at >= 0; at = lower.indexOf(query, at + query.length)) {
    found.push([at, at + query.length]);
  }
  return found;
}

/** The line as HTML; `marks` are the ranges that changed. */
function lineHtml(line, marks, query) {
  const layers = [syntax(line), marks, occurrences(line, query)];
  const ends = new Set([0, line.length]);
  for (const layer of layers) for (const [start, end] of layer) ends.add(start).add(end);
  const cuts = [...ends].sort((a, b) => a - b);
  const at = [0, 0, 0];
  let html = "";
  for (let i = 0; i + 1 < cuts.length; i++) {
    const [kind, mark, hit] = layers.map((layer, l) => {
      while (at[l] < layer.length && layer[at[l]][1] <= cuts[i]) at[l]++;
      const range = layer[at[l]];
      return range && range[0] <= cuts[i] ? range : undefined;
    });
    const classes = [kind && `s-${kind[2]}`, mark && "word"].filter(Boolean).join(" ");
    const text = escaped(line.slice(cuts[i], cuts[i + 1]));
    const inner = classes ? `<span class="${classes}">${text}</span>` : text;
    html += hit ? `<mark>${inner}</mark>` : inner;
  }
  return html;
}
