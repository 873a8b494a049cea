// What a tablet keeps in IndexedDB: its matches, their events until the server has them, and what a new match needs.
const name = 'antena-score';
const version = 1;
/** A change is on the disk when its promise is fulfilled, not merely handed to the system. */
const durability = 'strict';

const answerOf = (request) => new Promise((resolve, reject) => {
  request.addEventListener('success', () => resolve(request.result), { once: true });
  request.addEventListener('error', () => reject(request.error), { once: true });
});

const open = () => {
  const request = indexedDB.open(name, version);
  request.addEventListener('upgradeneeded', () => {
    request.result.createObjectStore('matches', { keyPath: 'id' });
    const events = request.result.createObjectStore('events', { keyPath: 'number', autoIncrement: true });
    events.createIndex('match', 'match');
    request.result.createObjectStore('things', { keyPath: 'name' });
  });
  return answerOf(request);
};

/**
 * The store. A match has an `id` of the tablet or of the server, `server` (its ID there; `null` before it is made),
 * `setup`, and `base`, the entries of the server that the tablet knows. An event has `match`, `id`, `event`, `at` (the
 * tablet's clocks), `time` and `state`: `waiting`, `delivered` or `refused`. A thing has a name and a value.
 */
export class MatchStore {
  #database;
  #changes = globalThis.BroadcastChannel ? new BroadcastChannel(name) : undefined;

  static async open() {
    const store = new MatchStore();
    store.#database = await open();
    // A later version of the site may change the form in another tab.
    store.#database.addEventListener('versionchange', () => store.#database.close());
    return store;
  }

  close() {
    this.#changes?.close();
    this.#database.close();
  }

  /** Calls `work` with the ID of a match that another tab has changed. */
  listen(work) { this.#changes?.addEventListener('message', ({ data }) => work(data)); }

  #read(names, work) { return work(...names.map((store) => this.#database.transaction(names).objectStore(store))); }

  /** Carries out changes in one transaction; the promise is fulfilled when they are committed. */
  async #write(names, match, work) {
    const transaction = this.#database.transaction(names, 'readwrite', { durability });
    const isDone = new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve, { once: true });
      transaction.addEventListener('abort', () => reject(transaction.error), { once: true });
    });
    const result = work(...names.map((store) => transaction.objectStore(store)));
    await isDone;
    if (match !== undefined) this.#changes?.postMessage(match);
    return result?.result;
  }

  matches() { return this.#read(['matches'], (matches) => answerOf(matches.getAll())); }

  match(id) { return this.#read(['matches'], (matches) => answerOf(matches.get(id))); }

  events(match) { return this.#read(['events'], (events) => answerOf(events.index('match').getAll(match))); }

  putMatch(match) { return this.#write(['matches'], match.id, (matches) => { matches.put(match); }); }

  /** Adds an event, and sets its number. */
  async addEvent(event) {
    event.number = await this.#write(['events'], event.match, (events) => events.add(event));
  }

  putEvents(match, changed) {
    return this.#write(['events'], match, (events) => { for (const event of changed) events.put(event); });
  }

  removeEvents(match, removed) {
    return this.#write(['events'], match, (events) => {
      for (const { number } of removed) if (number !== undefined) events.delete(number);
    });
  }

  /** Sets the server's entries of a match, which hold the events that were delivered. */
  setBase(match, delivered) {
    return this.#write(['matches', 'events'], match.id, (matches, events) => {
      matches.put(match);
      for (const { number } of delivered) events.delete(number);
    });
  }

  removeMatch(match, all) {
    return this.#write(['matches', 'events'], match, (matches, events) => {
      matches.delete(match);
      for (const { number } of all) events.delete(number);
    });
  }

  async thing(thing) { return (await this.#read(['things'], (things) => answerOf(things.get(thing))))?.value; }

  setThing(thing, value) { return this.#write(['things'], undefined, (things) => { things.put({ name: thing, value }); }); }
}
