// What the browser remembers: choices of the visitor, and positions, which are kept on the server for members.

const prefix = 'antena:';
/** The speeds that can be chosen. */
export const speeds = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2];
/** Positions from so many seconds on are kept, up to this share of the length. */
export const [leastPosition, finishedShare] = [30, 0.95];
/** Positions that a visitor's browser keeps; the oldest ones are forgotten. */
const keptPositions = 200;
/** How often a position is written while something plays, in milliseconds. */
export const writeInterval = 15000;

/** A value of the browser's store; a browser that keeps nothing has the fallback. */
export const recall = (name, fallback) => {
  try {
    const text = localStorage.getItem(prefix + name);
    return text === null ? fallback : JSON.parse(text);
  } catch { return fallback; }
};

export const keep = (name, value) => {
  try { localStorage.setItem(prefix + name, JSON.stringify(value)); } catch { /* A browser that keeps nothing. */ }
};

/** The languages of the visitor: the one chosen last, then those of the browser. */
export const languages = (kind) => [recall(`${kind}Language`), ...(navigator.languages || [navigator.language])].filter(Boolean);

export class Positions {
  #written;

  /**
   * @param options `kind` and `id` of what is played; `token` of the member's session (X-CSRF-Token), without which the
   *   browser keeps the position.
   */
  constructor({ kind, id, token, name, poster, page }) { Object.assign(this, { kind, id, token, about: { name, poster, page } }); }

  get #path() { return `/api/v1/me/positions/${encodeURIComponent(this.kind)}/${encodeURIComponent(this.id)}`; }

  /** The seconds at which to go on; `undefined` for the beginning. */
  async read() {
    if (!this.id) return undefined;
    // A link of the forum to a time in a title.
    const linked = /^#t=(\d{1,6})$/.exec(location.hash);
    if (linked && this.kind === 'title') return Number(linked[1]);
    if (!this.token) {
      const found = recall('positions', {})[`${this.kind}/${this.id}`];
      return found && !found.finished ? found.position : undefined;
    }
    try {
      const answer = await fetch(this.#path, { headers: { Accept: 'application/json' } });
      if (!answer.ok) return undefined;
      const { position, finished } = await answer.json();
      return finished ? undefined : position;
    } catch { return undefined; }
  }

  /** Notes where somebody is. `leaving` for a page that goes away meanwhile. */
  write(position, duration, { leaving = false } = {}) {
    this.length = duration;
    if (!this.id || !Number.isFinite(duration) || duration <= 0 || position < leastPosition) return;
    const finished = position >= duration * finishedShare;
    const rounded = Math.round(position * 10) / 10;
    if (this.#written === rounded) return;
    this.#written = rounded;
    if (!this.token) { this.#keep(rounded, duration, finished); return; }
    fetch(this.#path, {
      method: 'PUT', keepalive: leaving,
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': this.token },
      body: JSON.stringify({ position: rounded, duration: Math.round(duration * 10) / 10 }),
    }).catch(() => { this.#written = undefined; });
  }

  #keep(position, duration, finished) {
    const all = recall('positions', {});
    all[`${this.kind}/${this.id}`] = { ...this.about, position, duration, finished, at: Date.now() };
    const names = Object.keys(all);
    if (names.length > keptPositions) {
      names.sort((a, b) => all[a].at - all[b].at).slice(0, names.length - keptPositions).forEach((name) => delete all[name]);
    }
    keep('positions', all);
  }
}
