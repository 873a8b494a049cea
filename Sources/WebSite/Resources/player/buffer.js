// Media Source: one buffer for each kind of media, whose changes happen one after the other.

import { aborted } from './fetch.js';

/** The class of media sources of this browser: iPhones have the managed one only. */
export const mediaSourceClass = () => globalThis.ManagedMediaSource || globalThis.MediaSource;

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
