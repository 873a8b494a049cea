// The controls over the picture: the bar with its times, pictures and marks, buttons, menu, messages, and the keyboard.

import { Captions } from './captions.js';
import { clock, filled, icon, iconButton, make, setIcon, spoken } from './elements.js';
import { recall, speeds } from './memory.js';
import { Requests } from './fetch.js';

/** The controls go away after so many milliseconds without a movement. */
const idleTime = 2800;
/** What waits for less than this shows no sign of it, in milliseconds. */
const spinnerDelay = 300;
/** Seconds that the arrow keys and J and L skip. */
const [shortSkip, longSkip] = [5, 10];
/** The name of the chapters in a multivariant playlist. */
export const chapterData = 'com.apple.hls.chapters';
/** The time shift is a thing to seek in from so many seconds on. */
const leastShift = 20;

/** The player that the keyboard is for: the one that was used last. */
let current;

export class Controls {
  #stop = new AbortController();
  #scrub;

  /**
   * @param root the element around the media.
   * @param player the player.
   * @param words the texts in the language of the page.
   * @param options `isEmbedded`.
   */
  constructor(root, player, words, options = {}) {
    Object.assign(this, { root, player, words, options, media: player.media, chapters: [] });
    root.classList.add('p-on', player.isVideo ? 'p-video' : 'p-audio');
    root.tabIndex = -1;
    root.setAttribute('role', 'group');
    root.ariaLabel = words.player;
    this.captions = new Captions(player);
    this.#build();
    this.#listen();
    this.#takeItem();
    this.update();
  }

  #on(target, names, work, options = {}) {
    names.split(' ').forEach((name) => target.addEventListener(name, work, { signal: this.#stop.signal, ...options }));
  }

  // MARK: Elements

  #build() {
    const { player, words, root } = this;
    this.playButton = iconButton('play', words.play, () => this.#press());
    this.previousButton = iconButton('previous', words.previous, () => player.emit('previous'), { hidden: true });
    this.nextButton = iconButton('next', words.next, () => this.next(), { hidden: true });
    this.muteButton = iconButton('loud', words.mute, () => player.toggleMuted());
    this.volume = make('input', { type: 'range', className: 'p-volume', min: '0', max: '1', step: '0.05', ariaLabel: words.volume, oninput: () => player.setVolume(Number(this.volume.value)) });
    this.time = make('span', { className: 'p-time' });
    this.overButton = iconButton('replay', words.startOver, () => player.startOver(), { hidden: true });
    this.live = make('button', { type: 'button', className: 'p-live', hidden: true, onclick: () => player.goLive() }, words.live);
    this.subtitleButton = iconButton('captions', words.subtitles, () => player.toggleSubtitles(), { hidden: true, ariaPressed: 'false' });
    this.menuButton = iconButton('settings', words.settings, () => this.#toggleMenu(), { ariaHaspopup: 'dialog', ariaExpanded: 'false' });
    this.castButton = iconButton('cast', words.cast, () => this.#cast(), { hidden: true });
    this.pictureButton = iconButton('picture', words.pictureInPicture, () => this.#togglePicture(), { hidden: !this.#canPicture });
    this.fullButton = iconButton('full', words.fullScreen, () => this.#toggleFull(), { hidden: !this.#canFull });
    this.bar = make('div', { className: 'p-bar', role: 'slider', tabIndex: 0, ariaLabel: words.position, ariaValueMin: '0' },
      this.buffered = make('div', { className: 'p-buffered' }), this.played = make('div', { className: 'p-played' }),
      this.marks = make('div', { className: 'p-marks' }), this.knob = make('div', { className: 'p-knob' }));
    this.canvas = make('canvas', { className: 'p-frame' });
    this.hoverTime = make('span');
    this.hover = make('div', { className: 'p-hover', hidden: true }, this.canvas, this.hoverTime);
    this.spinner = make('div', { className: 'p-spinner', hidden: true, role: 'status', ariaLabel: words.loading });
    this.big = make('button', { type: 'button', className: 'p-big', ariaLabel: words.play, onclick: () => this.#press() }, icon('play'));
    this.panel = make('div', { className: 'p-panel', hidden: true });
    this.said = make('p', { className: 'p-said', role: 'status' });
    const row = make('div', { className: 'p-row' }, this.previousButton, this.playButton, this.nextButton, this.muteButton, this.volume, this.time, this.live, this.overButton,
      make('span', { className: 'p-gap' }), this.subtitleButton, this.menuButton, this.castButton, this.pictureButton, this.fullButton);
    this.bottom = make('div', { className: 'p-bottom' }, this.hover, this.bar, row);
    root.append(...(player.isVideo ? [this.captions.element, this.spinner, this.big] : []), this.panel, this.bottom, this.said);
  }

  async #toggleMenu() {
    try {
      const { Menu } = await import('./menu.js');
      if (!this.menu) {
        this.menu = new Menu({ player: this.player, words: this.words, captions: this.captions, anchor: this.menuButton, more: this.#more() });
        this.bottom.append(this.menu.element);
      }
      this.menu.toggle();
    } catch { this.say(this.words.moduleMissing); }
  }

  /** What is imported when it is first used. */
  #more() {
    const { words } = this;
    const entries = [{ name: words.statistics, run: () => this.#open('./statistics.js', 'Statistics') }];
    if (this.player.isVideo) entries.push({ name: words.help, run: () => this.#open('./help.js', 'Help') });
    entries.push({ name: words.shareAt, run: () => this.#share() });
    return entries;
  }

  openStatistics() { if (!this.panels?.Statistics) this.#open('./statistics.js', 'Statistics'); }

  async #open(module, name) {
    const panel = (this.panels ??= {});
    if (panel[name]) { panel[name].close(); return; }
    try {
      const found = await import(module);
      panel[name] = new found[name](this, () => { panel[name] = undefined; this.root.focus(); });
    } catch { this.say(this.words.moduleMissing); }
  }

  get #canPicture() { return this.player.isVideo && document.pictureInPictureEnabled && !this.media.disablePictureInPicture; }
  get #canFull() { return this.player.isVideo && (document.fullscreenEnabled || Boolean(this.media.webkitEnterFullscreen)); }

  // MARK: Events

  #listen() {
    const { media, root, player, bar, words } = this;
    this.#on(media, 'timeupdate durationchange progress play pause ended ratechange seeking seeked waiting playing canplay emptied', () => this.update());
    this.#on(media, 'waiting seeking', () => this.#wait());
    this.#on(media, 'playing seeked canplay pause', () => { clearTimeout(this.waiting); this.spinner.hidden = true; });
    this.#on(player, 'volume', () => this.#showVolume());
    this.#on(player, 'choices subtitles live variant audio rate', () => this.update());
    this.#on(player, 'item', () => this.#takeItem());
    this.#on(player, 'choices', () => {
      if (player.engine?.isSilent && !this.hasToldSilence) this.say(words.noSound, 8000);
      this.hasToldSilence = Boolean(player.engine?.isSilent);
      const chapters = player.engine?.master?.sessionData[chapterData];
      if (chapters) this.loadChapters(chapters);
    });
    this.#on(player, 'marked', ({ detail }) => this.#mark(detail));
    this.#on(player, 'state', ({ detail }) => this.#showState(detail));
    this.#on(player, 'failed', ({ detail }) => this.#showError(detail));
    this.#on(player, 'refused', () => this.update());
    this.#on(player, 'ended', () => this.#ended());
    this.#on(player, 'play', () => { current = this; this.endCountdown(); });
    this.#on(root, 'pointermove pointerdown focusin keydown', () => this.#wake());
    this.#on(root, 'pointerdown focusin', () => { current = this; });
    this.#on(root, 'pointerleave', () => this.#sleepSoon(600));
    this.#on(bar, 'pointermove', (event) => this.#hoverAt(event));
    this.#on(bar, 'pointerleave', () => { if (!this.#scrub) this.hover.hidden = true; });
    this.#on(bar, 'pointerdown', (event) => this.#scrubFrom(event));
    this.#on(bar, 'keydown', (event) => this.#barKey(event));
    if (player.isVideo) {
      this.#on(media, 'click', (event) => { if (event.pointerType !== 'touch') this.#press(); });
      this.#on(media, 'dblclick', (event) => { if (event.pointerType !== 'touch') this.#toggleFull(); });
      this.#on(root, 'touchstart', () => this.#gestures(), { once: true, passive: true });
    }
    this.#on(document, 'keydown', (event) => this.#key(event));
    this.#on(document, 'fullscreenchange webkitfullscreenchange', () => this.#fullChanged());
    this.#on(media, 'resize', () => this.#showBackdrop(this.#isFull()));
    this.#on(document, 'visibilitychange', () => this.#keepAwake());
    this.#on(media, 'play pause', () => this.#keepAwake());
    const track = () => this.captions.update();
    this.timer = setInterval(track, 100);
    current ??= this;
    if (media.remote?.watchAvailability) {
      media.remote.watchAvailability((isThere) => { this.castButton.hidden = !isThere; }).catch(() => {});
    } else if (globalThis.WebKitPlaybackTargetAvailabilityEvent) {
      this.#on(media, 'webkitplaybacktargetavailabilitychanged', ({ availability }) => { this.castButton.hidden = availability !== 'available'; });
    }
  }

  #press() {
    current = this;
    this.player.toggle();
  }

  // MARK: What is shown

  #takeItem() {
    const { item } = this.player;
    this.endCountdown();
    this.panel.hidden = true;
    this.preview?.destroy?.();
    this.preview = undefined;
    this.chapters = [];
    this.marks.replaceChildren();
    this.nextButton.hidden = !item.next;
    this.previousButton.hidden = !item.previous;
    if (item.chapters) this.loadChapters(item.chapters);
    this.update();
  }

  /** Loads the chapters, in the format of `com.apple.hls.chapters`. */
  async loadChapters(address) {
    const { item } = this.player;
    if (item.chapters === address && this.chapters.length > 0) return;
    item.chapters = address;
    try {
      const { body } = await new Requests().text(new URL(address, location).href, { tries: 1, kind: 'chapters' });
      if (item !== this.player.item) return;
      this.chapters = JSON.parse(body).map((chapter) => ({ start: chapter['start-time'], name: chapter.titles?.[0]?.title || '' }));
      this.player.emit('chapters', this.chapters);
      this.update();
    } catch { /* They can be done without. */ }
  }

  /** Shows moments that another script knows, such as the points of a match; the page lists those of its games. */
  #mark(moments) {
    this.chapters = moments;
    this.player.emit('chapters', moments.filter(({ isGame }) => isGame));
    this.update();
  }

  get #span() {
    const { engine, media } = this.player;
    if (!engine) return { start: 0, end: Number.isFinite(media.duration) ? media.duration : 0 };
    return engine.seekable;
  }

  update() {
    const { player, media, words } = this;
    const { start, end } = this.#span;
    const { isLive } = player;
    const isEnded = media.ended && !isLive;
    const isPlaying = !media.paused && !media.ended;
    setIcon(this.playButton, isEnded ? 'replay' : isPlaying ? 'pause' : 'play', isEnded ? words.playAgain : isPlaying ? words.pause : words.play);
    this.root.classList.toggle('p-playing', isPlaying);
    this.root.classList.toggle('p-idle', player.state === 'idle' && !player.wantsToPlay);
    this.big.hidden = isPlaying || !this.panel.hidden || player.state === 'loading' || (player.state === 'ready' && !media.paused);
    const isSeekable = end > start && (!isLive || end - start > leastShift);
    this.bar.hidden = !isSeekable;
    const time = this.#scrub?.time ?? media.currentTime;
    // A track may lie behind others.
    const from = isLive ? 0 : start;
    const share = (at) => `${end > start ? Math.min(100, Math.max(0, ((at - start) / (end - start)) * 100)) : 0}%`;
    this.played.style.width = share(time);
    this.knob.style.left = share(time);
    this.buffered.style.width = share(media.currentTime + (player.engine?.ahead || 0));
    const behind = isLive ? Math.max(0, end - time) : 0;
    this.time.textContent = isLive ? (player.engine.follows || !isSeekable ? '' : `−${clock(behind)}`) : end > 0 ? `${clock(time - from)} / ${clock(end - from)}` : '';
    this.bar.setAttribute('aria-valuemin', String(Math.floor(start)));
    this.bar.setAttribute('aria-valuemax', String(Math.floor(end)));
    this.bar.setAttribute('aria-valuenow', String(Math.floor(time)));
    this.bar.setAttribute('aria-valuetext', isLive ? filled(words.behind, { time: spoken(behind) }) : `${spoken(time - from)} / ${spoken(end - from)}`);
    this.live.hidden = !isLive;
    this.overButton.hidden = !isLive || !isSeekable || player.engine.programmeStart === undefined;
    if (isLive) {
      this.chapters = player.engine.marks || [];
      this.live.classList.toggle('p-follows', player.engine.follows);
      this.live.title = player.engine.follows ? words.isLive : words.goLive;
      this.live.ariaLabel = this.live.title;
    }
    this.subtitleButton.hidden = !player.subtitles?.length;
    this.subtitleButton.setAttribute('aria-pressed', String(Boolean(player.texts?.chosen)));
    this.#showChapters(start, end);
    this.#showVolume();
    this.captions.update();
  }

  #showChapters(start, end) {
    if ((this.marks.childElementCount === this.chapters.length && !this.player.isLive) || end <= start) return;
    this.marks.replaceChildren(...this.chapters.filter((chapter) => chapter.start >= start && chapter.start <= end).map((chapter) => {
      const mark = make('i');
      mark.style.left = `${((chapter.start - start) / (end - start)) * 100}%`;
      return mark;
    }));
  }

  #showVolume() {
    const isSilent = this.media.muted || this.media.volume === 0;
    setIcon(this.muteButton, isSilent ? 'silent' : 'loud', isSilent ? this.words.unmute : this.words.mute);
    this.volume.value = String(isSilent ? 0 : this.media.volume);
    this.volume.ariaValueText = `${Math.round((isSilent ? 0 : this.media.volume) * 100)} %`;
  }

  #wait() {
    clearTimeout(this.waiting);
    this.waiting = setTimeout(() => {
      this.spinner.hidden = !this.player.wantsToPlay || this.media.readyState >= 3;
    }, spinnerDelay);
  }

  #showState(state) {
    const { words } = this;
    if (state === 'loading') this.#wait();
    if (state === 'ready' || state === 'loading' || state === 'idle') this.panel.hidden = true;
    if (state === 'off-air') this.message(words.offAir, words.offAirText, []);
    this.update();
  }

  /** What went wrong, in words, and what to do. */
  #showError(error) {
    const { words, player } = this;
    const links = player.item.links || {};
    const action = (label, href) => (href ? make('a', { className: 'p-action', href, target: this.options.isEmbedded ? '_blank' : undefined }, label) : undefined);
    const again = make('button', { type: 'button', className: 'p-action', onclick: () => player.retry() }, words.tryAgain);
    const told = { login: [action(words.logIn, links.logIn)], rent: [action(words.rent, links.rent)], forbidden: [action(words.rent, links.rent), again] }[error.code];
    const [title, text] = [words[`error-${error.code}`] || words['error-server'], words[`error-${error.code}-text`] || words['error-server-text']];
    const detail = ['forbidden', 'rent', 'too-many'].includes(error.code) && error.detail ? error.detail : '';
    this.message(title, detail ? `${text} ${detail}` : text, told || (player.state === 'waiting' ? [again] : [again, action(words.help, links.help)]));
    clearTimeout(this.waiting);
    this.spinner.hidden = true;
  }

  message(title, text, actions) {
    this.panel.replaceChildren(make('div', {}, make('strong', {}, title), make('p', {}, text), make('div', { className: 'p-actions' }, ...actions)));
    this.panel.hidden = false;
    this.panel.setAttribute('role', 'alert');
    this.big.hidden = true;
  }

  /** Says something for a moment, over the picture and to screen readers. */
  say(text, time = 900) {
    this.said.textContent = text;
    this.said.classList.add('p-shown');
    clearTimeout(this.saying);
    this.saying = setTimeout(() => this.said.classList.remove('p-shown'), time);
  }

  // MARK: The bar

  #timeAt(event) {
    const box = this.bar.getBoundingClientRect();
    const { start, end } = this.#span;
    return start + Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)) * (end - start);
  }

  #hoverAt(event) {
    const time = this.#timeAt(event);
    const { player, words } = this;
    const { start, end } = this.#span;
    const chapter = this.chapters.findLast(({ start: at }) => at <= time);
    const date = player.isLive ? player.engine.dateAt(time) : undefined;
    const shown = player.isLive
      ? `−${clock(end - time)}${date ? ` · ${new Date(date).toLocaleTimeString(document.documentElement.lang || undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' })}` : ''}`
      : clock(time - start);
    this.hoverTime.textContent = chapter?.name ? `${shown} · ${chapter.name}` : shown;
    this.hover.hidden = false;
    const width = this.bottom.clientWidth;
    const half = this.hover.offsetWidth / 2;
    const barBox = this.bar.getBoundingClientRect();
    const left = barBox.left - this.bottom.getBoundingClientRect().left + ((time - start) / (end - start)) * barBox.width;
    this.hover.style.left = `${Math.min(width - half - 8, Math.max(half + 8, left))}px`;
    this.#drawPreview(time);
  }

  async #drawPreview(time) {
    const { player } = this;
    if (!this.preview) {
      const { FramePreview, Storyboard } = await import('./preview.js');
      const { storyboard } = player.item;
      const images = player.engine?.master?.imageVariants.filter(({ codecs }) => codecs.length > 0);
      if (storyboard) this.preview = new Storyboard(player.engine?.requests || new Requests(), storyboard);
      else if (images?.length) {
        this.preview = new FramePreview({ variant: images[0], requests: player.engine.requests, date: (at) => player.engine?.dateAt(at), isLive: player.isLive });
      } else { this.canvas.hidden = true; return; }
    }
    const { preview } = this;
    const isDrawn = await preview.draw(this.canvas, time).catch(() => false);
    if (preview === this.preview && isDrawn) this.canvas.hidden = false;
  }

  #scrubFrom(event) {
    if (event.button !== 0) return;
    this.bar.setPointerCapture(event.pointerId);
    const move = (moved) => {
      this.#scrub = { time: this.#timeAt(moved) };
      this.#hoverAt(moved);
      this.update();
    };
    const end = (ended) => {
      stop.abort();
      const time = this.#scrub?.time;
      this.#scrub = undefined;
      if (ended.type === 'pointerup' && time !== undefined) this.player.seek(time);
      if (event.pointerType === 'touch') this.hover.hidden = true;
      this.update();
    };
    const stop = new AbortController();
    const { signal } = stop;
    this.bar.addEventListener('pointermove', move, { signal });
    this.bar.addEventListener('pointerup', end, { signal });
    this.bar.addEventListener('pointercancel', end, { signal });
    move(event);
  }

  #barKey(event) {
    const { start, end } = this.#span;
    const to = { Home: start, End: end, PageUp: this.media.currentTime + 60, PageDown: this.media.currentTime - 60 }[event.key];
    if (to === undefined) return;
    this.player.seek(to);
    event.preventDefault();
    event.stopPropagation();
  }

  // MARK: Keyboard

  #key(event) {
    if (current !== this || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !this.root.isConnected) return;
    const target = event.composedPath()[0];
    if (target.matches?.('input:not(.p-volume), textarea, select, [contenteditable]')) return;
    const isControl = target.matches?.('button, a, summary, [role=button]');
    if (isControl && [' ', 'Enter'].includes(event.key)) return;
    const action = this.#action(event);
    if (!action) return;
    event.preventDefault();
    action();
    this.#wake();
  }

  #action(event) {
    const { player, media, words } = this;
    const skip = (seconds) => () => { player.skip(seconds); this.say(`${seconds > 0 ? '+' : '−'}${Math.abs(seconds)} s`); };
    const volume = (change) => () => { player.setVolume(media.volume + change); this.say(`${words.volume} ${Math.round(media.volume * 100)} %`); };
    const faster = (step) => () => {
      const index = speeds.indexOf(recall('rate', 1));
      const rate = speeds[Math.min(speeds.length - 1, Math.max(0, (index < 0 ? 2 : index) + step))];
      player.setRate(rate);
      this.say(`${rate}×`);
    };
    const digit = /^\d$/.test(event.key) && !event.shiftKey;
    if (digit) return () => { const { start, end } = this.#span; player.seek(start + ((end - start) * Number(event.key)) / 10); };
    if (!player.isVideo && ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight'].includes(event.key) && !this.root.contains(document.activeElement)) return undefined;
    return {
      ' ': () => player.toggle(), k: () => player.toggle(), ArrowLeft: skip(-shortSkip), ArrowRight: skip(shortSkip), j: skip(-longSkip), l: skip(longSkip),
      ArrowUp: volume(0.05), ArrowDown: volume(-0.05), m: () => player.toggleMuted(), f: player.isVideo ? () => this.#toggleFull() : undefined,
      c: () => player.toggleSubtitles(), p: this.#canPicture ? () => this.#togglePicture() : undefined,
      ',': player.isVideo ? () => player.step(-1) : undefined, '.': player.isVideo ? () => player.step(1) : undefined, '<': faster(-1), '>': faster(1),
      '?': () => this.#open('./help.js', 'Help'), N: player.item.next ? () => this.next() : undefined,
    }[event.key.length === 1 && event.key !== 'N' ? event.key.toLowerCase() : event.key];
  }

  // MARK: Full screen, picture in picture, other screens

  async #toggleFull() {
    if (!this.#canFull) return;
    if (document.fullscreenElement || document.webkitFullscreenElement) { (document.exitFullscreen || document.webkitExitFullscreen).call(document); return; }
    if (!this.root.requestFullscreen) { this.media.webkitEnterFullscreen?.(); return; }
    try {
      await this.root.requestFullscreen({ navigationUI: 'hide' });
      // A wide picture turns the phone; where that is not allowed, people turn it.
      if (this.media.videoWidth > this.media.videoHeight) await screen.orientation?.lock?.('landscape');
    } catch { /* As above. */ }
  }

  #isFull() { return (document.fullscreenElement || document.webkitFullscreenElement) === this.root; }

  #fullChanged() {
    const isFull = this.#isFull();
    this.root.classList.toggle('p-full', isFull);
    this.#showBackdrop(isFull);
    setIcon(this.fullButton, isFull ? 'small' : 'full', isFull ? this.words.leaveFullScreen : this.words.fullScreen);
    if (!isFull) screen.orientation?.unlock?.();
  }

  /** The artwork fills what the picture leaves free: on a phone that is held upright, and beside a picture that is tall. */
  #showBackdrop(isFull) {
    const { poster } = this.player.item;
    const isTall = this.media.videoHeight > this.media.videoWidth;
    this.backdrop ??= make('div', { className: 'p-backdrop', hidden: true });
    this.backdrop.hidden = !(isFull || isTall) || !poster;
    this.root.classList.toggle('p-tall', isTall && !this.backdrop.hidden);
    if (this.backdrop.hidden) return;
    this.backdrop.style.backgroundImage = `url(${JSON.stringify(new URL(poster, location.href).href)})`;
    this.root.prepend(this.backdrop);
  }

  async #togglePicture() {
    try {
      if (document.pictureInPictureElement === this.media) await document.exitPictureInPicture();
      else await this.media.requestPictureInPicture();
    } catch { /* Not before there is a picture. */ }
  }

  #cast() {
    if (this.media.remote?.prompt) this.media.remote.prompt().catch(() => {});
    else this.media.webkitShowPlaybackTargetPicker?.();
  }

  /** The screen stays on while a film plays. */
  async #keepAwake() {
    const isNeeded = this.player.isVideo && !this.media.paused && !document.hidden;
    if (isNeeded && !this.awake && navigator.wakeLock) {
      this.awake = navigator.wakeLock.request('screen').catch(() => undefined);
    } else if (!isNeeded && this.awake) {
      const lock = await this.awake;
      this.awake = undefined;
      lock?.release();
    }
  }

  async #gestures() {
    try {
      const { Gestures } = await import('./gestures.js');
      this.touch ??= new Gestures(this);
    } catch { this.say(this.words.moduleMissing); }
  }

  #wake() {
    this.root.classList.remove('p-asleep');
    this.#sleepSoon(idleTime);
  }

  #sleepSoon(time) {
    clearTimeout(this.sleeping);
    if (!this.player.isVideo) return;
    this.sleeping = setTimeout(() => {
      if (!this.media.paused && !this.menu?.isOpen && this.panel.hidden && !this.#scrub && !this.bottom.contains(document.activeElement?.matches?.(':focus-visible') ? document.activeElement : null)) {
        this.root.classList.add('p-asleep');
        this.hover.hidden = true;
      }
    }, time);
  }

  // MARK: The next one, and sharing

  async #ended() {
    const { next } = this.player.item;
    if (!next || recall('autoplay', true) === false) { this.update(); return; }
    if (!next.name) { this.next(); return; }
    try {
      const { countDown } = await import('./after.js');
      if (this.media.ended) this.stopCounting ??= countDown(this);
    } catch { this.next(); }
  }

  endCountdown() {
    if (!this.stopCounting) return;
    this.stopCounting();
    this.stopCounting = undefined;
    this.panel.hidden = true;
  }

  next() {
    this.endCountdown();
    this.player.emit('next', this.player.item.next);
  }

  async #share() {
    try { (await import('./after.js')).share(this); } catch { this.say(this.words.moduleMissing); }
  }

  destroy() {
    this.#stop.abort();
    clearInterval(this.timer);
    this.endCountdown();
    this.preview?.destroy?.();
    this.touch?.destroy?.();
    if (current === this) current = undefined;
  }
}
