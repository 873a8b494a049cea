// Loads the segments and parts of one rendition after the other into a buffer.

import { endOfRange, typeOfEntries } from './buffer.js';
import { aborted, isAborted, pause, PlayerError } from './fetch.js';
import { firstTime, readInitialization } from './mp4.js';

/** What is kept behind the playing time, in seconds. */
const keptBehind = 20;
/** How far times of the media may differ from those of the playlist before these are corrected, in seconds. */
const drift = 0.01;
/** How often a track that waits looks whether it still has to, in milliseconds. */
const looks = 100;

export class Track {
  #scales = new Map();
  #initialized;
  #hinted;
  #switch;
  #turn = new AbortController();

  /**
   * @param options `buffer`; `window`, outside of which media is cut (optional); `rendition`; `requests`; `decrypt()`;
   *   `timeline`; `time()`, the playing time; `goal()`, how many seconds to load ahead; `isPaused()`, whether the browser wants
   *   nothing now; `notice(name, detail)`.
   */
  constructor(options) {
    Object.assign(this, options, { cursor: undefined, isDone: false, ahead: 0 });
  }

  /** Loads from a time on: after a seek, or at the start. */
  begin(time) {
    // Nothing is loaded there yet: a quality that takes over meanwhile begins there, too.
    Object.assign(this, { cursor: undefined, from: time, loadedTo: undefined, isDone: false });
    this.#interrupt();
  }

  /**
   * Goes on with another rendition, from a time on; `undefined` for where the last segment has ended. `more` are options of
   * the constructor that change with it.
   */
  change(rendition, type, from, more) {
    this.#switch = { rendition, type, from, more };
    this.isDone = false;
    if (from !== undefined) this.#interrupt();
  }

  /** Whether a rendition has been chosen that is not loaded yet. */
  get next() { return this.#switch?.rendition; }

  /** Stops what is being fetched; the loop begins again. */
  #interrupt() {
    this.#turn.abort();
    this.#forgetHint();
  }

  #forgetHint() {
    this.#hinted?.stop.abort();
    this.#hinted = undefined;
  }

  /** Gives up the segment that is being fetched, because a smaller one would come sooner. */
  abandon() { this.#interrupt(); }

  async run(signal) {
    signal.addEventListener('abort', () => this.#interrupt(), { once: true });
    while (!signal.aborted) {
      this.#turn = new AbortController();
      try {
        await this.#step(signal, this.#turn.signal);
      } catch (error) {
        if (signal.aborted) return;
        if (!isAborted(error)) throw error;
      }
    }
  }

  async #step(signal, turn) {
    if (this.#switch) await this.#takeOver(signal);
    const { rendition, buffer } = this;
    const time = this.time();
    const end = endOfRange(buffer.ranges, time);
    this.ahead = end - time;
    if (this.isDone || this.isPaused() || (this.ahead >= this.goal() && this.cursor)) {
      await pause(looks, turn);
      return;
    }
    const version = rendition.updated;
    const item = this.#next();
    if (!item) {
      if (!rendition.isLive) { this.#finish(); return; }
      this.#followHint();
      await rendition.change(version, turn);
      return;
    }
    if (item.segment.isGap || item.part?.isGap) { this.#advance(item); this.notice('gap', item.segment); return; }
    await this.#load(item, turn);
  }

  #finish() {
    this.isDone = true;
    this.notice('done');
  }

  async #takeOver(signal) {
    const { rendition, type, from, more } = this.#switch;
    const report = this.rendition.playlist?.reports.find(({ address }) => address === rendition.address);
    await rendition.load(signal, report);
    this.#switch = undefined;
    const at = from ?? this.loadedTo ?? this.from ?? this.time();
    await this.buffer.setType(type);
    Object.assign(this, { rendition, cursor: undefined, from: at }, more);
    this.notice('switched', rendition);
  }

  /** What to load next: `{ segment, part, address, range }`; nothing while the playlist does not have it. */
  #next() {
    const { rendition } = this;
    if (rendition.segments.length === 0) return undefined;
    this.cursor ??= this.#place(this.from);
    for (;;) {
      const { sequence, part: index } = this.cursor;
      if (sequence < rendition.segments[0].sequence) {
        // The window has moved past what was to come.
        this.notice('missed', rendition.segments[0]);
        this.cursor = { sequence: rendition.segments[0].sequence, part: 0 };
        continue;
      }
      const segment = rendition.segment(sequence);
      if (!segment) return undefined;
      const isWhole = segment.address !== undefined;
      if (isWhole && (index === 0 || segment.parts.length === 0)) return { segment, address: segment.address, range: segment.range };
      const part = segment.parts[index];
      if (part) return { segment, part, address: part.address, range: part.range };
      if (!isWhole) return undefined;
      this.cursor = { sequence: sequence + 1, part: 0 };
    }
  }

  /** Where to begin for a time: at the segment, or the last part before the time at which a decoder can begin. */
  #place(time) {
    const { rendition } = this;
    if (time >= rendition.end && rendition.isLive && time > rendition.end + 1) {
      return { sequence: rendition.segments.at(-1).sequence + 1, part: 0 };
    }
    const segment = rendition.segmentAt(time);
    let index = 0;
    segment.parts.forEach((part, at) => { if (part.isIndependent && part.start <= time + 0.01) index = at; });
    // A whole segment is one request; its end is fetched in parts only where it is not there yet.
    return { sequence: segment.sequence, part: segment.address === undefined || index > 0 ? index : 0 };
  }

  #advance({ segment, part }) {
    this.cursor = part ? { sequence: segment.sequence, part: part.index + 1 } : { sequence: segment.sequence + 1, part: 0 };
  }

  /** Asks for the part that comes next before the playlist has it; the server holds the answer until it is there. */
  #followHint() {
    const { hint } = this.rendition.playlist;
    if (!hint || this.#hinted?.address === hint.address || hint.start || hint.length) return;
    const last = this.rendition.segments.at(-1);
    if (this.cursor.sequence < last.sequence) return;
    this.#forgetHint();
    const stop = new AbortController();
    const answer = this.requests.bytes(hint.address, { signal: stop.signal, kind: 'hint', tries: 1, seconds: 10 });
    answer.catch(() => {});
    this.#hinted = { address: hint.address, answer, stop };
  }

  async #fetch(item, turn) {
    if (this.#hinted?.address === item.address && !item.range) {
      const { answer } = this.#hinted;
      try { return await answer; } catch (error) { if (turn.aborted) throw error; } finally { this.#hinted = undefined; }
    }
    return this.requests.bytes(item.address, {
      signal: turn, range: item.range, kind: item.part ? 'part' : this.kind, isMissingPassing: this.rendition.isLive, tries: 3,
      seconds: Math.max(10, 4 * item.segment.duration), progress: this.loading?.progress,
    });
  }

  async #load(item, turn) {
    const { segment, part } = item;
    const begun = performance.now();
    this.loading = { item, begun, progress: {} };
    try {
      const [initial, answer] = await Promise.all([this.#initialization(segment, turn), this.#fetch(item, turn)]);
      const bytes = segment.key ? await this.decrypt(answer.body, segment.key, segment.sequence, turn) : answer.body;
      if (turn.aborted) throw aborted();
      await this.#append(item, initial, bytes, turn);
      this.#advance(item);
      this.loadedTo = (part || segment).start + (part || segment).duration;
      this.notice('loaded', { segment, part, bytes: bytes.byteLength, seconds: (performance.now() - begun) / 1000 });
    } catch (error) {
      if (error.code === 'missing' && this.rendition.isLive) {
        // A segment that has gone: the playlist has others.
        this.notice('missed', segment);
        this.#advance(item);
        await pause(looks, turn);
        return;
      }
      throw error;
    } finally {
      this.loading = undefined;
    }
  }

  /** The initialization section of a segment, if it is not the one that the buffer has. */
  async #initialization(segment, turn) {
    const { map } = segment;
    if (!map) throw new PlayerError('unsupported', { address: segment.address, detail: 'no initialization section' });
    const name = `${map.address} ${map.range?.start ?? ''}`;
    if (!this.#scales.has(name)) {
      const { body } = await this.requests.bytes(map.address, { signal: turn, range: map.range, kind: 'init' });
      const bytes = map.key ? await this.decrypt(body, map.key, segment.sequence, turn) : body;
      // A few: channels whose publishers come and go would collect them.
      if (this.#scales.size > 8) this.#scales.clear();
      this.#scales.set(name, { name, bytes, ...readInitialization(bytes) });
    }
    return this.#scales.get(name);
  }

  async #append(item, initial, bytes, turn) {
    const { segment, part } = item;
    const { buffer, timeline } = this;
    const expected = (part || segment).start;
    const own = firstTime(bytes, initial.scales);
    if (own !== undefined) {
      if (!timeline.offsets.has(segment.domain)) timeline.offsets.set(segment.domain, this.#offset(expected - own));
      const shift = own + timeline.offsets.get(segment.domain) - expected;
      if (Math.abs(shift) > drift && Math.abs(shift) < 30) this.rendition.correct(segment, shift);
    }
    if (this.window) await this.#cut(segment, initial, bytes);
    await buffer.setOffset(timeline.offsets.get(segment.domain) ?? expected);
    if (this.#initialized !== initial.name) {
      // Another publisher, or a slate, may have another codec.
      await buffer.setType(typeOfEntries(buffer.type, initial.entries));
      await this.#put(initial.bytes, turn);
      this.#initialized = initial.name;
    }
    await this.#put(bytes, turn);
    const time = this.time();
    if (buffer.ranges[0]?.[0] < time - keptBehind - 10) await buffer.remove(0, time - keptBehind);
  }

  /** Cuts what is decoded before a track's beginning and after its end, so that another one fits on exactly. */
  async #cut(segment, initial, bytes) {
    const { fillLastFrame, primingOf } = await import('./gapless.js');
    // The playlist's durations have the priming in them.
    this.primed = primingOf(initial.bytes, initial.scales);
    await this.buffer.setWindow({ start: this.window.start, end: this.window.end - this.primed });
    if (segment === this.rendition.segments.at(-1)) fillLastFrame(bytes);
  }

  /** Media of a title whose times begin at about zero are left where they are. */
  #offset(offset) {
    const { isLive, base } = this.rendition;
    return !isLive && Math.abs(offset - base) < 0.5 ? base : offset;
  }

  /** Appends; a full buffer loses what was played, and then waits for more to be played. */
  async #put(bytes, turn) {
    for (let kept = keptBehind; ; kept /= 2) {
      try {
        await this.buffer.append(bytes);
        return;
      } catch (error) {
        if (error.name !== 'QuotaExceededError') throw error;
        this.notice('full');
        await this.buffer.remove(0, Math.max(0, this.time() - kept));
        if (kept < 2) await pause(1000, turn);
      }
    }
  }

  /** Removes what is buffered from a time on. */
  async forget(from) {
    await this.buffer.remove(from, Infinity);
  }

}
