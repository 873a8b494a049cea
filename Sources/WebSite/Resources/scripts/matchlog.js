// The events of a match, and the state that follows from them. Entries are only added: an entry has a `sequence`, a `time`
// in milliseconds since 1970, and an `event` with a `type`; `amend` puts another event in the place of an earlier one.
import { MatchConflict, MatchDamage, refuse } from './matchrules.js';
import { checkAction, MatchState } from './matchstate.js';

const unchanging = ['note', 'freeze', 'unfreeze'];

export class MatchLog {
  #beginning;
  /** The last amendment of each entry that has one; `null` leaves it out. */
  #amendments = new Map();
  entries = [];
  conflicts = [];

  constructor(rules, setup) {
    this.#beginning = MatchState.beginning(rules, setup);
    this.state = this.#beginning;
  }

  get lastSequence() { return this.entries.at(-1)?.sequence ?? 0; }

  /** The event of an entry as it counts now; `null` for one that is left out, and for amendments. */
  action({ sequence, event }) {
    if (event.type === 'amend') return null;
    return this.#amendments.has(sequence) ? this.#amendments.get(sequence) : event;
  }

  /** The newest entry whose event counts and changes the state; `undefined` if there is nothing to undo. */
  get undoable() {
    return this.entries.findLast((entry) => {
      const action = this.action(entry);
      return action !== null && !unchanging.includes(action.type);
    });
  }

  /** Throws what `append` would throw, and changes nothing. */
  check(event, time) {
    this.#require(event);
    if (event.type !== 'amend') this.state.after(event, time);
  }

  /** Adds an event; throws `MatchConflict` if it is not possible, and `MatchDamage` if it is not understood. */
  append(event, time) {
    this.#require(event);
    const next = event.type === 'amend' ? undefined : this.state.after(event, time);
    this.#add({ sequence: this.lastSequence + 1, event, time });
    if (next) this.state = next;
  }

  /** Adds an event that is kept although it is not possible any more: it becomes a conflict, and changes nothing. */
  restore(event, time) {
    const sequence = this.lastSequence + 1;
    if (event.type !== 'amend') this.#apply(sequence, event, time);
    this.#add({ sequence, event, time });
  }

  /** Adds many entries at once, such as those of the server. */
  restoreAll(entries) {
    for (const { event, time } of entries) {
      const sequence = this.lastSequence + 1;
      this.entries.push({ sequence, event, time });
      if (event.type === 'amend') this.#amendments.set(event.sequence, event.event ?? null);
    }
    this.#replay();
  }

  #require(event) {
    if (event.type !== 'amend') { checkAction(event); return; }
    if (!Number.isInteger(event.sequence)) throw new MatchDamage('sequence');
    const target = this.entries[event.sequence - 1];
    if (!target || target.event.type === 'amend') refuse('unknownEvent');
    if (event.event) checkAction(event.event);
  }

  #add(entry) {
    this.entries.push(entry);
    if (entry.event.type !== 'amend') return;
    this.#amendments.set(entry.event.sequence, entry.event.event ?? null);
    this.#replay();
  }

  #apply(sequence, action, time) {
    try {
      this.state = this.state.after(action, time);
    } catch (error) {
      if (!(error instanceof MatchConflict)) throw error;
      this.conflicts.push({ sequence, reason: error.reason });
    }
  }

  #replay() {
    this.state = this.#beginning;
    this.conflicts = [];
    for (const entry of this.entries) {
      const action = this.action(entry);
      if (action) this.#apply(entry.sequence, action, entry.time);
    }
  }
}
