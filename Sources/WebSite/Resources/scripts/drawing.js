// A drawing on a court: lines, and the steps back and forth. Nothing here knows a page.

/** Limits that the server has as well, and that of the steps back. */
export const limits = { strokes: 400, points: 400, bytes: 128 * 1024, x: 16000, y: 10000, steps: 100, name: 80 };
/** How far a line may be from what was drawn, in its coordinates. */
const firstTolerance = 12;

/** The distance of a point from the line between two others. */
export const distance = (x, y, fromX, fromY, toX, toY) => {
  const [wayX, wayY] = [toX - fromX, toY - fromY];
  const length = wayX * wayX + wayY * wayY;
  const share = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - fromX) * wayX + (y - fromY) * wayY) / length));
  return Math.hypot(x - fromX - share * wayX, y - fromY - share * wayY);
};

/** The indexes of the points that a line keeps (Ramer, Douglas and Peucker); no recursion, whatever was drawn. */
const kept = (points, tolerance) => {
  const last = points.length / 2 - 1;
  const found = new Set([0, last]);
  const parts = [[0, last]];
  while (parts.length > 0) {
    const [from, to] = parts.pop();
    let [farthest, most] = [0, tolerance];
    for (let index = from + 1; index < to; index += 1) {
      const away = distance(points[index * 2], points[index * 2 + 1], points[from * 2], points[from * 2 + 1], points[to * 2], points[to * 2 + 1]);
      if (away > most) [farthest, most] = [index, away];
    }
    if (farthest > 0) {
      found.add(farthest);
      parts.push([from, farthest], [farthest, to]);
    }
  }
  return [...found].sort((first, second) => first - second);
};

const bounded = (value, most) => Math.min(most, Math.max(0, Math.round(value)));

/** A line with no more points than a line may have; `points` has x and y in turns. */
export const simplified = (points) => {
  const whole = points.map((value, index) => bounded(value, index % 2 === 0 ? limits.x : limits.y));
  for (let tolerance = firstTolerance; ; tolerance *= 2) {
    const indexes = kept(whole, tolerance);
    if (indexes.length <= limits.points) return indexes.flatMap((index) => whole.slice(index * 2, index * 2 + 2));
  }
};

/** Whether a place is on a line, or as near as `reach`. */
const touches = ({ points, width }, x, y, reach) => {
  const near = width / 2 + reach;
  for (let index = 0; index < points.length / 2; index += 1) {
    const next = Math.min(index + 1, points.length / 2 - 1) * 2;
    if (distance(x, y, points[index * 2], points[index * 2 + 1], points[next], points[next + 1]) <= near) return true;
  }
  return false;
};

const sizeOf = (strokes) => new TextEncoder().encode(JSON.stringify(strokes)).length;

export class Drawing {
  #past = [];
  #future = [];
  #strokes;

  constructor({ court = 'plain', strokes = [] } = {}) {
    this.court = court;
    this.#strokes = strokes;
  }

  get strokes() { return this.#strokes; }

  get canUndo() { return this.#past.length > 0; }

  get canRedo() { return this.#future.length > 0; }

  /** What the server takes. */
  get content() { return { court: this.court, strokes: this.#strokes }; }

  #become(strokes) {
    this.#past = [...this.#past, this.#strokes].slice(-limits.steps);
    this.#future = [];
    this.#strokes = strokes;
  }

  /** Adds a line; returns false if the drawing is full. */
  add({ color, width, opacity, points }) {
    const strokes = [...this.#strokes, { color, width, opacity, points: simplified(points) }];
    if (strokes.length > limits.strokes || sizeOf(strokes) > limits.bytes) return false;
    this.#become(strokes);
    return true;
  }

  /** Takes the lines at a place away. What one movement erases is one step: `continues` after its first place. */
  erase(x, y, reach, continues = false) {
    const strokes = this.#strokes.filter((stroke) => !touches(stroke, x, y, reach));
    if (strokes.length === this.#strokes.length) return false;
    if (continues) this.#strokes = strokes; else this.#become(strokes);
    return true;
  }

  clear() {
    if (this.#strokes.length > 0) this.#become([]);
  }

  undo() {
    if (!this.canUndo) return;
    this.#future = [...this.#future, this.#strokes];
    this.#strokes = this.#past.pop();
  }

  redo() {
    if (!this.canRedo) return;
    this.#past = [...this.#past, this.#strokes];
    this.#strokes = this.#future.pop();
  }
}
