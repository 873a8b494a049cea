// Subtitles: a rendition in segments of WebVTT, or one file, as cues of a hidden text track, which the controls draw.

import { isAborted, pause } from './fetch.js';
import { Rendition } from './rendition.js';

/** Subtitles are loaded so many seconds ahead. */
const ahead = 60;
/** Cues that are remembered, so that none is shown twice. */
const longestKnown = 2000;
/** A text that is longer than this is not read further. */
const longestText = 4 << 20;

/** A time of WebVTT in seconds. */
export const seconds = (text) => text.trim().split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

/**
 * The cues of a WebVTT text (W3C WebVTT): `{ start, end, text, line, position, align }`, with times as they are written, and
 * the shift that an `X-TIMESTAMP-MAP` asks for.
 */
export const parseVTT = (text) => {
  const cues = [];
  let shift = 0;
  const body = text.slice(0, longestText).replace(/\r\n?/g, '\n').replace(/^\uFEFF/, '');
  const map = /^X-TIMESTAMP-MAP=(.*)$/m.exec(body);
  if (map) {
    const transport = /MPEGTS:(\d+)/.exec(map[1]);
    const local = /LOCAL:([\d:.]+)/.exec(map[1]);
    if (transport && local) shift = Number(transport[1]) / 90000 - seconds(local[1]);
  }
  for (const block of body.split(/\n{2,}/)) {
    const lines = block.split('\n');
    const at = lines.findIndex((line) => line.includes('-->'));
    if (at < 0) continue;
    const [, from, to, settings] = /([\d:.]+)\s+-->\s+([\d:.]+)(.*)/.exec(lines[at]) || [];
    if (from === undefined) continue;
    const [start, end] = [seconds(from), seconds(to)];
    const content = lines.slice(at + 1).join('\n');
    if (!(end > start) || !content) continue;
    const chosen = Object.fromEntries(settings.trim().split(/\s+/).filter((one) => one.includes(':')).map((one) => one.split(':')));
    cues.push({ start, end, text: content, ...chosen });
  }
  return { cues, shift };
};

export class TextTracks {
  #stop;
  #turn = 0;

  /**
   * @param options `media`; `requests`; `timeline` of the engine, where there is one.
   */
  constructor({ media, requests, timeline }) {
    Object.assign(this, { media, requests, timeline, chosen: undefined });
  }

  /** The track that holds the cues; hidden, because the controls draw them. */
  get track() {
    this.own ??= this.media.addTextTrack('subtitles', 'Antena');
    if (this.own.mode !== 'hidden') this.own.mode = 'hidden';
    return this.own;
  }

  /** The texts to be shown now. */
  get active() { return this.chosen ? Array.from(this.track.activeCues || []) : []; }

  /** Shows a rendition (`address`; `isFile` for a single WebVTT file); `undefined` for none. */
  choose(rendition) {
    if (rendition === this.chosen) return;
    this.#stop?.abort();
    this.chosen = rendition;
    this.#turn += 1;
    for (const cue of Array.from(this.track.cues || [])) this.track.removeCue(cue);
    if (!rendition) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    const loading = rendition.isFile ? this.#file(rendition, signal) : this.#segments(rendition, signal);
    loading.catch((error) => { if (!isAborted(error)) this.failure = error; });
  }

  async #file(rendition, signal) {
    const { body } = await this.requests.text(rendition.address, { signal, kind: 'subtitles' });
    this.#add(body, 0, new Set());
  }

  async #segments(rendition, signal) {
    const list = new Rendition({ address: rendition.address, requests: this.requests, timeline: this.timeline });
    await list.load(signal);
    if (list.isLive) list.follow(signal).catch(() => {});
    const [loaded, known] = [new Set(), new Set()];
    while (!signal.aborted) {
      const time = this.media.currentTime;
      const wanted = list.segments.find((segment) => segment.address && !segment.isGap && !loaded.has(segment.sequence)
        && segment.start + segment.duration > time - 1 && segment.start < time + ahead);
      if (!wanted) {
        await pause(500, signal);
        this.#forget(time, list.isLive ? loaded : undefined, list);
        continue;
      }
      loaded.add(wanted.sequence);
      try {
        const { body } = await this.requests.text(wanted.address, { signal, kind: 'subtitles' });
        this.#add(body, this.timeline.offsets.get(wanted.domain) ?? 0, known);
      } catch (error) {
        if (isAborted(error)) throw error;
        // One segment of subtitles that is missing is not worth a stop.
        await pause(1000, signal);
      }
    }
  }

  /** Adds the cues of a text; those that continue from the segment before are there already. */
  #add(text, offset, known) {
    const { cues, shift } = parseVTT(text);
    for (const { start, end, text: content, line, position, align } of cues) {
      if (known.size > longestKnown) known.clear();
      const name = `${start} ${end} ${content}`;
      if (known.has(name)) continue;
      known.add(name);
      const cue = new VTTCue(start + shift + offset, end + shift + offset, content);
      if (line && line.endsWith('%')) cue.line = parseFloat(line);
      if (position && position.endsWith('%')) cue.position = Math.min(100, Math.max(0, parseFloat(position)));
      if (['start', 'center', 'end', 'left', 'right'].includes(align)) cue.align = align;
      this.track.addCue(cue);
    }
  }

  /** A programme without an end keeps the cues of the last minutes only. */
  #forget(time, loaded, list) {
    if (!loaded) return;
    for (const cue of Array.from(this.track.cues || [])) if (cue.endTime < time - 120) this.track.removeCue(cue);
    for (const sequence of loaded) if (sequence < (list.segments[0]?.sequence ?? 0)) loaded.delete(sequence);
  }

  destroy() { this.#stop?.abort(); }
}
