// The settings of the player: quality, audio, subtitles and their looks, speed.

import { captionChoices, captionStyle, setCaptionStyle } from './captions.js';
import { iconButton, icon, languageName, make, roving } from './elements.js';
import { recall, speeds } from './memory.js';

const named = (rendition, listed) => {
  const language = rendition.language && rendition.language !== 'und' ? languageName(rendition.language) : '';
  const name = rendition.name || rendition.label || '';
  if (!language) return name;
  const isAlone = listed.filter((one) => one.language === rendition.language).length === 1;
  return isAlone || !name || name.toLowerCase() === language.toLowerCase() ? language : `${language} · ${name}`;
};

export class Menu {
  /** @param options `player`, `words`, `captions`, `anchor` (the button), `more` (further entries: `{ name, run }`). */
  constructor(options) {
    Object.assign(this, options);
    this.element = make('div', { className: 'p-menu', role: 'dialog', ariaLabel: this.words.settings, hidden: true });
    this.element.addEventListener('keydown', (event) => this.#key(event));
    this.closing = (event) => { if (!event.composedPath().includes(this.element) && !event.composedPath().includes(this.anchor)) this.close(); };
  }

  get isOpen() { return !this.element.hidden; }

  toggle() { if (this.isOpen) this.close(); else this.open(); }

  open(page = 'main') {
    this.#show(page);
    this.element.hidden = false;
    this.anchor.setAttribute('aria-expanded', 'true');
    document.addEventListener('pointerdown', this.closing, true);
    this.element.querySelector('button')?.focus();
  }

  close() {
    if (!this.isOpen) return;
    this.element.hidden = true;
    this.anchor.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', this.closing, true);
    this.anchor.focus();
  }

  #key(event) {
    if (event.key === 'Escape' || event.key === 'ArrowLeft') {
      if (this.page === 'main' || event.key === 'Escape') this.close(); else this.#show(this.parent);
      event.preventDefault();
    } else if (!roving(event, this.element)) return;
    event.stopPropagation();
  }

  #show(page) {
    this.page = page;
    this.parent = { size: 'looks', colour: 'looks', background: 'looks', looks: 'subtitles' }[page] || 'main';
    this.element.replaceChildren(...this[`${page}Page`]());
    this.element.querySelector('[aria-checked=true], button')?.focus();
  }

  #entry(label, value, onclick) {
    return make('button', { type: 'button', className: 'p-entry', onclick }, make('span', {}, label), make('span', { className: 'p-value' }, value));
  }

  #choice(label, isChosen, onclick) {
    return make('button', { type: 'button', role: 'menuitemradio', ariaChecked: String(isChosen), className: 'p-choice', onclick: () => { onclick(); this.#show(this.parent); } },
      isChosen ? icon('done') : make('span', { className: 'p-space' }), make('span', {}, label));
  }

  #heading(label) {
    return make('div', { className: 'p-heading' }, iconButton('back', this.words.back, () => this.#show(this.parent)), make('span', {}, label));
  }

  mainPage() {
    const { player, words } = this;
    const { engine } = player;
    const entries = [];
    if (this.heights.length > 1) entries.push(this.#entry(words.quality, this.qualityName, () => this.#show('quality')));
    if (engine?.audio.length > 1) entries.push(this.#entry(words.audio, named(engine.audioRendition || engine.audio[0], engine.audio), () => this.#show('audio')));
    if (player.subtitles?.length) {
      const { chosen } = player.texts;
      entries.push(this.#entry(words.subtitles, chosen ? named(chosen, player.subtitles) : words.off, () => this.#show('subtitles')));
    }
    if (!engine?.follows) entries.push(this.#entry(words.speed, this.#speedName(player.rate), () => this.#show('speed')));
    for (const { name, run } of this.more) entries.push(this.#entry(name, '', () => { this.close(); run(); }));
    return entries;
  }

  #speedName(rate) { return rate === 1 ? this.words.normal : `${new Intl.NumberFormat(document.documentElement.lang || undefined).format(rate)}×`; }

  get heights() { return [...new Set((this.player.engine?.variants || []).map(({ height }) => height).filter(Boolean))].sort((a, b) => b - a); }

  get qualityName() {
    const { engine } = this.player;
    const shown = engine?.variant?.height ? `${engine.variant.height}p` : '';
    return engine?.chosenHeight ? shown : `${this.words.automatic}${shown ? ` (${shown})` : ''}`;
  }

  qualityPage() {
    const { player, words } = this;
    const chosen = player.engine?.chosenHeight;
    return [this.#heading(words.quality), this.#choice(words.automatic, !chosen, () => player.chooseHeight(undefined)),
      ...this.heights.map((height) => this.#choice(`${height}p`, chosen === height, () => player.chooseHeight(height)))];
  }

  audioPage() {
    const { player, words } = this;
    const { audio, audioRendition } = player.engine;
    return [this.#heading(words.audio), ...audio.map((one) => this.#choice(named(one, audio), one === audioRendition, () => player.chooseAudio(one)))];
  }

  subtitlesPage() {
    const { player, words } = this;
    const listed = player.subtitles || [];
    const { chosen } = player.texts;
    return [this.#heading(words.subtitles), this.#choice(words.off, !chosen, () => player.chooseSubtitles(undefined)),
      ...listed.map((one) => this.#choice(named(one, listed), one === chosen, () => player.chooseSubtitles(one))),
      this.#entry(words.looks, '', () => this.#show('looks'))];
  }

  looksPage() {
    const style = captionStyle();
    return [this.#heading(this.words.looks), ...['size', 'colour', 'background'].map((name) =>
      this.#entry(this.words[name], this.#lookName(name, style[name]), () => this.#show(name)))];
  }

  #lookName(name, value) { return name === 'size' ? `${value} %` : this.words[`${name}-${value}`]; }

  #lookPage(name) {
    const style = captionStyle();
    return [this.#heading(this.words[name]), ...captionChoices[name].map((value) =>
      this.#choice(this.#lookName(name, value), style[name] === value, () => { setCaptionStyle(name, value); this.captions.refresh(); }))];
  }

  sizePage() { return this.#lookPage('size'); }
  colourPage() { return this.#lookPage('colour'); }
  backgroundPage() { return this.#lookPage('background'); }

  speedPage() {
    const { player, words } = this;
    const rate = recall('rate', 1);
    return [this.#heading(words.speed), ...speeds.map((speed) => this.#choice(this.#speedName(speed), speed === rate, () => player.setRate(speed)))];
  }
}
