// Fingers on the picture: a tap shows the controls, two taps skip or play, a swipe along the picture seeks, one down leaves
// full screen.

import { clock } from './elements.js';

const doubleTap = 280;
const leastSwipe = 24;
/** Seconds of a swipe over the whole width. */
const swipeSpan = 90;

export class Gestures {
  #stop = new AbortController();
  #taps = [];
  #start;

  constructor(controls) {
    Object.assign(this, { controls, root: controls.root, player: controls.player });
    const on = (name, work, options) => controls.media.addEventListener(name, work, { signal: this.#stop.signal, passive: true, ...options });
    on('touchstart', (event) => this.#begin(event));
    on('touchmove', (event) => this.#move(event));
    on('touchend', (event) => this.#end(event));
    on('touchcancel', () => { this.#start = undefined; });
  }

  #begin(event) {
    if (event.touches.length !== 1) { this.#start = undefined; return; }
    const [{ clientX: x, clientY: y }] = event.touches;
    this.#start = { x, y, at: performance.now(), time: this.player.media.currentTime };
  }

  #move(event) {
    if (!this.#start) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    const [across, down] = [x - this.#start.x, y - this.#start.y];
    if (Math.abs(across) < leastSwipe || Math.abs(across) < Math.abs(down) * 2) return;
    const { start, end } = this.player.engine?.seekable || { start: 0, end: 0 };
    if (end - start < 10) return;
    this.#start.wanted = Math.min(end, Math.max(start, this.#start.time + (across / this.root.clientWidth) * swipeSpan));
    this.controls.say(this.player.isLive ? `−${clock(end - this.#start.wanted)}` : clock(this.#start.wanted));
  }

  #end(event) {
    const begun = this.#start;
    this.#start = undefined;
    if (!begun) return;
    if (begun.wanted !== undefined) { this.player.seek(begun.wanted); return; }
    const [{ clientX: x, clientY: y }] = event.changedTouches;
    if (y - begun.y > 90 && Math.abs(x - begun.x) < 60) { if (document.fullscreenElement) document.exitFullscreen(); return; }
    if (Math.hypot(x - begun.x, y - begun.y) > leastSwipe) return;
    this.#tap(x);
  }

  #tap(x) {
    const now = performance.now();
    const box = this.root.getBoundingClientRect();
    const share = (x - box.left) / box.width;
    const before = this.#taps;
    this.#taps = [now];
    clearTimeout(this.single);
    if (before.length > 0 && now - before[0] < doubleTap) {
      if (share < 0.35) { this.player.skip(-10); this.controls.say('−10 s'); }
      else if (share > 0.65) { this.player.skip(10); this.controls.say('+10 s'); }
      else this.player.toggle();
      return;
    }
    this.single = setTimeout(() => {
      if (!this.root.classList.contains('p-asleep') && this.wasAwake) this.root.classList.add('p-asleep');
    }, doubleTap);
    this.wasAwake = !this.root.classList.contains('p-asleep') && now - (this.seen || 0) < 3000;
    this.seen = now;
  }

  destroy() { this.#stop.abort(); }
}
