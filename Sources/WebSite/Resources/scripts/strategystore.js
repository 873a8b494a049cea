// The drawings that a tablet keeps in IndexedDB, also without a network.
const name = 'antena-strategy';
const version = 1;

const answerOf = (request) => new Promise((resolve, reject) => {
  request.addEventListener('success', () => resolve(request.result), { once: true });
  request.addEventListener('error', () => reject(request.error), { once: true });
});

/**
 * A drawing has an `id` of the tablet, `server` (its ID there; `null` before), `revision`, `name`, `court`, `strokes`,
 * `changedAt`, `key` (of the request that makes it), `owner` (the username of the account that it is saved with;
 * `undefined` before) and `state`: `saved`, `changed` or `deleted`. The one that has no name yet has the ID `draft`.
 */
export class StrategyStore {
  #database;
  #memory;

  /** The username of the account that is logged in; `undefined` while it is not known, and for a stranger. */
  account;

  /** Opens the store; in a browser that keeps nothing, it forgets with the page. */
  static async open() {
    const store = new StrategyStore();
    try {
      const request = indexedDB.open(name, version);
      request.addEventListener('upgradeneeded', () => request.result.createObjectStore('drawings', { keyPath: 'id' }));
      store.#database = await answerOf(request);
      store.#database.addEventListener('versionchange', () => store.#database.close());
    } catch {
      store.#memory = new Map();
    }
    return store;
  }

  close() { this.#database?.close(); }

  async #write(work) {
    const transaction = this.#database.transaction('drawings', 'readwrite');
    const isDone = new Promise((resolve, reject) => {
      transaction.addEventListener('complete', resolve, { once: true });
      transaction.addEventListener('abort', () => reject(transaction.error), { once: true });
    });
    work(transaction.objectStore('drawings'));
    await isDone;
  }

  async #everything() {
    if (this.#memory) return [...this.#memory.values()];
    return answerOf(this.#database.transaction('drawings').objectStore('drawings').getAll());
  }

  /** The drawings of the tablet; those of other accounts stay where they are while one is logged in. */
  async all() {
    return (await this.#everything()).filter(({ owner }) => !owner || !this.account || owner === this.account);
  }

  async get(id) {
    if (this.#memory) return this.#memory.get(id);
    return answerOf(this.#database.transaction('drawings').objectStore('drawings').get(id));
  }

  async put(drawing) {
    if (this.#memory) { this.#memory.set(drawing.id, drawing); return; }
    await this.#write((drawings) => drawings.put(drawing));
  }

  async remove(id) {
    if (this.#memory) { this.#memory.delete(id); return; }
    await this.#write((drawings) => drawings.delete(id));
  }
}
