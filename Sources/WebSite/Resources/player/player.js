// The player: an element, the engine that feeds it, and what a person does with it. The controls draw it.

import { backOff, isAborted, pause, PlayerError, Requests } from './fetch.js';
import { keep, languages, Positions, recall, writeInterval } from './memory.js';
import { isPlaylist } from './playlist.js';
import { report } from './session.js';
import { SourceEngine } from './source.js';
import { TextTracks } from './texttracks.js';
import { Timeline } from './rendition.js';

/** Errors after which trying again helps. */
const passing = ['network', 'server', 'changed', 'playlist', 'key', 'too-many'];
/** How often a channel that is off the air is looked for, in milliseconds. */
const offAirPause = 3000;
/** Whether the browser plays HLS by itself. */
const playsHLS = (media) => media.canPlayType('application/vnd.apple.mpegurl') !== '';
/** A second decoding error within so many milliseconds is not tried again. */
const decodeWindow = 20000;

/** The players of this page; another one that sounds makes them pause. */
const players = new Set();
const channel = globalThis.BroadcastChannel ? new BroadcastChannel('antena-player') : undefined;
const pauseOthers = (own) => players.forEach((player) => { if (player !== own && player.sounds) player.pause(); });
if (channel) channel.onmessage = () => pauseOthers(undefined);

export class Player extends EventTarget {
  #stop = new AbortController();
  #turn = 0;
  #failures = 0;
  #decodedAt = -Infinity;
  #writer;

  /**
   * @param media the `video` or `audio` element.
   * @param item what is played: `kind` (`title`, `channel`, `track`, `video`, `trailer`), `id`, `address`, `file`, `name`,
   *   `artist`, `poster`, `storyboard`, `chapters`, `subtitles`, `links`, `next`, `token`, `start`, `date`.
   */
  constructor(media, item) {
    super();
    this.media = media;
    this.state = 'idle';
    media.removeAttribute('controls');
    media.volume = recall('volume', 1);
    media.muted ||= recall('muted', false);
    this.#listen();
    players.add(this);
    this.setItem(item);
  }

  emit(name, detail) { this.dispatchEvent(new CustomEvent(name, { detail })); }

  get isVideo() { return this.media.tagName === 'VIDEO'; }
  get sounds() { return !this.media.paused && !this.media.muted && this.media.volume > 0; }
  get isChannel() { return this.item.kind === 'channel'; }
  get isLive() { return Boolean(this.engine?.isLive); }
  get wantsToPlay() { return this.wanted; }

  /** Where the player is in what it plays, in seconds. */
  get time() { return this.media.currentTime - (this.engine?.base || 0); }

  /** The length of what is played, in seconds; `Infinity` for a programme. */
  get duration() {
    if (this.isLive) return Infinity;
    return this.engine?.base === undefined ? this.media.duration : this.engine.seekable.end - this.engine.base;
  }

  // MARK: What is played

  /** Takes something else to play; what plays now ends. */
  setItem(item) {
    this.#unload();
    this.item = item;
    this.error = undefined;
    this.positions = new Positions({ ...item, id: this.#remembers(item) ? item.id : undefined });
    this.#setState('idle');
    this.emit('item', item);
  }

  /** Live programmes and trailers have no position. */
  #remembers({ kind }) { return ['title', 'video', 'track'].includes(kind); }

  #unload() {
    this.#write();
    this.#turn += 1;
    this.upcoming = undefined;
    this.#endEngine();
    clearInterval(this.#writer);
  }

  #endEngine() {
    this.texts?.destroy();
    this.engine?.destroy();
    [this.texts, this.engine] = [undefined, undefined];
  }

  /** Loads what is to be played, at the position of the last time. */
  async load({ start } = {}) {
    if (this.engine) return;
    const turn = ++this.#turn;
    this.error = undefined;
    this.#setState('loading');
    const from = start ?? this.item.start;
    const remembered = from === undefined && this.#remembers(this.item) ? await this.#rememberedPosition() : undefined;
    if (turn !== this.#turn) return;
    await this.#begin({ start: from ?? remembered, date: this.item.date }, turn);
  }

  /** A slow answer does not hold the start up. */
  #rememberedPosition() {
    return Promise.race([this.positions.read(), pause(1500).then(() => undefined)]);
  }

  async #begin(options, turn) {
    const all = {
      kind: this.item.kind, bandwidth: recall('bandwidth'), languages: languages('audio'), height: recall('height'), ...options,
    };
    const made = this.#makeEngine(all);
    // Media Source begins at once, within the click of the visitor.
    const engine = made instanceof Promise ? await made : made;
    if (turn !== this.#turn) { engine?.destroy(); return; }
    if (!engine) { this.#fail(new PlayerError('unsupported')); return; }
    this.engine = engine;
    engine.addEventListener('error', ({ detail }) => { if (turn === this.#turn) this.#fail(detail); });
    for (const name of ['live', 'choices', 'variant', 'audio', 'stall', 'jump']) {
      engine.addEventListener(name, ({ detail }) => { if (turn === this.#turn) this.emit(name, detail); });
    }
    engine.addEventListener('done', () => { if (turn === this.#turn) this.#prepareNext(turn); });
    engine.addEventListener('item', () => { if (turn === this.#turn) this.#takeNext(); });
    engine.addEventListener('dropped', () => { this.upcoming = undefined; });
    engine.setSize(...this.#pixels());
    try {
      const loading = engine.load(engine.plays);
      if (this.wanted) this.media.play().catch((error) => this.#refused(error));
      await loading;
      if (turn !== this.#turn) return;
      this.#failures = 0;
      this.#prepareTexts();
      this.#setState('ready');
      if (this.media.playbackRate !== this.rate && !engine.isLive) this.media.playbackRate = this.rate;
      clearInterval(this.#writer);
      this.#writer = setInterval(() => { if (!this.media.paused) this.#write(); }, writeInterval);
    } catch (error) {
      if (turn === this.#turn && !isAborted(error)) this.#fail(error instanceof PlayerError ? error : new PlayerError('playlist', { cause: error, detail: String(error?.message || error) }));
    }
  }

  /** The engine for this browser: Media Source, else the browser's own HLS, else the file. */
  #makeEngine(options) {
    const { address, file } = this.item;
    const forced = this.forcedEngine;
    const native = async (plays) => {
      const { NativeEngine } = await import('./native.js');
      return Object.assign(new NativeEngine(this.media, options), { plays });
    };
    if (forced === 'file' && file) return native(file);
    if (SourceEngine.isSupported && forced !== 'native') return Object.assign(new SourceEngine(this.media, options), { plays: address });
    if (playsHLS(this.media)) return native(address);
    return file ? native(file) : undefined;
  }

  /** Loads what `following()` says comes next into the same buffer. */
  async #prepareNext(turn) {
    const next = this.isVideo || this.media.loop || this.upcoming ? undefined : this.following?.();
    if (!next || !this.engine.continueWith) return;
    this.upcoming = next;
    const isPossible = await this.engine.continueWith(next.address).catch(() => false);
    if (!isPossible && turn === this.#turn) this.upcoming = undefined;
  }

  /** The track has changed without a gap. */
  #takeNext() {
    this.positions.write(this.positions.length, this.positions.length);
    this.item = { ...this.upcoming, token: this.item.token };
    this.upcoming = undefined;
    this.positions = new Positions(this.item);
    this.emit('item', this.item);
    this.emit('followed', this.item);
    report(this);
  }

  #prepareTexts() {
    const { engine, item } = this;
    this.texts = new TextTracks({ media: this.media, requests: engine.requests || new Requests(), timeline: engine.timeline || new Timeline() });
    const listed = engine.subtitles.length > 0 ? engine.subtitles : (item.subtitles || []).map((one) => ({ ...one, isFile: true }));
    this.subtitles = listed;
    const wanted = recall('subtitles', undefined);
    const spoken = engine.audioRendition?.language;
    const byLanguage = (language) => listed.find((one) => language && one.language.split('-')[0] === language.split('-')[0] && !one.isForced);
    let chosen;
    if (wanted === undefined) {
      const usual = listed.find(({ isDefault }) => isDefault);
      chosen = usual && !usual.isForced ? languages('subtitle').map(byLanguage).find(Boolean) || usual : listed.find((one) => one.isForced && one.language === spoken);
    } else if (wanted) chosen = languages('subtitle').map(byLanguage).find(Boolean) || listed[0];
    else chosen = listed.find((one) => one.isForced && one.language === spoken);
    this.texts.choose(chosen);
    this.emit('subtitles');
  }

  // MARK: What a person does

  play() {
    this.wanted = true;
    if (!this.engine) { this.load(); return; }
    if (this.media.ended) this.seek(this.engine.seekable.start);
    this.media.play().catch((error) => this.#refused(error));
  }

  pause() {
    this.wanted = false;
    this.media.pause();
  }

  toggle() { if (this.media.paused) this.play(); else this.pause(); }

  /** A browser that wants a click first. */
  #refused(error) {
    if (error.name !== 'NotAllowedError') return;
    this.wanted = false;
    this.emit('refused');
  }

  seek(time) {
    if (!this.engine) { this.load({ start: time }); return; }
    this.engine.seek(time);
    this.emit('seek', time);
  }

  skip(seconds) { this.seek(this.media.currentTime + seconds); }

  goLive() { this.engine?.goLive(); this.play(); }

  /** Goes to the beginning of the programme that is on. */
  startOver() {
    if (this.engine?.programmeStart === undefined) return;
    this.seek(this.engine.programmeStart);
    this.play();
  }

  /** Shows the frame before or after this one. */
  step(count) {
    this.pause();
    const rate = this.engine?.variant?.frameRate || 25;
    this.media.currentTime = Math.max(0, this.media.currentTime + count / rate);
  }

  setVolume(volume) {
    this.media.volume = Math.min(1, Math.max(0, volume));
    if (volume > 0) this.media.muted = false;
    keep('volume', this.media.volume);
    keep('muted', this.media.muted);
  }

  toggleMuted() {
    this.media.muted = !this.media.muted;
    keep('muted', this.media.muted);
  }

  /** The speed that was chosen; a programme at its live edge has none. */
  get rate() { return this.isLive && this.engine.follows ? 1 : recall('rate', 1); }

  setRate(rate) {
    keep('rate', rate);
    this.media.defaultPlaybackRate = rate;
    this.media.playbackRate = rate;
    this.emit('rate', rate);
  }

  chooseHeight(height) {
    keep('height', height);
    this.engine?.chooseHeight(height);
    this.emit('choices');
  }

  chooseAudio(rendition) {
    keep('audioLanguage', rendition.language);
    this.engine?.chooseAudio(rendition);
    this.emit('choices');
  }

  chooseSubtitles(rendition) {
    keep('subtitles', Boolean(rendition));
    if (rendition) keep('subtitleLanguage', rendition.language);
    this.texts?.choose(rendition);
    this.emit('subtitles');
  }

  /** Turns subtitles off, or on in the visitor's language. */
  toggleSubtitles() {
    if (!this.texts || !this.subtitles?.length) return;
    if (this.texts.chosen) { this.chooseSubtitles(undefined); return; }
    const wanted = languages('subtitle').map((name) => this.subtitles.find(({ language }) => language.split('-')[0] === name.split('-')[0])).find(Boolean);
    this.chooseSubtitles(wanted || this.subtitles[0]);
  }

  // MARK: What happens

  #listen() {
    const { media } = this;
    const { signal } = this.#stop;
    const on = (name, work) => media.addEventListener(name, work, { signal });
    on('play', () => {
      this.wanted = true;
      if (this.sounds) { pauseOthers(this); channel?.postMessage('play'); }
      this.emit('play');
    });
    on('volumechange', () => { if (this.sounds) { pauseOthers(this); channel?.postMessage('play'); } this.emit('volume'); });
    on('pause', () => { this.#write(); this.emit('pause'); });
    on('ended', () => this.#ended());
    on('seeked', () => report(this));
    ['play', 'pause', 'ratechange', 'durationchange'].forEach((name) => on(name, () => report(this)));
    addEventListener('pagehide', () => this.#write({ leaving: true }), { signal });
    document.addEventListener('visibilitychange', () => { if (document.hidden) this.#write({ leaving: true }); }, { signal });
    addEventListener('online', () => { if (this.state === 'waiting') this.retry(); }, { signal });
    // Headphones that are pulled out: the browser pauses where it knows; elsewhere the device that played is gone.
    navigator.mediaDevices?.addEventListener?.('devicechange', () => this.#devicesChanged(), { signal });
    this.#countDevices();
    if (globalThis.ResizeObserver) {
      this.sizes = new ResizeObserver(() => this.engine?.setSize(...this.#pixels()));
      this.sizes.observe(media);
    }
  }

  async #countDevices() {
    try { this.outputs = (await navigator.mediaDevices.enumerateDevices()).filter(({ kind }) => kind === 'audiooutput').length; } catch { /* Not told. */ }
  }

  async #devicesChanged() {
    const before = this.outputs;
    await this.#countDevices();
    if (this.outputs < before && this.sounds) this.pause();
  }

  #pixels() {
    const box = this.media.getBoundingClientRect();
    const scale = Math.min(globalThis.devicePixelRatio || 1, 3);
    return [box.width * scale, box.height * scale];
  }

  #ended() {
    this.#write();
    if (this.isChannel) { this.#waitForReturn(); return; }
    this.emit('ended');
  }

  #write(options) {
    if (!this.engine || this.state !== 'ready' || this.isLive) return;
    this.positions.write(this.time, this.duration, options);
    if (this.engine.bandwidth) keep('bandwidth', Math.round(this.engine.bandwidth));
  }

  #setState(state) {
    if (this.state === state) return;
    this.state = state;
    this.emit('state', state);
  }

  // MARK: Errors

  #fail(error) {
    const { media } = this;
    this.error = error;
    if (this.isChannel && error.code === 'missing') {
      this.#remember();
      this.#waitForReturn(this.resume);
      return;
    }
    if (error.code === 'decode' && performance.now() - this.#decodedAt > decodeWindow) {
      this.#decodedAt = performance.now();
      this.#again(this.time + 0.1);
      return;
    }
    const isNative = this.engine && !(this.engine instanceof SourceEngine);
    if (['unsupported', 'decode'].includes(error.code) && !isNative) {
      if (playsHLS(media) && !this.forcedEngine) { this.forcedEngine = 'native'; this.#again(this.time); return; }
    }
    if (['unsupported', 'decode'].includes(error.code) && this.item.file && this.forcedEngine !== 'file') {
      this.forcedEngine = 'file';
      this.#again(this.time);
      return;
    }
    if (passing.includes(error.code)) { this.#retryLater(error); return; }
    this.#remember();
    this.#endEngine();
    this.#setState('failed');
    this.emit('failed', error);
  }

  #remember() {
    const { engine } = this;
    if (!engine || this.state === 'loading') return;
    // A programme goes on at its live edge, or where somebody was in its time shift.
    if (engine.isLive) this.resume = engine.follows ? {} : { date: engine.date };
    else this.resume = { start: this.time };
  }

  /** Begins again where the player is. */
  #again(time) {
    this.#remember();
    const resume = this.resume?.start !== undefined && time !== undefined ? { ...this.resume, start: time } : this.resume || {};
    const turn = ++this.#turn;
    this.#endEngine();
    this.#setState('loading');
    this.#begin(resume, turn);
  }

  async #retryLater(error) {
    this.#remember();
    this.#failures += 1;
    const turn = ++this.#turn;
    this.#endEngine();
    this.#setState('waiting');
    this.emit('failed', error);
    await pause(backOff(this.#failures + 1));
    if (turn === this.#turn) this.retry();
  }

  /** Tries again at once. */
  retry() {
    const turn = ++this.#turn;
    this.error = undefined;
    this.#setState('loading');
    this.#begin(this.resume || {}, turn);
  }

  /** Looks for a channel that is off the air until it is back. */
  async #waitForReturn(resume) {
    const turn = ++this.#turn;
    this.#endEngine();
    this.resume = resume;
    this.#setState('off-air');
    const requests = new Requests();
    for (let failures = 1; turn === this.#turn; failures += 1) {
      await pause(offAirPause * (0.75 + Math.random() / 2));
      if (turn !== this.#turn || document.hidden) continue;
      try {
        if (await this.#isOnAir(requests) && turn === this.#turn) { this.retry(); return; }
      } catch { /* Still off the air. */ }
    }
  }

  /** Whether the channel has a playlist that goes on: one that has ended stays until the next push. */
  async #isOnAir(requests) {
    const { body, address } = await requests.text(this.item.address, { tries: 1, kind: 'playlist' });
    const media = isPlaylist(body) && /^(?!#)\S+$/m.exec(body)?.[0];
    if (!media) return false;
    const { body: list } = await requests.text(new URL(media, address).href, { tries: 1, kind: 'playlist' });
    return !list.includes('#EXT-X-ENDLIST');
  }

  destroy() {
    this.#unload();
    this.#stop.abort();
    this.sizes?.disconnect();
    players.delete(this);
  }
}
