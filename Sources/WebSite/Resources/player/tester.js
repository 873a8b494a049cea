// The test player: what its playlists say, what is wrong with them, and what happens while it plays.

import { clock, filled, make } from './elements.js';
import { Decryption } from './decrypt.js';
import { mediaSourceClass } from './buffer.js';
import { Requests } from './fetch.js';
import { isMultivariant, isPlaylist, parseMedia, parseMultivariant } from './playlist.js';

/** Findings and events that are shown. */
const longestList = 100;
/** How often live playlists are read again, in milliseconds. */
const interval = 5000;

const short = (address) => new URL(address).pathname.split('/').pop();
const seconds = (number) => number.toFixed(3).replace(/\.?0+$/, '');
const near = 0.001;

/** What is wrong with a multivariant playlist: pairs of a name and values. */
export const checkMultivariant = (playlist, text) => {
  const found = [];
  const groups = new Set(playlist.audio.map(({ group }) => group));
  for (const variant of playlist.variants) {
    const address = short(variant.address);
    if (variant.codecs.length === 0) found.push(['no-codecs', { address }]);
    else if (variant.codecs.some((codec) => /^(avc|hvc|hev|av01|vp)/.test(codec)) && !variant.height) found.push(['no-resolution', { address }]);
    if (variant.audioGroup && !groups.has(variant.audioGroup)) found.push(['no-group', { address, group: variant.audioGroup }]);
  }
  if (!text.includes('#EXT-X-INDEPENDENT-SEGMENTS')) found.push(['not-independent', {}]);
  return found;
};

/** What is wrong with a media playlist. */
export const checkMedia = (playlist) => {
  const found = [];
  const { targetDuration: target, partTarget, control } = playlist;
  if (playlist.segments.length === 0) found.push(['empty', { address: short(playlist.address) }]);
  if (control.holdBack !== undefined && control.holdBack < 3 * target - near) found.push(['hold-back', { value: control.holdBack }]);
  if (partTarget && !(control.partHoldBack >= 2 * partTarget - near)) found.push(['part-hold-back', { value: control.partHoldBack ?? 0 }]);
  if (!playlist.isEnded && playlist.segments.length > 0 && !playlist.hasDates) found.push(['no-dates', {}]);
  let before;
  for (const segment of playlist.segments) {
    const number = segment.sequence;
    if (segment.address !== undefined && Math.round(segment.duration) > target) found.push(['too-long', { number, duration: seconds(segment.duration), target }]);
    if (!segment.map) found.push(['no-map', { number }]);
    if (segment.isGap) found.push(['gap', { number }]);
    if (segment.key && !Decryption.supports(segment.key)) found.push(['key', { method: segment.key.method }]);
    for (const part of segment.parts) {
      if (part.duration > partTarget + near) found.push(['part-too-long', { part: part.index, number, duration: seconds(part.duration), target: partTarget }]);
    }
    if (before?.date !== undefined && segment.date !== undefined && before.domain === segment.domain) {
      const difference = Math.abs(segment.date - before.date) / 1000 - before.duration;
      if (Math.abs(difference) > 0.1) found.push(['date-jump', { number, difference: seconds(Math.abs(difference)) }]);
    }
    before = segment;
  }
  return found;
};

export class Tester {
  #seen = new Set();
  #sequences = new Map();

  constructor({ player, controls }, place) {
    Object.assign(this, { player, words: controls.words, requests: new Requests() });
    this.variants = make('table');
    this.findings = make('ul', { className: 'plain' });
    this.events = make('ol', { className: 'plain' });
    const { words } = this;
    place.replaceChildren(make('h2', {}, words.testVariants), this.variants, make('h2', {}, words.testFindings), this.findings, make('h2', {}, words.testEvents), this.events);
    for (const name of ['state', 'variant', 'stall', 'jump', 'failed', 'audio']) {
      player.addEventListener(name, ({ detail }) => this.#note(name, detail));
    }
    controls.openStatistics();
    this.#check();
  }

  #note(name, detail) {
    const said = detail?.code ? `${detail.code} ${detail.status || ''} ${detail.address || ''} ${detail.detail || ''}`
      : detail?.height !== undefined ? `${detail.height}p` : typeof detail === 'object' ? JSON.stringify(detail) ?? '' : String(detail ?? '');
    this.events.append(make('li', {}, `${clock(this.player.media.currentTime)} ${name} ${said}`));
    if (this.events.childElementCount > longestList) this.events.firstElementChild.remove();
  }

  #say(name, values) {
    const text = filled(this.words[`check-${name}`], values);
    if (this.#seen.has(text) || this.#seen.size >= longestList) return;
    this.#seen.add(text);
    this.findings.append(make('li', {}, text));
  }

  async #check() {
    const { address } = this.player.item;
    const master = await this.#fetch(address);
    if (!master) return;
    let media = [address];
    if (isMultivariant(master.body)) {
      const playlist = parseMultivariant(master.body, master.address);
      checkMultivariant(playlist, master.body).forEach(([name, values]) => this.#say(name, values));
      this.#show(playlist);
      media = [...new Set([...playlist.variants, ...playlist.audio, ...playlist.subtitles].map((one) => one.address).filter(Boolean))];
    }
    let isLive = true;
    while (isLive && this.variants.isConnected) {
      isLive = false;
      for (const one of media) if (await this.#checkMedia(one)) isLive = true;
      if (this.#seen.size === 0) this.findings.replaceChildren(make('li', {}, this.words.testNoFindings));
      await new Promise((resolve) => { setTimeout(resolve, interval); });
    }
  }

  /** Checks a media playlist; true if it goes on. */
  async #checkMedia(address) {
    const answer = await this.#fetch(address);
    if (!answer) return false;
    const playlist = parseMedia(answer.body, answer.address);
    if (this.#seen.size === 0) this.findings.replaceChildren();
    const isText = playlist.segments.some((segment) => /\.vtt(\?|$)/.test(segment.address || ''));
    checkMedia(playlist).filter(([name]) => !isText || name !== 'no-map').forEach(([name, values]) => this.#say(name, values));
    const before = this.#sequences.get(address);
    if (before > playlist.sequence) this.#say('backwards', { before, after: playlist.sequence });
    this.#sequences.set(address, playlist.sequence);
    return !playlist.isEnded;
  }

  async #fetch(address) {
    try {
      const answer = await this.requests.text(address, { tries: 1, kind: 'playlist' });
      if (isPlaylist(answer.body)) return answer;
      this.#say('not-a-playlist', {});
    } catch (error) {
      this.#say('unreachable', { address: short(address), reason: `${error.status || ''} ${error.detail || error.code}`.trim() });
    }
    return undefined;
  }

  #show({ variants }) {
    const { words } = this;
    const Source = mediaSourceClass();
    const cell = (text) => make('td', {}, text);
    const plays = ({ codecs, height }) => !Source || codecs.length === 0 || Source.isTypeSupported(`${height ? 'video' : 'audio'}/mp4; codecs="${codecs.join(',')}"`);
    this.variants.replaceChildren(
      make('tr', {}, ...[words.testPicture, words.testBandwidth, words.testCodecs, words.testFrames, words.testPlays].map((name) => make('th', { scope: 'col' }, name))),
      ...variants.map((variant) => make('tr', {}, cell(variant.height ? `${variant.width} × ${variant.height}` : '–'), cell(`${Math.round(variant.bandwidth / 1000)} kbit/s`),
        cell(variant.codecs.join(', ')), cell(String(variant.frameRate ?? '–')), cell(plays(variant) ? words.testYes : words.testNo))),
    );
  }
}
