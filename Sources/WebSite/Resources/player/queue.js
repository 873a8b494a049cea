// The queue of tracks: what comes after what, shuffled or not, again or not.

import { keep, recall } from './memory.js';

export class Queue {
  #order = [];

  /** @param hooks `play(item)`. */
  constructor({ play }) {
    Object.assign(this, { play, items: [], at: -1, isShuffled: recall('shuffle', false), repeatsAll: recall('repeat', false) });
  }

  get repeats() { return this.repeatsAll; }

  set repeats(value) {
    this.repeatsAll = value;
    keep('repeat', value);
  }

  /** Plays one of some items, and then the others. */
  set(items, index) {
    this.items = items;
    this.#arrange(index);
    this.at = this.isShuffled ? 0 : index;
    this.#start();
  }

  shuffle(value) {
    this.isShuffled = value;
    keep('shuffle', value);
    if (this.items.length === 0) return;
    const current = this.#order[this.at];
    this.#arrange(current);
    this.at = value ? 0 : current;
  }

  /** The order: that of the list, or one by chance that begins with an item. */
  #arrange(first) {
    const indices = this.items.map((_, index) => index);
    if (this.isShuffled) {
      for (let index = indices.length - 1; index > 0; index -= 1) {
        const other = Math.floor(Math.random() * (index + 1));
        [indices[index], indices[other]] = [indices[other], indices[index]];
      }
      indices.splice(indices.indexOf(first), 1);
      indices.unshift(first);
    }
    this.#order = indices;
  }

  get next() {
    const at = this.at + 1;
    if (at < this.#order.length) return this.items[this.#order[at]];
    return this.repeats && this.items.length > 0 ? this.items[this.#order[0]] : undefined;
  }

  /** The item that plays and those that follow, with the number of steps to each. */
  get upcoming() { return this.#order.slice(Math.max(0, this.at)).map((index, step) => ({ item: this.items[index], step })); }

  go(step) {
    if (this.items.length === 0) return;
    const at = this.at + step;
    if (at >= this.#order.length && !this.repeats) return;
    this.at = (at + this.#order.length) % this.#order.length;
    this.#start();
  }

  ended() { this.go(1); }

  /** The item that plays. */
  get current() { return this.items[this.#order[this.at]]; }

  /** Notes that the next item plays already. */
  advance() {
    this.at = (this.at + 1) % Math.max(1, this.#order.length);
    this.#store();
  }

  #start() {
    this.#store();
    this.play(this.current);
  }

  #store() {
    try { sessionStorage.setItem('antena:queue', JSON.stringify({ items: this.items, order: this.#order, at: this.at })); } catch { /* Too long, or no store. */ }
  }

  /** Takes the queue of the page before. */
  restore() {
    try {
      const { items, order, at } = JSON.parse(sessionStorage.getItem('antena:queue')) || {};
      if (!Array.isArray(items) || !Array.isArray(order)) return;
      Object.assign(this, { items, at });
      this.#order = order;
    } catch { /* None. */ }
  }
}
