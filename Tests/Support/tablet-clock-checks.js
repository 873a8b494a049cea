// The server's time of taps on tablets whose clocks go wrong in several ways.
import { contactOf, median, serverTime } from './tabletclock.js';

/** A tablet: `wall` and `steady` are the errors of its clocks against the server's, in milliseconds. */
class Tablet {
  #contacts = [];

  constructor({ wall = 0, steady = 0 }) { Object.assign(this, { wall, steady, session: 'first', now: 1764000000000 }); }

  pass(milliseconds) { this.now += milliseconds; }

  /** Somebody sets the tablet's clock, or the network does. */
  set(error) { this.wall = error; }

  /** The monotonic clock stands. */
  sleep(milliseconds) {
    this.pass(milliseconds);
    this.steady -= milliseconds;
  }

  /** The page is opened again: the monotonic clock begins at the tablet's time. */
  reload() {
    this.session = `${this.session}+`;
    this.steady = this.wall;
  }

  get reading() { return { wall: this.now + this.wall, steady: this.now + this.steady, session: this.session }; }

  /** Five samples, of which one was delayed on its way. */
  contact() {
    const samples = [0, 2, 900, -1, 1].map((delay) => ({ ...this.reading, server: this.now + delay }));
    this.#contacts.push(contactOf(samples));
  }

  /** The error of the time that a reading gets now. */
  error({ at, now }) { return serverTime(at, this.#contacts) - now; }

  tap() { return { at: this.reading, now: this.now }; }
}

const play = (errors, ...steps) => {
  const tablet = new Tablet(errors);
  let tap;
  for (const step of steps) {
    if (step === 'tap') tap = tablet.tap();
    else if (typeof step === 'number') tablet.pass(step);
    else step(tablet);
  }
  return tablet.error(tap);
};
const contact = (tablet) => tablet.contact();
const minute = 60000;
const checks = {
  'a clock that is right': play({}, contact, minute, 'tap', minute, contact),
  'a clock that is half a minute behind': play({ wall: -30000, steady: -30000 }, contact, minute, 'tap', minute, contact),
  'no contact before the tap': play({ wall: 5000, steady: 5000 }, 'tap', minute, contact),
  'a clock that is set after the tap': play({ wall: -30000, steady: -30000 }, contact, 'tap', minute, (tablet) => tablet.set(0), minute, contact),
  'a clock that is set before the tap': play({ wall: -30000, steady: -30000 }, contact, (tablet) => tablet.set(0), 'tap', minute, contact),
  'a tablet that sleeps after the tap': play({ wall: 4000, steady: 4000 }, contact, 'tap', (tablet) => tablet.sleep(10 * minute), contact),
  'a tablet that sleeps, without a contact before': play({ wall: 4000, steady: 4000 }, 'tap', (tablet) => tablet.sleep(10 * minute), contact),
  'a page that is opened again': play({ wall: -30000, steady: -30000 }, 'tap', minute, (tablet) => tablet.reload(), minute, contact),
  'a tap that is read before there was a contact after it': play({ wall: 7000, steady: 7000 }, contact, minute, 'tap'),
};
const failures = Object.entries(checks).filter(([, error]) => Math.abs(error) > 5).map(([name, error]) => `${name}: ${error} ms off`);
if (median([5, 1, 4, 2, 3]) !== 3) failures.push('median');
globalThis.antenaResult = { count: Object.keys(checks).length, failures };
