// Plays HLS through Media Source: chooses renditions, keeps their tracks loading, and the playing time where it should be.

import { Adaptation, FrameLimit, Throughput } from './adaptation.js';
import { canChangeCodec, codecsOfEntries, endOfRange, mediaSourceClass, pairs, TrackBuffer } from './buffer.js';
import { isAborted, pause, PlayerError, Requests } from './fetch.js';
import { LiveClock, namedRanges, programmeStart } from './live.js';
import { readInitialization } from './mp4.js';
import { isMultivariant, isPlaylist, parseMultivariant } from './playlist.js';
import { Rendition, Timeline } from './rendition.js';
import { Track } from './track.js';

const isVideoCodec = (codec) => /^(avc[13]|hvc1|hev1|dvh[1e]|av01|vp0?[89])/i.test(codec);
const family = (codec) => codec.split('.')[0].replace('avc3', 'avc1').replace('hev1', 'hvc1');
const typeOf = (kind, codecs) => `${kind}/mp4; codecs="${codecs.join(',')}"`;

/** Seconds of buffer that are kept ahead: of a title, and of a programme behind its live edge. */
const goals = { title: 40, programme: 20, apart: 8 };
/** How often the player looks whether all is well, in milliseconds. */
const watchInterval = 200;
/** A hole in what is buffered that the player jumps over without waiting, in seconds. */
const smallHole = 0.6;
/** The time for which a quality is left alone that the server does not make, in milliseconds. */
const missing = 30_000;

export class SourceEngine extends EventTarget {
  #stop = new AbortController();
  #lastTime = 0;
  #stuckSince;
  #size = { width: 0, height: 0 };
  /** Where what plays begins: later than zero if it has followed another track in the same buffer. */
  base = 0;
  #end = 0;

  static get isSupported() {
    const Source = mediaSourceClass();
    return Boolean(Source && (Source.isTypeSupported('video/mp4; codecs="avc1.42e01e,mp4a.40.2"') || Source.isTypeSupported('audio/mp4; codecs="mp4a.40.2"')));
  }

  /**
   * @param media the element.
   * @param options `kind` (`channel` for what may come back after its end), `start` (seconds, or undefined), `date` (of a
   *   programme, in milliseconds, or undefined), `bandwidth` (of the visit before), `languages` (of audio, the preferred one
   *   first), `height` (a quality chosen by hand).
   */
  constructor(media, options = {}) {
    super();
    this.media = media;
    this.options = options;
    this.throughput = new Throughput(options.bandwidth);
    this.requests = new Requests({ onTransfer: (entry) => this.throughput.count(entry) });
    this.adaptation = new Adaptation(this.throughput);
    this.clock = new LiveClock();
    this.timeline = new Timeline();
    Object.assign(this, { tracks: [], variants: [], audio: [], subtitles: [], switches: [], stalls: 0, chosenHeight: options.height });
  }

  #emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  // MARK: Loading

  /** Loads a playlist and begins to play it where it should begin. */
  async load(address) {
    const { signal } = this.#stop;
    this.address = address;
    const opening = this.#open();
    opening.catch(() => {});
    if (await this.#prepare(address, opening, signal)) return;
    // Encrypted titles come as MPEG-TS unless a player asks for the other form.
    const other = new URL(address);
    other.searchParams.set('format', 'fmp4');
    if (!await this.#prepare(other.href, opening, signal)) throw new PlayerError('unsupported', { address, detail: 'MPEG-TS' });
  }

  /** Loads the playlists of an address and begins to play; false if its segments are not fragmented MP4. */
  async #prepare(address, opening, signal) {
    const { body, address: final } = await this.requests.text(address, { signal, kind: 'playlist', tries: 2, priority: 'high' });
    if (!isPlaylist(body)) throw new PlayerError('playlist', { address: final });
    this.master = isMultivariant(body) ? parseMultivariant(body, final)
      : { address: final, variants: [{ address: final, bandwidth: 0, codecs: [], width: 0, height: 0 }], audio: [], subtitles: [], imageVariants: [], sessionData: {} };
    this.#chooseVariants();
    this.#chooseAudio();
    this.subtitles = this.master.subtitles.filter(({ address: of }) => of);
    this.variant = this.#best();
    if (!await this.#begin(opening, signal)) return false;
    this.#emit('choices');
    return true;
  }

  /** Opens a media source at the element. */
  #open() {
    const Source = mediaSourceClass();
    const { media } = this;
    this.source = new Source();
    if (globalThis.ManagedMediaSource) {
      // The managed source plays without AirPlay unless there is another one for that.
      media.disableRemotePlayback = true;
      this.source.addEventListener('startstreaming', () => { this.isHeld = false; });
      this.source.addEventListener('endstreaming', () => { this.isHeld = true; });
    }
    return new Promise((resolve, reject) => {
      this.source.addEventListener('sourceopen', () => { URL.revokeObjectURL(this.object); resolve(); }, { once: true });
      this.#stop.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')), { once: true });
      this.object = URL.createObjectURL(this.source);
      media.src = this.object;
    });
  }

  /** Keeps the variants that this browser decodes, by rising bandwidth. */
  #chooseVariants() {
    const Source = mediaSourceClass();
    const supports = (kind, codecs) => codecs.length === 0 || Source.isTypeSupported(typeOf(kind, codecs));
    const described = this.master.variants.map((variant) => {
      const video = variant.codecs.filter(isVideoCodec);
      const audio = variant.codecs.filter((codec) => !isVideoCodec(codec) && !/^(stpp|wvtt)/.test(codec));
      return { ...variant, videoCodecs: video, audioCodecs: audio, playsVideo: supports('video', video), playsAudio: supports('audio', audio) };
    });
    const withVideo = described.filter((variant) => variant.videoCodecs.length > 0 || (variant.height > 0 && variant.codecs.length === 0));
    const pool = withVideo.filter(({ playsVideo }) => playsVideo);
    const audible = pool.filter(({ playsAudio }) => playsAudio);
    let found = audible.length > 0 ? audible : pool;
    this.isSilent = pool.length > 0 && audible.length === 0;
    if (found.length === 0) found = described.filter((variant) => variant.videoCodecs.length === 0 && variant.playsAudio);
    if (withVideo.length > 0 && pool.length === 0) this.unsupportedCodecs = [...new Set(withVideo.flatMap(({ videoCodecs }) => videoCodecs))];
    if (found.length === 0) {
      throw new PlayerError('unsupported', { detail: [...new Set(this.master.variants.flatMap(({ codecs }) => codecs))].join(', ') });
    }
    const dynamic = found.filter(({ range }) => range !== 'SDR');
    const isWide = globalThis.matchMedia?.('(dynamic-range: high)').matches;
    if (dynamic.length < found.length) found = found.filter((variant) => (variant.range !== 'SDR') === (dynamic.length > 0 && Boolean(isWide)));
    // A browser whose buffers change from one codec to another takes all variants, another one those of the first codec.
    const codec = family(found[0].videoCodecs[0] || found[0].audioCodecs[0] || '');
    const alike = canChangeCodec() ? found : found.filter((variant) => family(variant.videoCodecs[0] || variant.audioCodecs[0] || '') === codec);
    // Of variants that differ in their audio only, the first counts.
    const seen = new Set();
    this.variants = alike.filter(({ address }) => !seen.has(address) && seen.add(address)).sort((a, b) => a.bandwidth - b.bandwidth);
    this.hasVideo = this.variants[0].videoCodecs.length > 0 || this.variants[0].height > 0;
  }

  /** Lists the audio renditions, and takes the visitor's language, else the default. */
  #chooseAudio() {
    const group = this.variants[0].audioGroup;
    this.audio = this.master.audio.filter((rendition) => rendition.group === group);
    const spoken = this.options.languages || [];
    const rank = ({ language, isDefault, characteristics }) => {
      const at = spoken.findIndex((wanted) => wanted.split('-')[0] === language.split('-')[0]);
      const described = characteristics.includes('public.accessibility.describes-video') ? 1 : 0;
      return (at < 0 ? spoken.length + 1 : at) * 4 + described * 2 + (isDefault ? 0 : 1);
    };
    this.audioRendition = this.hasVideo && this.audio.length > 0 ? [...this.audio].sort((a, b) => rank(a) - rank(b))[0] : undefined;
  }

  /** Starts the tracks of the chosen renditions; false if they are not fragmented MP4. */
  async #begin(opening, signal) {
    const { variant } = this;
    const main = this.#rendition(variant.address, true);
    const own = this.audioRendition?.address;
    const separate = this.hasVideo && own && !this.isSilent ? this.#rendition(own) : undefined;
    const first = main.load(signal);
    if (separate) await Promise.all([first, separate.load(signal)]); else await first;
    if (main.segments.length === 0) await this.#waitForSegments(main, signal);
    if (!main.segments[0].map) return false;
    if (variant.codecs.length === 0) await this.#readCodecs(main, signal);
    if (separate) this.#alignFirst(main, separate);
    await opening;
    this.isLive = main.isLive;
    this.clock.update(main.playlist);
    this.#end = Math.max(main.end, separate?.end ?? 0);
    this.source.duration = this.isLive ? Infinity : this.#end;
    const kind = this.hasVideo ? 'video' : 'audio';
    const audio = separate || this.isSilent ? [] : variant.audioCodecs;
    const codecs = [...variant.videoCodecs, ...audio];
    const start = this.#startTime(main);
    // The end of a track is cut where the next one begins.
    const isTrack = !this.isLive && !this.hasVideo;
    this.#addTrack(kind, typeOf(kind, codecs), main, start, isTrack ? { start: 0, end: this.#end } : undefined);
    if (separate) this.#addTrack('audio', typeOf('audio', variant.audioCodecs), separate, start);
    this.media.addEventListener('seeking', () => this.#seek(), { signal });
    this.media.currentTime = start;
    this.#lastTime = start;
    this.#follow(main, signal);
    if (separate) this.#follow(separate, signal);
    this.tracks.forEach((track) => track.run(signal).catch((error) => this.#fail(error)));
    this.#watch(signal);
    this.#emit('live', this.isLive);
    return true;
  }

  /** Learns from the first initialization section what a playlist says nothing of. */
  async #readCodecs(rendition, signal) {
    const { map, sequence } = rendition.segments[0];
    const { body } = await this.requests.bytes(map.address, { signal, range: map.range, kind: 'init' });
    const bytes = map.key ? await this.decrypt(body, map.key, sequence, signal) : body;
    const codecs = readInitialization(bytes).entries.map((entry) => codecsOfEntries[entry] || entry);
    Object.assign(this.variant, { codecs, videoCodecs: codecs.filter(isVideoCodec), audioCodecs: codecs.filter((codec) => !isVideoCodec(codec)) });
    this.hasVideo = this.variant.videoCodecs.length > 0;
  }

  #decryption;

  /** Decrypts a segment or an initialization section. */
  async decrypt(bytes, key, sequence, signal) {
    this.#decryption ??= import('./decrypt.js').then(({ Decryption }) => new Decryption(this.requests));
    return (await this.#decryption).decrypt(bytes, key, sequence, signal);
  }

  /** A channel whose push has just begun has no segment yet. */
  async #waitForSegments(rendition, signal) {
    this.#follow(rendition, signal);
    while (rendition.segments.length === 0) await rendition.change(rendition.updated, signal);
  }

  /** Places audio that has no dates by its numbers, which go with those of the video. */
  #alignFirst(main, audio) {
    const [first, other] = [main.segments[0], audio.segments[0]];
    if (!first || !other || first.date !== undefined || !main.isLive) return;
    const shift = (main.segment(other.sequence) || first).start - other.start;
    audio.segments.forEach((segment) => {
      segment.start += shift;
      segment.parts.forEach((part) => { part.start += shift; });
    });
  }

  #rendition(address, isMain = false) {
    return new Rendition({ address, requests: this.requests, timeline: this.timeline, isMain });
  }

  #addTrack(kind, type, rendition, start, window) {
    const track = new Track({
      kind, rendition, window, buffer: new TrackBuffer(this.source, type), requests: this.requests,
      decrypt: (...parts) => this.decrypt(...parts),
      timeline: this.timeline, time: () => this.playingTime, goal: () => this.#goal(track), isPaused: () => Boolean(this.isHeld),
      notice: (name, detail) => this.#notice(track, name, detail),
    });
    track.begin(start);
    this.tracks.push(track);
  }

  /** The time from which is loaded: where the element is, or is going. */
  get playingTime() { return this.#pendingTime ?? this.media.currentTime; }

  #pendingTime;

  /** How far a track is loaded ahead: not much further than the other one, which needs the line as well. */
  #goal(track) {
    const goal = this.isLive ? goals.programme : goals.title;
    const others = this.tracks.filter((other) => other !== track && !other.isDone).map(({ ahead }) => ahead);
    return track ? Math.min(goal, ...others.map((ahead) => Math.max(0, ahead) + goals.apart)) : goal;
  }

  #startTime(main) {
    const { start, date } = this.options;
    const { master } = this;
    if (this.isLive) {
      const place = date === undefined ? undefined : this.timeline.time(date);
      if (place !== undefined && place < this.clock.startTime(main) - 1) {
        this.clock.follows = false;
        return Math.max(main.start + 1, place);
      }
      if (start !== undefined) return Math.min(this.clock.startTime(main), Math.max(main.start, start));
      const wanted = master.start || main.playlist.start;
      if (wanted && wanted.offset < 0) return Math.max(main.start, Math.min(main.end + wanted.offset, this.clock.startTime(main)));
      return this.clock.startTime(main);
    }
    const wanted = start ?? (master.start || main.playlist.start)?.offset ?? 0;
    return Math.min(Math.max(0, wanted < 0 ? main.end + wanted : wanted), Math.max(0, main.end - 0.5));
  }

  #follow(rendition, signal) {
    if (rendition.isFollowed || !rendition.isLive) return;
    rendition.isFollowed = true;
    const turn = new AbortController();
    rendition.unfollow = () => { rendition.isFollowed = false; turn.abort(); };
    signal.addEventListener('abort', () => turn.abort(), { once: true });
    rendition.follow(turn.signal).catch((error) => this.#fail(error));
  }

  // MARK: While it plays

  #notice(track, name, detail) {
    if (name === 'switched') this.#switched(detail);
    if (name === 'loaded') this.#loaded(track, detail);
    if (name === 'gap' && track === this.tracks[0]) this.#leave(this.variant);
    if (name !== 'done') return;
    this.#endIfDone();
    this.#emit('done');
  }

  #loaded(track) {
    if (track === this.tracks[0] && !this.upcoming) this.#adapt();
  }

  #endIfDone() {
    if (!this.tracks.every(({ isDone }) => isDone) || this.source.readyState !== 'open') return;
    Promise.all(this.tracks.map(({ buffer }) => buffer.settled())).then(() => {
      if (this.source.readyState === 'open' && this.tracks.every(({ isDone }) => isDone)) this.source.endOfStream();
    });
  }

  /** The main rendition. */
  get main() { return this.tracks[0]?.rendition; }

  get latency() { return this.isLive && this.main ? this.clock.latency(this.main, this.media.currentTime) : undefined; }

  /** The point in time of what is shown, in milliseconds since 1970; `undefined` if the playlist has no dates. */
  get date() { return this.timeline.date(this.media.currentTime); }

  /** The point in time of a playing time. */
  dateAt(time) { return this.timeline.date(time); }

  /** The playing time of a point in time. */
  timeAt(date) { return this.timeline.time(date); }

  get seekable() {
    if (!this.main) return { start: 0, end: 0 };
    if (!this.isLive) return { start: this.base, end: this.#end || this.main.end };
    const start = Math.max(...this.tracks.map(({ rendition }) => rendition.start));
    return { start, end: Math.max(start, this.main.end - (this.clock.target ?? 0)) };
  }

  get follows() { return this.isLive && this.clock.follows; }

  get bandwidth() { return this.throughput.isKnown ? this.throughput.estimate : this.options.bandwidth; }

  /** Seconds that are buffered ahead of the playing time. */
  get ahead() {
    const { media } = this;
    return endOfRange(pairs(media.buffered), media.currentTime) - media.currentTime;
  }

  /** Where the programme that is on now begins. */
  get programmeStart() { return Math.max(this.seekable.start, programmeStart(this.main.playlist, (date) => this.timeline.time(date))); }

  /** The moments of a programme that its publisher has named, in their order. */
  get marks() {
    if (!this.isLive) return [];
    return namedRanges(this.main.playlist).map(({ date, name }) => ({ start: this.timeline.time(date), name }));
  }

  goLive() {
    if (!this.isLive) return;
    this.clock.follows = true;
    this.#setTime(this.clock.startTime(this.main));
  }

  /** Goes to a time; in a programme, near the live edge, the player follows that again. */
  seek(time) {
    const { start, end } = this.seekable;
    const wanted = Math.min(Math.max(time, start), Math.max(start, this.isLive ? end : end - 0.05));
    if (this.isLive) this.clock.follows = wanted >= end - 1;
    this.#setTime(wanted);
  }

  #setTime(time) {
    this.#pendingTime = time;
    this.media.currentTime = time;
  }

  #seek() {
    const time = this.media.currentTime;
    this.#pendingTime = undefined;
    this.#stuckSince = undefined;
    this.#lastTime = time;
    for (const track of this.tracks) {
      // What is buffered there already is played at once; loading goes on behind it.
      const end = endOfRange(track.buffer.ranges, time);
      if (this.upcoming && end <= time) this.#dropUpcoming(time);
      else if (end > time) {
        if (!track.loadedTo || Math.abs(track.loadedTo - end) > 0.3) track.begin(end - 0.02);
      } else track.begin(time);
    }
  }

  async #watch(signal) {
    let turns = 0;
    while (!signal.aborted) {
      try { await pause(watchInterval, signal); } catch { return; }
      turns += 1;
      try {
        this.#keepPlaying();
        if (this.isLive) this.#keepLive(turns);
        if (this.upcoming && this.media.currentTime >= this.upcoming.base) this.#takeUpcoming();
        if (turns % 2 === 0) this.#considerGivingUp();
        if (turns % 5 === 0) this.#considerFrames();
      } catch (error) { if (!isAborted(error)) this.#fail(error); }
    }
  }

  #keepLive(turns) {
    const { media, main } = this;
    if (!main.isLive) {
      this.isLive = false;
      media.playbackRate = media.defaultPlaybackRate;
      this.#emit('live', false);
      return;
    }
    this.clock.update(main.playlist);
    if (turns % 5 === 0 && this.source.readyState === 'open') {
      const { start } = this.seekable;
      try { this.source.setLiveSeekableRange?.(start, Math.max(start, main.end)); } catch { /* Not while a buffer changes. */ }
    }
    const { start } = this.seekable;
    if (media.currentTime < start - 1 && !media.seeking) {
      // Paused for longer than the time shift reaches back.
      this.#setTime(start + 1);
      return;
    }
    // At high speeds browsers run over the end of what there is.
    if (media.currentTime > main.end + 2 && !media.seeking) { this.#setTime(this.clock.startTime(main)); return; }
    if (media.paused || media.seeking) { if (media.paused && this.latency > this.clock.target + 3) this.clock.follows = false; return; }
    if (!this.clock.follows) { if (this.ratedByClock) { media.playbackRate = media.defaultPlaybackRate; this.ratedByClock = false; } return; }
    const { rate, jump } = this.clock.rate(this.latency);
    if (jump) { this.#setTime(this.clock.startTime(main)); return; }
    this.ratedByClock = true;
    if (Math.abs(media.playbackRate - rate) > 0.001) media.playbackRate = rate;
  }

  /** Sees that the time goes on: jumps over holes, nudges a decoder that hangs, and counts stalls. */
  #keepPlaying() {
    const { media } = this;
    const time = media.currentTime;
    const waits = (!media.paused || media.seeking) && !media.ended && time === this.#lastTime;
    this.#lastTime = time;
    if (!waits) {
      this.#stuckSince = undefined;
      if (!media.paused && !media.seeking && media.readyState >= 3) [this.#hasPlayed, this.isStalled] = [true, false];
      return;
    }
    const now = performance.now();
    this.#stuckSince ??= now;
    const stuck = now - this.#stuckSince;
    const ranges = pairs(media.buffered);
    const inside = ranges.find(([from, to]) => from <= time + 0.02 && to > time + 0.15);
    const next = ranges.find(([from, to]) => from > time && to - from > 0.1);
    if (!inside && next && (next[0] - time < smallHole || stuck > 1500)) {
      this.#pendingTime = undefined;
      media.currentTime = next[0] + 0.01;
      this.#stuckSince = undefined;
      this.#emit('jump', { from: time, to: next[0] });
    } else if (inside && stuck > 2500 && media.readyState >= 2 && !media.paused) {
      media.currentTime = time + 0.1;
      this.#stuckSince = now;
    } else if (stuck > 500 && this.#hasPlayed && !this.isStalled && !media.seeking && media.readyState < 3) {
      this.isStalled = true;
      this.stalls += 1;
      this.clock.stalled();
      this.#emit('stall', { time });
    }
  }

  #hasPlayed = false;

  // MARK: Quality

  /** The size of the element, in pixels of the screen. */
  setSize(width, height) { this.#size = { width, height }; }

  #best(ahead = 0) {
    const now = performance.now();
    const made = this.variants.filter(({ leftAt }) => !(now - leftAt < missing));
    const variants = made.length > 0 ? made : this.variants;
    if (this.chosenHeight) {
      const found = variants.filter(({ height }) => height === this.chosenHeight);
      if (found.length > 0) return found.at(-1);
    }
    const current = variants.includes(this.variant) ? this.variant : undefined;
    return this.adaptation.choose(variants, current, { ahead, goal: this.#goal(), size: this.#size });
  }

  /** Takes another quality while the server does not make this one. */
  #leave(variant) {
    variant.leftAt = performance.now();
    this.#adapt();
  }

  #adapt() {
    if (this.variants.length < 2 || this.tracks[0].next) return;
    const wanted = this.#best(this.tracks[0].ahead);
    if (wanted !== this.variant) this.#switchTo(wanted);
  }

  /** Chooses a quality by its height, or leaves it to the player again (`undefined`). */
  chooseHeight(height) {
    this.chosenHeight = height;
    const wanted = this.#best(this.tracks[0]?.ahead ?? 0);
    if (wanted === this.variant || !this.tracks[0]) return;
    // What plays in the next seconds stays, so that nothing flickers; what comes after it is loaded again.
    const from = this.playingTime + 2;
    const isBetter = wanted.bandwidth > this.variant.bandwidth;
    this.#switchTo(wanted, isBetter && this.tracks[0].ahead > 3 ? from : undefined);
  }

  #switchTo(variant, from) {
    const [track] = this.tracks;
    const rendition = this.#rendition(variant.address, true);
    const kind = this.hasVideo ? 'video' : 'audio';
    const audio = this.tracks.length > 1 || this.isSilent ? [] : variant.audioCodecs;
    this.variant = variant;
    track.change(rendition, typeOf(kind, [...variant.videoCodecs, ...audio]), from === undefined ? undefined : from);
    this.switches.push({ time: this.media.currentTime, at: performance.now(), height: variant.height, bandwidth: variant.bandwidth });
    this.#emit('variant', variant);
  }

  #switched(rendition) {
    this.#follow(rendition, this.#stop.signal);
    for (const other of this.#followed) if (other !== rendition && !this.tracks.some((one) => one.rendition === other)) { other.unfollow?.(); this.#followed.delete(other); }
    this.#followed.add(rendition);
    this.clock.update(rendition.playlist);
  }

  #followed = new Set();

  /** Gives up a segment that would come too late, for a smaller one that would not. */
  #considerGivingUp() {
    const [track] = this.tracks;
    const { loading } = track;
    if (!loading?.progress.bytes || loading.item.part || this.chosenHeight || this.variants.length < 2 || this.media.paused) return;
    const { bytes, total, began } = loading.progress;
    const seconds = (performance.now() - began) / 1000;
    const { duration } = loading.item.segment;
    const expected = total || (this.variant.bandwidth * duration) / 8;
    const smaller = this.adaptation.givesUp(this.variants, this.variant, { ahead: track.ahead, seconds, expected, bytes, duration });
    if (!smaller) return;
    this.throughput.count({ bytes, start: began, answered: began, end: performance.now(), kind: 'video' });
    this.#switchTo(smaller);
    track.abandon();
  }

  #frames = new FrameLimit();

  /** A machine that drops many frames gets a smaller picture until it drops few. */
  #considerFrames() {
    const quality = this.media.getVideoPlaybackQuality?.();
    if (!quality || this.media.paused || document.hidden || this.chosenHeight) return;
    if (!this.#frames.note(quality, this.variants.map(({ height }) => height), this.variant.height)) return;
    this.adaptation.limit = this.#frames.height;
    this.#adapt();
  }

  // MARK: Audio

  /** Goes on with another audio rendition. */
  chooseAudio(rendition) {
    const track = this.tracks.find(({ kind }) => kind === 'audio');
    if (!track || !rendition.address || rendition === this.audioRendition) return;
    this.audioRendition = rendition;
    const time = this.playingTime;
    track.buffer.remove(time + 0.7, Infinity).catch(() => {});
    track.change(this.#rendition(rendition.address), track.buffer.type, time);
    this.#emit('audio', rendition);
  }

  // MARK: The next track

  /** Goes on with another playlist in the same buffer when this one has ended; false if that cannot be. */
  async continueWith(address) {
    const [track] = this.tracks;
    if (this.isLive || this.hasVideo || !track?.isDone || this.upcoming) return false;
    const { continuation } = await import('./gapless.js');
    const found = await continuation(this, address, this.#end - (track.primed || 0), this.#stop.signal);
    if (!found || !track.isDone || this.media.ended) return false;
    this.upcoming = found;
    this.#before = { rendition: track.rendition, type: track.buffer.type, more: { timeline: track.timeline, window: track.window } };
    track.change(found.rendition, found.type, found.base, found.more);
    return true;
  }

  #before;

  #takeUpcoming() {
    const { address, master, variants, variant, base, end, more } = this.upcoming;
    Object.assign(this, { address, master, variants, variant, base, timeline: more.timeline, upcoming: undefined });
    this.#end = end;
    this.#emit('item');
    if (this.tracks[0].isDone) this.#emit('done');
  }

  /** Goes back to the track that plays, because a part of it is to be loaded that is not there any more. */
  #dropUpcoming(time) {
    const { rendition, type, more } = this.#before;
    const [track] = this.tracks;
    track.buffer.remove(this.upcoming.base, Infinity).catch(() => {});
    this.upcoming = undefined;
    track.change(rendition, type, time, more);
    this.#emit('dropped');
  }

  // MARK: Ends

  #fail(error) {
    if (this.#stop.signal.aborted || isAborted(error)) return;
    if (error.isDecoding || error.name === 'QuotaExceededError' || error.name === 'NotSupportedError') {
      this.#emit('error', new PlayerError('decode', { cause: error, detail: this.media.error?.message || error.message }));
      return;
    }
    this.#emit('error', error instanceof PlayerError ? error : new PlayerError('playlist', { cause: error, detail: String(error?.message || error) }));
  }

  /** Ends everything that the engine has begun. */
  destroy() {
    this.#stop.abort();
    this.tracks = [];
    if (this.media.src === this.object) {
      this.media.removeAttribute('src');
      this.media.load();
    }
  }
}
