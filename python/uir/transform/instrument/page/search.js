/** Where a text occurs, in every version. */
class Search {
  constructor(store) {
    this.store = store;
    this.query = "";
    this.counts = new Map();
  }

  set(query) {
    this.query = query.toLowerCase();
    this.counts.clear();
    this.inLine = this.query
      ? Uint16Array.from(this.store.lines, (line) => occurrences(line, this.query).length)
      : undefined;
  }

  /** How often the text occurs in a version. */
  count(version) {
    if (!this.query || version < 0) return 0;
    if (!this.counts.has(version)) {
      let sum = 0;
      for (const line of this.store.versions[version].text) sum += this.inLine[line];
      this.counts.set(version, sum);
    }
    return this.counts.get(version);
  }

  found(row) {
    if (!this.query) return false;
    const line = (row.right ?? row.left)?.line ?? "";
    return line.toLowerCase().includes(this.query);
  }
}
