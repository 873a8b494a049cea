// Plays through what the browser has built in: its own HLS, or a file of audio. The same members as SourceEngine.

import { PlayerError } from './fetch.js';
import { pairs, endOfRange } from './buffer.js';

/** The kinds of `MediaError`. */
const codes = { 1: 'network', 2: 'network', 3: 'decode', 4: 'unsupported' };

export class NativeEngine extends EventTarget {
  #stop = new AbortController();

  constructor(media, options = {}) {
    super();
    Object.assign(this, {
      media, options, variants: [], audio: [], subtitles: [], switches: [], stalls: 0, variant: undefined, chosenHeight: undefined,
      bandwidth: options.bandwidth, latency: undefined, requests: undefined,
    });
  }

  /** Loads a playlist, or a file. */
  async load(address) {
    const { media, options } = this;
    const { signal } = this.#stop;
    await new Promise((resolve, reject) => {
      media.addEventListener('loadedmetadata', resolve, { once: true, signal });
      media.addEventListener('error', () => reject(this.#failure(address)), { once: true, signal });
      signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
      media.src = address;
      media.load();
    });
    if (options.start > 0 && !this.isLive) media.currentTime = options.start;
    this.#readTracks();
    media.addEventListener('error', () => this.dispatchEvent(new CustomEvent('error', { detail: this.#failure(address) })), { signal });
    media.addEventListener('waiting', () => { this.stalls += 1; }, { signal });
    this.dispatchEvent(new CustomEvent('live', { detail: this.isLive }));
    this.dispatchEvent(new CustomEvent('choices'));
  }

  #failure(address) {
    const { error } = this.media;
    return new PlayerError(codes[error?.code] || 'network', { address, detail: error?.message });
  }

  #readTracks() {
    const tracks = this.media.audioTracks;
    if (!tracks) return;
    this.audio = Array.from({ length: tracks.length }, (_, index) => ({
      name: tracks[index].label || tracks[index].language, language: tracks[index].language, track: tracks[index], address: String(index),
    }));
    this.audioRendition = this.audio.find(({ track }) => track.enabled);
  }

  get isLive() { return this.media.duration === Infinity; }
  get follows() { return this.isLive && this.seekable.end - this.media.currentTime < 12; }

  get seekable() {
    const ranges = pairs(this.media.seekable);
    if (ranges.length > 0) return { start: ranges[0][0], end: ranges.at(-1)[1] };
    return { start: 0, end: Number.isFinite(this.media.duration) ? this.media.duration : 0 };
  }

  get ahead() { return endOfRange(pairs(this.media.buffered), this.media.currentTime) - this.media.currentTime; }

  get date() { return this.dateAt(this.media.currentTime); }

  dateAt(time) {
    const start = this.media.getStartDate?.()?.getTime();
    return Number.isFinite(start) ? start + time * 1000 : undefined;
  }

  seek(time) { this.media.currentTime = Math.max(this.seekable.start, Math.min(time, this.seekable.end)); }
  goLive() { this.media.currentTime = this.seekable.end; }
  setSize() {}
  chooseHeight() {}

  chooseAudio(rendition) {
    this.audio.forEach(({ track }) => { track.enabled = track === rendition.track; });
    this.audioRendition = rendition;
  }

  destroy() {
    this.#stop.abort();
    this.media.removeAttribute('src');
    this.media.load();
  }
}
