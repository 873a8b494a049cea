// A match on this tablet: the server's entries, the tablet's own events behind them, and the board that follows.
import { boardOf, logOf } from './matchboard.js';
import { reading } from './tabletclock.js';

/** A name that nobody else makes; browsers have `randomUUID` for encrypted addresses only. */
export const newID = () => crypto.randomUUID?.() ?? [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export class KeptMatch {
  #store;
  #clock;
  #log;
  /** The entries of the tablet's own events in the log, by their IDs. */
  #positions = new Map();
  /** Changes one after the other. */
  #last = Promise.resolve();

  /** The board that the server has answered with last; `undefined` before. */
  answer;
  /** Entries of others that an event of this tablet has met; `undefined` for none. */
  race;

  static async load(store, clock, match) {
    const kept = new KeptMatch();
    [kept.#store, kept.#clock, kept.match] = [store, clock, match];
    await kept.reload();
    return kept;
  }

  /** Reads again what another tab may have changed. */
  reload() {
    return this.#inTurn(async () => {
      this.match = await this.#store.match(this.match.id) ?? this.match;
      this.events = await this.#store.events(this.match.id);
      this.#replay();
    });
  }

  #inTurn(work) {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => {});
    return turn;
  }

  #replay() {
    this.#log = logOf(this.match.setup, this.match.base);
    this.#positions.clear();
    for (const event of this.events) this.#restore(event);
  }

  /** An event as the log has it: the number of the entry that it amends is known. */
  #resolved({ event }) {
    return event.type === 'amend' && event.of ? { ...event, sequence: this.#positions.get(event.of) ?? 0 } : event;
  }

  #restore(event) {
    if (event.state === 'refused') return;
    const resolved = this.#resolved(event);
    // An event that the server has refused cannot be amended.
    if (resolved.type === 'amend' && !(resolved.sequence > 0)) return;
    this.#log.restore(resolved, event.time);
    this.#positions.set(event.id, this.#log.lastSequence);
  }

  /** Events that the server does not have yet. */
  get waiting() { return this.events.filter(({ state }) => state === 'waiting'); }

  /** Whether the browser could not keep an event that waits, so that only the page has it. */
  get hasUnkept() { return this.waiting.some(({ number }) => number === undefined); }

  get refused() { return this.events.filter(({ state }) => state === 'refused'); }

  /** The board: the server's if nothing waits and it knows no less, otherwise that of the tablet's log. */
  get board() {
    if (this.answer && this.waiting.length === 0 && this.answer.sequence >= this.#log.lastSequence) return this.answer;
    const today = new Date(this.#clock.time()).toISOString().slice(0, 10);
    return boardOf(this.match.setup, this.#log, { match: this.match.server ?? this.match.id, today });
  }

  /** The event that leaves out the last one that counts; `undefined` if there is nothing to undo. */
  #undo() {
    const last = this.#log.undoable;
    if (!last) return undefined;
    const own = [...this.#positions].find(([, sequence]) => sequence === last.sequence);
    return own ? { type: 'amend', of: own[0], event: null } : { type: 'amend', sequence: last.sequence, event: null };
  }

  /**
   * Carries an event out and keeps it. The promise gives `kept` when the event is on the disk and the board shows it,
   * `unkept` if the browser cannot keep it, so that only the page has it, and `nothing` if there is nothing to undo.
   *
   * Throws `MatchConflict` for an event that is not possible.
   */
  act(action) {
    const at = reading();
    return this.#inTurn(async () => {
      const event = action.type === 'undo' ? this.#undo() : action;
      if (!event) return 'nothing';
      const kept = { match: this.match.id, id: newID(), event, at, time: this.#clock.time(at), state: 'waiting' };
      const resolved = this.#resolved(kept);
      this.#log.check(resolved, kept.time);
      const outcome = await this.#store.addEvent(kept).then(() => 'kept', () => 'unkept');
      this.events = [...this.events, kept];
      this.#log.append(resolved, kept.time);
      this.#positions.set(kept.id, this.#log.lastSequence);
      return outcome;
    });
  }

  /** The events as the server takes them, with the server's time of each as far as the tablet knows it now. */
  wire(events) {
    return events.map(({ event, id, at }) => ({ ...event, id, time: new Date(this.#clock.time(at)).toISOString() }));
  }

  /** Notes what became of events: `delivered`, or `refused` with a reason. */
  settle(events, state, reason) {
    return this.#inTurn(async () => {
      const changed = events.map((event) => ({ ...event, state, ...(reason ? { reason } : {}) }));
      await this.#store.putEvents(this.match.id, changed.filter(({ number }) => number !== undefined));
      const byID = new Map(changed.map((event) => [event.id, event]));
      this.events = this.events.map((event) => byID.get(event.id) ?? event);
      if (state === 'refused') this.#replay();
    });
  }

  /** Notes members of the match, such as the ID that the server has given it. */
  change(members) {
    return this.#inTurn(async () => {
      const changed = { ...this.match, ...members };
      await this.#store.putMatch(changed);
      this.match = changed;
    });
  }

  /** The number of the last entry of the server that the tablet has. */
  get baseSequence() { return this.match.base.length; }

  /** The number of the last entry of the server that the tablet knows, its own among them. */
  get knownSequence() { return this.baseSequence + this.events.filter(({ state }) => state === 'delivered').length; }

  /** Forgets the events that wait: somebody has decided that they do not count. */
  dropWaiting() {
    return this.#inTurn(async () => {
      await this.#store.removeEvents(this.match.id, this.waiting);
      this.events = this.events.filter(({ state }) => state !== 'waiting');
      this.#replay();
    });
  }

  /** Adds entries of the server, in which everything that was delivered is. Nothing changes while events wait. */
  addBase(entries) {
    return this.#inTurn(async () => {
      if (this.waiting.length > 0 || entries[0]?.sequence !== this.baseSequence + 1) return;
      const base = [...this.match.base, ...entries.map(({ sequence, event, time }) => ({ sequence, event, time: Date.parse(time) }))];
      const match = { ...this.match, base };
      await this.#store.setBase(match, this.events.filter(({ state }) => state === 'delivered'));
      this.match = match;
      this.events = this.refused;
      this.#replay();
    });
  }

  /** Everything that the tablet has of the match, as a file. */
  get file() {
    const content = JSON.stringify({ match: this.match, events: this.events, board: this.board }, null, 1);
    return new File([content], `antena-match-${this.match.server ?? this.match.id}.json`, { type: 'application/json' });
  }
}
