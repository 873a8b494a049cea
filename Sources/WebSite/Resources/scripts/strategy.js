// Drawings on courts: a list, a court to draw on, and what shows a drawing on the board of a channel. The page of its own
// has the drawing that is open in its address; beside a match the address is the match's.
import { setText } from './dom.js';
import { newID } from './keptmatch.js';
import { exchange } from './matchdelivery.js';
import { every } from './page.js';
import { wordsOf } from './scores.js';
import { courtOptions, limits, StrategyPad } from './strategypad.js';
import { StrategyStore } from './strategystore.js';
import { syncStrategies } from './strategysync.js';
import { keepPage } from './tabletcache.js';

/** How long a change waits for others before it is kept, and before a board shows it; in milliseconds. */
const keepTime = 300;
const showTime = 400;
const retryTime = 15000;
const parameter = 'dibujo';
const draft = 'draft';

const element = (name, text, members = {}) => Object.assign(document.createElement(name), { textContent: text }, members);

/** Shows the drawing of a pad on the board of a channel, and what is drawn from then on. */
class ChannelDisplay {
  #isShown = false;
  #timer;
  /** The change that waits for the request before it: `address`, `body` and `turn`. */
  #due;
  /** Requests one after the other, so that the last one counts. */
  #last = Promise.resolve();
  /** The number of the state; the answer to a request of an earlier one changes nothing. */
  #turn = 0;

  constructor(root, pad, words, signal) {
    Object.assign(this, { root, pad, words });
    this.select = root.querySelector('[data-channel]');
    root.querySelector('[data-pad=show]').addEventListener('click', () => this.show(), { signal });
    root.querySelector('[data-pad=hide]').addEventListener('click', () => this.hide(), { signal });
    this.select.addEventListener('change', () => {
      this.#drop();
      this.#set(false);
    }, { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#timer), { once: true });
  }

  #address() { return `/api/v1/channels/${encodeURIComponent(this.select.value)}/strategy`; }

  #set(isShown, text = '') {
    this.#isShown = isShown;
    this.#turn += 1;
    this.root.querySelector('[data-pad=show]').setAttribute('aria-pressed', String(isShown));
    setText(this.root.querySelector('.pad-shown'), text);
  }

  /** Forgets what was not sent yet. */
  #drop() {
    clearTimeout(this.#timer);
    [this.#timer, this.#due] = [undefined, undefined];
  }

  #inTurn(work) {
    this.#last = this.#last.then(work);
    return this.#last;
  }

  #failed(outcome) { return this.words[outcome] ?? this.words.away; }

  async show() {
    this.#set(true, this.words.shown);
    await this.#send();
  }

  async hide() {
    this.#drop();
    this.#set(false);
    const [address, turn] = [this.#address(), this.#turn];
    const { outcome } = await this.#inTurn(() => exchange(address, undefined, {}, 'DELETE'));
    if (turn === this.#turn) this.#set(false, outcome === 'ok' ? this.words.hidden : this.#failed(outcome));
  }

  /** Another drawing is about to be opened: the board keeps the one that it shows, with its last lines. */
  leave() {
    if (!this.#isShown) return;
    if (this.#timer !== undefined) this.#send();
    this.#set(false, this.words.unfollowed);
  }

  /** The board follows the pad while it shows its drawing. */
  changed() {
    if (!this.#isShown) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => { if (this.#isShown) this.#send(); }, showTime);
  }

  /** Sends the drawing after the requests before it; a change that still waits is replaced. */
  #send() {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#due = { address: this.#address(), body: JSON.stringify(this.pad.content), turn: this.#turn };
    return this.#inTurn(async () => {
      if (!this.#due) return;
      const { address, body, turn } = this.#due;
      this.#due = undefined;
      const { outcome } = await exchange(address, body, {}, 'PUT');
      if (outcome === 'ok' || turn !== this.#turn) return;
      this.#drop();
      this.#set(false, this.#failed(outcome));
    });
  }
}

/** The drawings of a tablet, and which one is open. */
class Strategies {
  #timer;
  #isBusy = false;
  /** The one that is open; that of the draft has no name yet. */
  #open;

  constructor(root, store, route, signal) {
    Object.assign(this, { root, store, route, signal, words: wordsOf(root) });
    const pad = root.querySelector('.pad');
    pad.querySelector('[name=court]').replaceChildren(...courtOptions(this.words));
    this.pad = new StrategyPad(pad, this.words, () => this.#changed(), signal);
    this.display = new ChannelDisplay(pad, this.pad, this.words, signal);
    root.querySelector('.strategy-new').addEventListener('click', () => this.#begin(), { signal });
    root.querySelector('.pad-name').addEventListener('submit', (event) => {
      event.preventDefault();
      this.#save();
    }, { signal });
    root.querySelector('.strategy-list ul').addEventListener('click', ({ target }) => {
      const id = target.closest('[data-drawing]')?.dataset.drawing;
      if (target.closest('button[data-open]')) this.go(id);
      if (target.closest('button[data-delete]')) this.#delete(id);
    }, { signal });
    root.querySelector('.strategy-back').addEventListener('click', (event) => {
      event.preventDefault();
      this.go(undefined);
    }, { signal });
    signal.addEventListener('abort', () => this.#keep().finally(() => store.close()), { once: true });
    addEventListener('pagehide', () => this.#keep(), { signal });
  }

  get nameField() { return this.root.querySelector('.pad-name input'); }

  // MARK: The open drawing

  /** Opens a drawing by its ID, the draft, or the list alone. */
  async go(id) {
    await this.#keep();
    this.route.go(id);
    await this.show(id);
  }

  async show(id) {
    const known = id ? await this.store.get(id) : undefined;
    this.root.toggleAttribute('data-open', id !== undefined);
    const drawing = known ?? await this.store.get(draft) ?? { id: draft, name: '', court: this.route.court, strokes: [] };
    if (this.#open?.id === drawing.id && known === undefined && id === undefined) return;
    if (this.#open?.id !== drawing.id) this.display.leave();
    this.#open = drawing;
    this.nameField.value = drawing.id === draft ? '' : drawing.name;
    this.pad.load(drawing);
    await this.list();
  }

  async #begin() {
    await this.#keep();
    const court = this.pad.content.court;
    await this.store.put({ id: draft, name: '', court, strokes: [], state: 'saved', server: null, changedAt: Date.now() });
    this.#open = undefined;
    await this.go(draft);
  }

  #changed() {
    this.display.changed();
    if (this.#open) this.#open.isChanged = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), keepTime);
  }

  /** Keeps what was drawn; the server gets it with the next delivery. */
  async #keep() {
    clearTimeout(this.#timer);
    const [open, content] = [this.#open, this.pad.content];
    if (!open?.isChanged) return;
    open.isChanged = false;
    const known = await this.store.get(open.id) ?? open;
    if (known.state === 'deleted') return;
    const { isChanged, ...kept } = { ...known, ...content, changedAt: Date.now(), state: open.id === draft ? 'saved' : 'changed' };
    await this.store.put(kept);
    if (kept.id !== draft) this.sync();
  }

  async #save() {
    const name = [...this.nameField.value.trim()].slice(0, limits.name).join('');
    this.nameField.setAttribute('aria-invalid', String(!name));
    if (!name) { this.nameField.focus(); return; }
    const isNew = this.#open.id === draft;
    const known = isNew ? { id: newID(), server: null, revision: null, key: newID(), owner: this.store.account } : await this.store.get(this.#open.id);
    const kept = { ...known, ...this.pad.content, name, changedAt: Date.now(), state: 'changed' };
    await this.store.put(kept);
    if (isNew) await this.store.remove(draft);
    this.#open = kept;
    this.route.go(kept.id, isNew);
    await this.list();
    await this.sync();
  }

  async #delete(id) {
    const known = await this.store.get(id);
    if (!known || !confirm(this.words.askDelete.replace('{name}', known.name))) return;
    await this.store.put({ ...known, state: 'deleted', changedAt: Date.now() });
    if (this.#open?.id === id) {
      this.#open = undefined;
      await this.go(undefined);
    }
    await this.list();
    await this.sync();
  }

  // MARK: The list

  async list() {
    const drawings = (await this.store.all()).filter(({ id, state }) => id !== draft && state !== 'deleted')
      .sort((first, second) => second.changedAt - first.changedAt);
    this.root.querySelector('.strategy-list .empty').hidden = drawings.length > 0;
    this.root.querySelector('.strategy-list ul').replaceChildren(...drawings.map((drawing) => this.#row(drawing)));
  }

  #row({ id, name, court, strokes, state }) {
    const row = document.createElement('li');
    row.dataset.drawing = id;
    const open = element('button', name, { type: 'button', className: 'second' });
    open.toggleAttribute('data-open', true);
    if (this.#open?.id === id) open.setAttribute('aria-current', 'true');
    const remove = element('button', this.words.delete, { type: 'button', className: 'second' });
    remove.toggleAttribute('data-delete', true);
    remove.setAttribute('aria-label', `${this.words.delete}: ${name}`);
    const facts = [this.words.courts[court], this.words.lines.replace('{count}', String(strokes.length)), state === 'changed' ? this.words.waits : ''];
    row.append(open, element('span', facts.filter(Boolean).join(' · '), { className: 'sub' }), remove);
    return row;
  }

  async sync() {
    if (this.#isBusy || this.signal.aborted) return;
    this.#isBusy = true;
    const outcome = await syncStrategies(this.store).catch(() => 'notKept');
    this.#isBusy = false;
    if (this.signal.aborted) return;
    setText(this.root.querySelector('.strategy-state'), outcome === 'ok' ? '' : this.words[outcome] ?? '');
    const open = this.#open;
    const known = open && open.id !== draft ? await this.store.get(open.id) : undefined;
    // Another one may have been opened meanwhile.
    if (known && this.#open === open) Object.assign(open, known);
    await this.list();
  }
}

/** The channels on whose boards the visitor may show drawings. */
const putChannels = (root, channels) => {
  const select = root.querySelector('[data-channel]');
  select.replaceChildren(...channels.map(({ name, title }) => element('option', title, { value: name })));
  root.querySelector('.pad-display').hidden = channels.length === 0;
  select.closest('label').hidden = channels.length < 2;
};

/**
 * Opens the drawings on a page.
 *
 * `channels` have a name and a title; `route` has `id` (the drawing that the address names), `go(id, replaces)` and
 * `court`, that of a new drawing.
 */
export const openStrategies = async (root, { channels, route }, signal) => {
  const store = await StrategyStore.open();
  putChannels(root, channels);
  const strategies = new Strategies(root, store, route, signal);
  await strategies.show(route.id);
  root.dataset.ready = 'true';
  addEventListener('online', () => strategies.sync(), { signal });
  every(retryTime, () => strategies.sync(), signal);
  await strategies.sync();
  // The drawing of an address that this tablet did not have.
  if (route.id && route.id !== draft && !root.querySelector(`[aria-current]`)) await strategies.show(route.id);
  return strategies;
};

/** The address of the page tells which drawing is open. */
const pageRoute = () => ({
  get id() { return new URLSearchParams(location.search).get(parameter) ?? undefined; },
  court: 'racquetball',
  go(id, replaces = false) {
    const address = `${location.pathname}${id ? `?${parameter}=${encodeURIComponent(id)}` : ''}`;
    if (address === location.pathname + location.search) return;
    if (replaces) history.replaceState(history.state, '', address); else history.pushState(null, '', address);
  },
});

export const begin = async (signal) => {
  const root = document.querySelector('#strategy .strategy');
  const { channels, tablet } = root.closest('#strategy').dataset;
  const route = pageRoute();
  const strategies = await openStrategies(root, { channels: JSON.parse(channels || '[]'), route }, signal);
  addEventListener('popstate', () => strategies.show(route.id), { signal });
  keepPage(tablet);
};
