// Pictures for seeking: tiles of a storyboard, or frames of an I-frame playlist, drawn on a canvas.

import { mediaSourceClass } from './buffer.js';
import { Rendition, Timeline } from './rendition.js';
import { firstTime, readInitialization } from './mp4.js';
import { seconds } from './texttracks.js';

const longestSide = 240;

/** The tiles of a storyboard in WebVTT: `{ start, end, address, x, y, width, height }`. */
export const parseStoryboard = (text, address) => {
  return [...text.matchAll(/([\d:.]+) --> ([\d:.]+)[^\n]*\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/g)].map(([, start, end, name, ...place]) => {
    const [x, y, width, height] = place.map(Number);
    return { start: seconds(start), end: seconds(end), address: new URL(name, address).href, x, y, width, height };
  });
};

export class Storyboard {
  #sheets = new Map();

  constructor(requests, address) { Object.assign(this, { requests, address }); }

  async tiles() {
    this.loading ??= this.requests.text(new URL(this.address, location).href, { kind: 'storyboard', tries: 2 })
      .then(({ body, address }) => parseStoryboard(body, address)).catch(() => []);
    return this.loading;
  }

  /** Draws the picture of a time; false if there is none. */
  async draw(canvas, time) {
    const tiles = await this.tiles();
    const tile = tiles.find(({ end }) => time < end) || tiles.at(-1);
    if (!tile) return false;
    if (!this.#sheets.has(tile.address)) {
      const image = new Image();
      image.src = tile.address;
      this.#sheets.set(tile.address, image.decode().then(() => image));
    }
    const image = await this.#sheets.get(tile.address).catch(() => undefined);
    if (!image) return false;
    Object.assign(canvas, { width: tile.width, height: tile.height });
    canvas.getContext('2d').drawImage(image, tile.x, tile.y, tile.width, tile.height, 0, 0, tile.width, tile.height);
    return true;
  }
}

/** Frames of an I-frame playlist, decoded by a second, hidden element; the time that was asked for last counts. */
export class FramePreview {
  #stop = new AbortController();
  #busy = false;
  #wanted;
  #shown;

  /** @param options `variant` of I-frames; `requests`; `date(time)` of the player, for programmes; `isLive`. */
  constructor(options) { Object.assign(this, options, { timeline: new Timeline() }); }

  async #open() {
    const Source = mediaSourceClass();
    this.list = new Rendition({ address: this.variant.address, requests: this.requests, timeline: this.timeline, isMain: true });
    await this.list.load(this.#stop.signal);
    if (this.list.isLive) this.list.follow(this.#stop.signal).catch(() => {});
    this.video = Object.assign(document.createElement('video'), { muted: true, playsInline: true });
    this.source = new Source();
    const opened = new Promise((resolve) => { this.source.addEventListener('sourceopen', resolve, { once: true }); });
    this.video.src = URL.createObjectURL(this.source);
    await opened;
    this.buffer = this.source.addSourceBuffer(`video/mp4; codecs="${this.variant.codecs.join(',')}"`);
    this.buffer.mode = 'segments';
  }

  #changed(action) {
    return new Promise((resolve, reject) => {
      this.buffer.addEventListener('updateend', resolve, { once: true });
      this.buffer.addEventListener('error', reject, { once: true });
      action();
    });
  }

  /** Draws the frame at a time; false if there is none, or another one is wanted by now. */
  async draw(canvas, time) {
    this.#wanted = time;
    if (this.#busy) return false;
    this.#busy = true;
    try {
      await (this.opening ??= this.#open());
      let drawn = false;
      while (this.#wanted !== undefined) {
        const next = this.#wanted;
        this.#wanted = undefined;
        drawn = await this.#draw(canvas, next);
      }
      return drawn;
    } catch { return false; } finally { this.#busy = false; }
  }

  async #draw(canvas, time) {
    const { list } = this;
    const date = this.isLive ? this.date(time) : undefined;
    const segment = date === undefined ? list.segmentAt(time)
      : list.segments.findLast((one) => one.date !== undefined && one.date <= date + 50) || list.segments[0];
    if (!segment?.map) return false;
    const name = `${segment.address} ${segment.range?.start ?? ''}`;
    if (this.#shown !== name) {
      const [map, frame] = await Promise.all([
        this.requests.bytes(segment.map.address, { range: segment.map.range, kind: 'preview', tries: 1 }),
        this.requests.bytes(segment.address, { range: segment.range, kind: 'preview', tries: 1 }),
      ]);
      const own = firstTime(frame.body, readInitialization(map.body).scales) ?? 0;
      await this.#changed(() => this.buffer.appendBuffer(map.body));
      this.buffer.timestampOffset = 1 - own;
      await this.#changed(() => this.buffer.appendBuffer(frame.body));
      const sought = new Promise((resolve) => { this.video.addEventListener('seeked', resolve, { once: true }); });
      this.video.currentTime = 1.001;
      await Promise.race([sought, new Promise((resolve) => { setTimeout(resolve, 1500); })]);
      this.#shown = name;
    }
    const scale = longestSide / Math.max(this.video.videoWidth, this.video.videoHeight, 1);
    const [width, height] = [this.video.videoWidth * scale, this.video.videoHeight * scale].map(Math.round);
    if (!width) return false;
    Object.assign(canvas, { width, height });
    canvas.getContext('2d').drawImage(this.video, 0, 0, width, height);
    await this.#changed(() => this.buffer.remove(0, Infinity));
    this.#shown = undefined;
    return true;
  }

  destroy() {
    this.#stop.abort();
    this.video?.removeAttribute('src');
    this.video?.load();
  }
}
