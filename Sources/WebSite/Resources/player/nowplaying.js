// What plays, over the whole page: the cover with its colours around it, the words of the song, and the queue.

import { iconButton, make } from './elements.js';

/** The number of tracks of the queue that are listed. */
const listed = 100;

/** The mean colour of an image of this server, dark enough for white words on it; `undefined` if it cannot be told. */
const tint = (image) => {
  const canvas = make('canvas', { width: 8, height: 8 });
  const context = canvas.getContext('2d', { willReadFrequently: true });
  try {
    context.drawImage(image, 0, 0, 8, 8);
    const { data } = context.getImageData(0, 0, 8, 8);
    const sums = [0, 1, 2].map((channel) => data.reduce((sum, value, index) => sum + (index % 4 === channel ? value : 0), 0) / 64);
    const scale = Math.min(1, 90 / Math.max(1, ...sums));
    return `rgb(${sums.map((value) => Math.round(value * scale)).join(' ')})`;
  } catch { return undefined; }
};

/** The lines of a text with or without times (LRC): `{ time, text }`. */
export const lyricsLines = (text) => text.split(/\r?\n/).flatMap((line) => {
  const times = [...line.matchAll(/\[(\d{1,3}):(\d{2}(?:[.:]\d{1,3})?)\]/g)].map(([, minutes, seconds]) => Number(minutes) * 60 + Number(seconds.replace(':', '.')));
  const words = line.replace(/\[[^\]]*\]/g, '').trim();
  if (/^\[[a-z]+:/i.test(line)) return [];
  return times.length > 0 ? times.map((time) => ({ time, text: words })) : [{ text: words }];
}).sort((one, other) => (one.time ?? 0) - (other.time ?? 0));

export class NowPlaying {
  /** @param options `words`; `queue`; `entry()`, what plays; `go(index)`, plays a track of the queue; `closed()`. */
  constructor(options) {
    Object.assign(this, options);
    const { words } = this;
    this.cover = make('div', { className: 'p-now-cover' });
    this.name = make('h2', {});
    this.artist = make('p', { className: 'sub' });
    this.place = make('div', { className: 'p-now-player' });
    this.lyrics = make('div', { className: 'p-now-lyrics', tabIndex: 0, role: 'region', ariaLabel: words.lyrics, hidden: true });
    this.list = make('ol', { className: 'p-now-queue', ariaLabel: words.queue });
    this.dialog = make('dialog', { className: 'p-now', ariaLabel: words.nowPlaying },
      iconButton('close', words.close, () => this.close()),
      make('div', { className: 'p-now-main' }, this.cover, this.name, this.artist, this.place),
      make('div', { className: 'p-now-side' }, this.lyrics, this.list));
    this.dialog.addEventListener('close', () => this.#end());
    this.onpop = () => this.close();
    document.body.append(this.dialog);
  }

  open() {
    const { root } = this.entry();
    this.home = { parent: root.parentElement, next: root.nextSibling, root };
    this.place.append(root);
    history.pushState({ ...history.state, dialog: 'now' }, '');
    addEventListener('popstate', this.onpop);
    this.timer = setInterval(() => this.#mark(), 250);
    this.dialog.showModal();
    this.show();
  }

  close() { if (this.dialog.open) this.dialog.close(); }

  #end() {
    clearInterval(this.timer);
    removeEventListener('popstate', this.onpop);
    if (history.state?.dialog === 'now') history.back();
    const { parent, next, root } = this.home;
    if (parent.isConnected) parent.insertBefore(root, next?.parentElement === parent ? next : null);
    this.dialog.remove();
    this.closed();
  }

  /** Shows the track that plays now. */
  show() {
    const { item } = this.entry().player;
    if (this.item?.id === item.id) return;
    this.item = item;
    this.name.textContent = item.name || '';
    this.artist.textContent = item.artist || '';
    const image = item.poster && make('img', { src: item.poster, alt: '' });
    this.cover.replaceChildren(...(image ? [image] : []));
    this.dialog.style.removeProperty('--p-tint');
    image?.addEventListener('load', () => {
      const colour = tint(image);
      if (colour && this.item === item) this.dialog.style.setProperty('--p-tint', colour);
    });
    this.#showQueue();
    this.#showLyrics(item);
  }

  #showQueue() {
    const upcoming = this.queue.upcoming.slice(0, listed);
    this.list.replaceChildren(...upcoming.map(({ item, step }) => make('li', {},
      make('button', { type: 'button', ariaCurrent: step === 0 ? 'true' : undefined, onclick: () => this.go(step) },
        make('strong', {}, item.name || ''), make('span', { className: 'sub' }, item.artist || '')))));
    this.list.hidden = upcoming.length < 2;
  }

  async #showLyrics(item) {
    this.lines = [];
    this.lyrics.hidden = true;
    try {
      const answer = await fetch(`/radio/${encodeURIComponent(item.id)}/letra`);
      if (!answer.ok) return;
      const lines = lyricsLines(await answer.text());
      if (this.item !== item || lines.length === 0) return;
      this.lines = lines.map((line) => ({ ...line, element: make('p', {}, line.text || '\u00a0') }));
      this.lyrics.replaceChildren(...this.lines.map(({ element }) => element));
      this.lyrics.hidden = false;
    } catch { /* Without a network there are no words. */ }
  }

  #mark() {
    const { time } = this.entry().player;
    const current = this.lines?.findLast((line) => line.time !== undefined && line.time <= time);
    if (!current || current.element.classList.contains('is-sung')) return;
    this.lines.forEach(({ element }) => element.classList.toggle('is-sung', element === current.element));
    this.lyrics.scrollTo({ top: current.element.offsetTop - this.lyrics.clientHeight / 2, behavior: matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth' });
  }
}
