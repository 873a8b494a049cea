// The store of a browser that lets pages keep nothing: it forgets with the page.
export class MemoryStore {
  #matches = new Map();
  #events = [];
  #things = new Map();

  close() {}

  listen() {}

  async matches() { return [...this.#matches.values()]; }

  async match(id) { return this.#matches.get(id); }

  async events(match) { return this.#events.filter((event) => event.match === match); }

  async putMatch(match) { this.#matches.set(match.id, match); }

  async addEvent(event) {
    this.#events.push(event);
  }

  async putEvents(match, changed) {
    const byID = new Map(changed.map((event) => [event.id, event]));
    this.#events = this.#events.map((event) => byID.get(event.id) ?? event);
  }

  async removeEvents(match, removed) {
    this.#events = this.#events.filter((event) => !removed.includes(event));
  }

  async setBase(match, delivered) {
    this.#matches.set(match.id, match);
    this.#events = this.#events.filter(({ id }) => !delivered.some((event) => event.id === id));
  }

  async removeMatch(match) {
    this.#matches.delete(match);
    this.#events = this.#events.filter((event) => event.match !== match);
  }

  async thing(name) { return this.#things.get(name); }

  async setThing(name, value) { this.#things.set(name, value); }
}
