/** Follows operators of the model: which lines of each version, and of its C, come from them. */
class Operators {
  constructor(data) {
    this.names = data.operators;
    this.places = data.places;
    this.byLine = new Map();
    this.followed = new Set();
  }

  /** The operators of a version's lines, by their numbers from 1. */
  of(version) {
    if (!this.byLine.has(version)) {
      const lines = new Map();
      for (const [first, last, ...operators] of factsAt(this.places, version)) {
        for (let line = first; line <= last; line++) lines.set(line, operators);
      }
      this.byLine.set(version, lines);
    }
    return this.byLine.get(version);
  }

  /** Tell the sides of rows their operators; those of C have them already. */
  attach(rows, before, after) {
    const [left, right] = [before, after].map((version) => this.of(version));
    for (const row of rows) {
      if (row.left) row.left.operators ??= left.get(row.left.number);
      if (row.right) row.right.operators ??= right.get(row.right.number);
    }
  }

  /** Follow operators, or none if these are followed already. */
  toggle(operators) {
    const same = operators.length === this.followed.size && operators.every((one) => this.followed.has(one));
    this.followed = new Set(same ? [] : operators);
  }

  follows(side) { return Boolean(side?.operators?.some((one) => this.followed.has(one))); }

  found(row) { return this.follows(row.left) || this.follows(row.right); }

  /** What is followed, as a text. */
  get text() { return [...this.followed].map((one) => this.names[one]).join(", "); }
}

/** The entries of a list of choices; several operators are an entry of their own while they are followed. */
function operatorOptions(operators) {
  const several = operators.followed.size > 1 ? [["several", operators.text]] : [];
  return [["", "none followed"], ...several, ...operators.names.map((name, i) => [i, name])]
    .map(([value, name]) => `<option value="${value}">${escaped(name)}</option>`).join("");
}
