// Media Source: one buffer for each kind of media, whose changes happen one after the other.

import { aborted, PlayerError } from './fetch.js';

/** The class of media sources of this browser: iPhones have the managed one only. */
export const mediaSourceClass = () => globalThis.ManagedMediaSource || globalThis.MediaSource;

/** A codec for each sample entry, whose buffer takes every profile. */
export const codecsOfEntries = {
  avc1: 'avc1.64001f', avc3: 'avc3.64001f', hvc1: 'hvc1.1.6.L120.B0', hev1: 'hev1.1.6.L120.B0', av01: 'av01.0.08M.08',
  mp4a: 'mp4a.40.2', Opus: 'opus', fLaC: 'flac', 'ac-3': 'ac-3', 'ec-3': 'ec-3',
};

/**
 * The type of a buffer for an initialization section: the one it has if that fits.
 *
 * @param type the type of the buffer.
 * @param entries the names of the sample entries.
 */
export const typeOfEntries = (type, entries) => {
  const own = (/codecs="([^"]*)"/.exec(type)?.[1] || '').toLowerCase().split(',').map((codec) => codec.split('.')[0]);
  if (entries.every((entry) => own.includes(entry.toLowerCase()) || !codecsOfEntries[entry])) return type;
  const other = `${type.split(';')[0]}; codecs="${entries.map((entry) => codecsOfEntries[entry] || entry).join(',')}"`;
  if (!mediaSourceClass().isTypeSupported(other)) throw new PlayerError('unsupported', { detail: entries.join(', ') });
  return other;
};

/** Whether a buffer can go from one codec to another: WebKitGTK's cannot. */
export const canChangeCodec = () => Boolean(globalThis.SourceBuffer?.prototype.changeType);

/** The ranges of a `TimeRanges` as pairs. */
export const pairs = (ranges) => Array.from({ length: ranges.length }, (_, index) => [ranges.start(index), ranges.end(index)]);

/** Holes that are no longer than this are not heard or seen, and count as filled. */
const tolerance = 0.1;

/** The end of what is buffered without a hole from a time on; the time itself if nothing is. */
export const endOfRange = (ranges, time) => {
  let end = time;
  for (const [from, to] of ranges) if (from <= end + tolerance && to > end) end = to;
  return end;
};

export class TrackBuffer {
  #last = Promise.resolve();

  /** @param type such as `video/mp4; codecs="avc1.64001f"`. */
  constructor(source, type) {
    Object.assign(this, { source, type, buffer: source.addSourceBuffer(type) });
  }

  get ranges() {
    try { return pairs(this.buffer.buffered); } catch { return []; }
  }

  /** @throws `QuotaExceededError` if the browser keeps no more; then something has to be removed. */
  append(bytes) { return this.#change(() => this.buffer.appendBuffer(bytes)); }

  remove(start, end) {
    return this.#change(() => { if (end > start) this.buffer.remove(Math.max(0, start), end); });
  }

  /** Where times of the media lie on the timeline of the player. */
  setOffset(offset) {
    return this.#change(() => { if (this.buffer.timestampOffset !== offset) this.buffer.timestampOffset = offset; });
  }

  /** Cuts what lies before a time and behind another one. */
  setWindow({ start, end }) {
    return this.#change(() => {
      const { buffer } = this;
      if (buffer.appendWindowStart === start && buffer.appendWindowEnd === end) return;
      // In this order, because a window is never empty.
      buffer.appendWindowStart = 0;
      buffer.appendWindowEnd = end;
      buffer.appendWindowStart = start;
    });
  }

  setType(type) {
    return this.#change(() => {
      if (type === this.type) return;
      // WebKitGTK lacks it, and takes another profile of the same codec without.
      this.buffer.changeType?.(type);
      this.type = type;
    });
  }

  /** Resolves when everything so far is done. */
  settled() { return this.#last; }

  #change(action) {
    const turn = this.#last.then(() => new Promise((resolve, reject) => {
      if (this.source.readyState === 'closed') { reject(aborted()); return; }
      const { buffer } = this;
      let failure;
      const done = () => {
        buffer.removeEventListener('updateend', done);
        buffer.removeEventListener('error', failed);
        if (failure) reject(failure); else resolve();
      };
      const failed = () => { failure = Object.assign(new Error('the browser refused the media'), { isDecoding: true }); };
      buffer.addEventListener('error', failed);
      try {
        action();
        if (buffer.updating) buffer.addEventListener('updateend', done); else done();
      } catch (error) {
        failure = error;
        done();
      }
    }));
    this.#last = turn.catch(() => {});
    return turn;
  }
}
