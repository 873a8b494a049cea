// A media playlist that is kept up to date, with its segments on the timeline of the player.

import { isAborted, pause, PlayerError } from './fetch.js';
import { isPlaylist, parseMedia } from './playlist.js';

/**
 * Where segments lie. Renditions of a programme agree on discontinuities and dates, so that what one has shown places the
 * others; within a discontinuity's domain the media's own times do, which are exact.
 */
export class Timeline {
  offsets = new Map();
  #places = [];

  /** Notes where a segment with a date lies. */
  note(segments) {
    this.#places = segments.filter(({ date }) => date !== undefined).map(({ domain, date, start }) => ({ domain, date, start }));
  }

  /** Where a segment lies by its date; `undefined` if nothing of its domain is known. */
  locate({ domain, date }) {
    if (date === undefined) return undefined;
    let nearest;
    for (const place of this.#places) {
      if (place.domain === domain && (!nearest || Math.abs(place.date - date) < Math.abs(nearest.date - date))) nearest = place;
    }
    return nearest && nearest.start + (date - nearest.date) / 1000;
  }

  /** The time at a date, in milliseconds; `undefined` if there are no dates. */
  time(date) {
    let before;
    for (const place of this.#places) if (place.date <= date) before = place; else break;
    before ??= this.#places[0];
    return before && before.start + (date - before.date) / 1000;
  }

  /** The date, in milliseconds, at a time; `undefined` if there are none. */
  date(time) {
    let before;
    for (const place of this.#places) if (place.start <= time + 0.001) before = place; else break;
    before ??= this.#places[0];
    return before && before.date + (time - before.start) * 1000;
  }
}

/** How often a live playlist that does not block is asked for, in seconds, at least. */
const shortestPoll = 0.5;
/** How long a playlist may be away before watching it ends, in seconds. */
const patience = 45;

export class Rendition {
  #watchers = new Set();
  #loading;

  /**
   * @param options `address`; `requests`; `timeline`; `isMain` for the rendition whose dates place the others; `base`, the
   *   time at which what has no dates begins.
   */
  constructor({ address, requests, timeline, isMain = false, base = 0 }) {
    Object.assign(this, { address, requests, timeline, isMain, base, playlist: undefined, updated: 0, unchanged: 0 });
  }

  get isLive() { return this.playlist ? !this.playlist.isEnded : false; }
  get segments() { return this.playlist?.segments || []; }
  get start() { return this.segments[0]?.start ?? 0; }
  get end() {
    const last = this.segments.at(-1);
    return last ? last.start + last.duration : 0;
  }

  /** Runs `watch` with each change of the playlist. */
  observe(watch) {
    this.#watchers.add(watch);
    return () => this.#watchers.delete(watch);
  }

  /** Resolves with the next change of the playlist, or at once if it has changed since `version`. */
  change(version, signal) {
    if (this.updated !== version) return Promise.resolve();
    return new Promise((resolve, reject) => {
      const stop = () => { end(); reject(new DOMException('aborted', 'AbortError')); };
      const end = this.observe(() => { end(); signal.removeEventListener('abort', stop); resolve(); });
      signal.addEventListener('abort', stop, { once: true });
      if (signal.aborted) stop();
    });
  }

  /** Loads the playlist for the first time; `report` is what another rendition says of its end. */
  load(signal, report) {
    this.#loading ??= this.#fetch(report ? { sequence: report.sequence, part: report.part } : undefined, signal)
      .catch((error) => { this.#loading = undefined; throw error; });
    return this.#loading;
  }

  /** Keeps a live playlist up to date until it ends or the signal does. */
  async follow(signal) {
    let failing;
    while (!signal.aborted && this.isLive) {
      const { control, partTarget, targetDuration } = this.playlist;
      try {
        if (control.canBlock) {
          await this.#fetch(this.#next(), signal);
        } else {
          const wait = this.unchanged ? targetDuration / 2 : this.segments.at(-1)?.duration || targetDuration;
          await pause(Math.max(shortestPoll, Math.min(wait, partTarget || wait)) * 1000, signal);
          await this.#fetch(undefined, signal);
        }
        failing = undefined;
      } catch (error) {
        if (isAborted(error)) return;
        failing ??= performance.now();
        const isOver = performance.now() - failing > patience * 1000;
        if (isOver || ['login', 'rent', 'forbidden', 'missing'].includes(error.code)) throw error;
        await pause(500, signal).catch(() => {});
      }
    }
  }

  /** What a blocking reload asks for: the part, or else the segment, that comes next. */
  #next() {
    const last = this.segments.at(-1);
    if (!last) return undefined;
    if (this.playlist.partTarget === undefined) return { sequence: last.sequence + 1 };
    if (last.address === undefined) return { sequence: last.sequence, part: last.parts.length };
    return { sequence: last.sequence + 1, part: 0 };
  }

  async #fetch(wanted, signal) {
    const address = new URL(this.address);
    const { playlist: previous } = this;
    if (wanted) {
      address.searchParams.set('_HLS_msn', wanted.sequence);
      if (wanted.part !== undefined) address.searchParams.set('_HLS_part', wanted.part);
    }
    const age = (performance.now() - this.updatedAt) / 1000;
    const skips = previous && previous.control.skipUntil && age < previous.control.skipUntil / 2 && previous.duration > previous.control.skipUntil;
    if (skips) address.searchParams.set('_HLS_skip', 'YES');
    const { body, address: final } = await this.requests.text(address.href, {
      signal, kind: 'playlist', tries: previous ? 2 : 4, seconds: wanted ? 3 * (previous?.targetDuration || 6) + 2 : 15,
    });
    if (!isPlaylist(body)) throw new PlayerError('playlist', { address: final });
    const base = new URL(final);
    ['_HLS_msn', '_HLS_part', '_HLS_skip'].forEach((name) => base.searchParams.delete(name));
    const playlist = parseMedia(body, base.href, previous);
    if (!playlist) {
      // The delta update does not fit what is here.
      this.updatedAt = -Infinity;
      await this.#fetch(wanted, signal);
      return;
    }
    if (skips && playlist.skipped === 0 && playlist.segments.length === 0) throw new PlayerError('playlist', { address: final });
    this.#place(playlist, previous);
    const [last, before] = [playlist.segments.at(-1), previous?.segments.at(-1)];
    this.unchanged = last && before && last.sequence === before.sequence && last.parts.length === before.parts.length
      && last.address === before.address && playlist.isEnded === previous.isEnded ? this.unchanged + 1 : 0;
    const now = performance.now();
    Object.assign(this, { playlist, updatedAt: now, updated: this.updated + 1 });
    if (!this.unchanged) this.movedAt = now;
    this.#watchers.forEach((watch) => watch(this));
  }

  /** Gives each segment its time: by the playlist before, else by its date, else from zero on. */
  #place(playlist, previous) {
    const { segments } = playlist;
    if (segments.length === 0) return;
    let time = this.base;
    const last = previous?.segments.at(-1);
    const known = new Map((previous?.segments || []).map((segment) => [segment.sequence, segment.start]));
    if (last) {
      if (playlist.sequence < previous.sequence && playlist.sequence + segments.length < previous.sequence) {
        throw new PlayerError('changed', { address: this.address });
      }
      const index = segments.findIndex(({ sequence }) => known.has(sequence));
      if (index >= 0) {
        time = known.get(segments[index].sequence);
        for (let at = index - 1; at >= 0; at -= 1) time -= segments[at].duration;
      } else {
        const missed = Math.max(0, segments[0].sequence - last.sequence - 1);
        time = this.timeline.locate(segments[0]) ?? last.start + last.duration + missed * playlist.targetDuration;
      }
    } else {
      const index = segments.findIndex((segment) => this.timeline.locate(segment) !== undefined);
      if (index >= 0) {
        time = this.timeline.locate(segments[index]);
        for (let at = index - 1; at >= 0; at -= 1) time -= segments[at].duration;
      }
    }
    for (const segment of segments) {
      time = known.get(segment.sequence) ?? time;
      segment.start = time;
      let at = time;
      for (const part of segment.parts) {
        part.start = at;
        at += part.duration;
      }
      time += segment.duration;
    }
    if (this.isMain) this.timeline.note(segments);
  }

  segment(sequence) {
    const first = this.segments[0];
    return first && this.segments[sequence - first.sequence];
  }

  /** The segment at a time; the first or last one for a time outside. */
  segmentAt(time) {
    const { segments } = this;
    let [low, high] = [0, segments.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (segments[middle].start <= time + 0.01) low = middle; else high = middle - 1;
    }
    return segments[low];
  }

  /** Moves what begins with a segment within its domain, because its media says when it begins. */
  correct(segment, shift) {
    for (const later of this.segments) {
      if (later.sequence < segment.sequence || later.domain !== segment.domain) continue;
      later.start += shift;
      later.parts.forEach((part) => { part.start += shift; });
    }
  }
}
