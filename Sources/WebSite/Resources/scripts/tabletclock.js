// The server's time on a tablet whose clock may be wrong, may jump and may stand while the tablet sleeps.
//
// A reading of the tablet's clocks has `wall` (Date.now()), `steady` (the monotonic clock since the document was loaded,
// counted from its time origin) and `session`, which tells documents apart. A contact has the offsets of the server's
// time from both clocks at one moment. Times are milliseconds since 1970.
import { every } from './page.js';

const address = '/live/time';
const sampleCount = 5;
/** The number of contacts that are remembered. */
const memory = 40;
const measureTime = 300000;
/** Two clocks that differ by less go alike; a timer of a browser is not exact. */
const tolerance = 100;

const session = `${performance.timeOrigin}-${Math.random().toString(36).slice(2)}`;

/** The tablet's clocks now. */
export const reading = () => ({ wall: Date.now(), steady: performance.timeOrigin + performance.now(), session });

export const median = (values) => [...values].sort((first, second) => first - second)[Math.floor(values.length / 2)];

/**
 * Asks the server for its time, several times in a row: its time, and both clocks at the same moment.
 *
 * @returns `undefined` if it does not answer.
 */
export const askForTime = async () => {
  const samples = [];
  try {
    for (let count = 0; count < sampleCount; count += 1) {
      const before = reading();
      const answer = await fetch(address, { cache: 'no-store' });
      const server = Date.parse(await answer.text());
      const after = reading();
      if (!answer.ok || Number.isNaN(server)) return undefined;
      // The server read its clock between the two, most likely in the middle.
      samples.push({ session, server, wall: (before.wall + after.wall) / 2, steady: (before.steady + after.steady) / 2 });
    }
  } catch { return undefined; }
  return samples;
};

/** The contact of several samples: each offset is the median of theirs. */
export const contactOf = (samples) => {
  const last = samples.at(-1);
  return {
    session: last.session, steadyAt: last.steady, drift: median(samples.map(({ wall, steady }) => wall - steady)),
    wall: median(samples.map((sample) => sample.server - sample.wall)),
    steady: median(samples.map((sample) => sample.server - sample.steady)),
  };
};

/**
 * The server's time at a reading.
 *
 * Within a document the monotonic clock counts. If the clocks have moved apart between the reading and the contact,
 * either the tablet's time was set, or the monotonic clock stood while the tablet slept: a contact before the reading
 * tells which of them the server's time has followed. Without one, the tablet has slept. After a reload only the
 * tablet's time connects the two.
 */
export const serverTime = (at, contacts) => {
  const last = contacts.at(-1);
  if (!last) return at.wall;
  const own = contacts.filter((contact) => contact.session === at.session);
  const next = own.find(({ steadyAt }) => steadyAt > at.steady) ?? own.at(-1);
  if (!next) return at.wall + last.wall;
  const drift = at.wall - at.steady;
  if (Math.abs(drift - next.drift) <= tolerance) return at.steady + next.steady;
  const before = own.findLast(({ steadyAt }) => steadyAt <= at.steady);
  // A contact that is followed by none, and a change of one of the clocks since then.
  if (next.steadyAt <= at.steady) return at.wall + next.wall;
  const wasSet = before && Math.abs(before.wall - next.wall) > Math.abs(before.steady - next.steady);
  return wasSet ? at.steady + next.steady : at.wall + next.wall;
};

/** Measures the offsets to the server, and remembers them in a store. */
export class TabletClock {
  #contacts = [];
  #store;
  #measuring;

  constructor(store, signal) {
    this.#store = store;
    every(measureTime, () => this.measure(), signal);
    addEventListener('online', () => this.measure(), { signal });
  }

  async load() { this.#contacts = await this.#store.thing('contacts') ?? []; }

  /** The server's time now, or that of an earlier reading. */
  time(at = reading()) { return Math.round(serverTime(at, this.#contacts)); }

  /** Asks the server for its time; nothing changes if it does not answer. */
  measure() {
    this.#measuring ??= this.#measure().finally(() => { this.#measuring = undefined; });
    return this.#measuring;
  }

  async #measure() {
    const samples = await askForTime();
    if (!samples) return false;
    this.#contacts = [...this.#contacts, contactOf(samples)].slice(-memory);
    await this.#store.setThing('contacts', this.#contacts);
    return true;
  }
}
