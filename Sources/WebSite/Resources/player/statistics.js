// Statistics of what plays, in a panel over the picture: for people who look for the reason of something.

import { clock, iconButton, make } from './elements.js';

const refresh = 500;
/** Requests that the waterfall shows. */
const shownRequests = 24;

const rate = (bits) => (bits >= 1e6 ? `${(bits / 1e6).toFixed(2)} Mbit/s` : `${Math.round(bits / 1000)} kbit/s`);
const fixed = (number, digits = 2) => (number === undefined || Number.isNaN(number) ? '–' : number.toFixed(digits));

export class Statistics {
  constructor(controls, onClose) {
    Object.assign(this, { controls, onClose, player: controls.player });
    this.list = make('dl');
    this.water = make('ol', { className: 'p-water' });
    this.element = make('div', { className: 'p-statistics', role: 'dialog', ariaLabel: controls.words.statistics, tabIndex: -1 },
      make('div', { className: 'p-heading' }, make('span', {}, controls.words.statistics), iconButton('close', controls.words.close, () => this.close())),
      this.list, this.water);
    this.element.addEventListener('keydown', (event) => { if (event.key === 'Escape') { this.close(); event.stopPropagation(); } });
    controls.root.append(this.element);
    this.timer = setInterval(() => this.update(), refresh);
    this.update();
    this.element.focus();
  }

  /** The values, as pairs of a name and a text. */
  get rows() {
    const { player } = this;
    const { engine, media } = player;
    const { words } = this.controls;
    const quality = media.getVideoPlaybackQuality?.();
    const { variant, switches = [], clock: live } = engine || {};
    const rows = [
      [words.statVariant, variant ? [variant.height ? `${variant.width} × ${variant.height}` : '', variant.codecs.join(', '), rate(variant.bandwidth)].filter(Boolean).join(' · ') : '–'],
      [words.statShown, media.videoWidth ? `${media.videoWidth} × ${media.videoHeight} → ${media.clientWidth} × ${media.clientHeight}` : '–'],
      [words.statBuffer, `${fixed(engine?.ahead)} s`],
      [words.statThroughput, engine?.throughput?.isKnown ? rate(engine.throughput.estimate) : '–'],
      [words.statFrames, quality ? `${quality.droppedVideoFrames} / ${quality.totalVideoFrames}` : '–'],
      [words.statSwitches, String(switches.length)],
      [words.statStalls, String(engine?.stalls ?? 0)],
      [words.statSpeed, `${fixed(media.playbackRate)}×`],
    ];
    if (engine?.isLive) rows.push([words.statLatency, `${fixed(engine.latency)} s (${words.statTarget} ${fixed(live?.target)} s)`]);
    if (engine?.date) rows.push([words.statDate, new Date(engine.date).toISOString()]);
    rows.push([words.statPosition, `${clock(media.currentTime)} (${fixed(media.currentTime, 3)} s)`]);
    return rows;
  }

  update() {
    this.list.replaceChildren(...this.rows.flatMap(([name, value]) => [make('dt', {}, name), make('dd', {}, value)]));
    const log = (this.player.engine?.requests?.log || []).slice(-shownRequests);
    if (log.length === 0) return;
    const begin = log[0].start;
    const span = Math.max(1, log.at(-1).end - begin);
    const share = (time) => `${Math.min(100, Math.max(0, ((time - begin) / span) * 100))}%`;
    this.water.replaceChildren(...log.map((entry) => {
      const bar = make('i', { title: entry.address, className: entry.error ? 'p-wrong' : '' });
      bar.style.left = share(entry.start);
      bar.style.width = `max(2px, ${share(begin + entry.end - entry.start)})`;
      const name = new URL(entry.address).pathname.split('/').pop();
      return make('li', {}, make('span', {}, `${entry.kind} ${name}`), make('span', { className: 'p-line' }, bar),
        make('span', {}, `${entry.error || entry.status} · ${Math.round(entry.end - entry.start)} ms · ${Math.round(entry.bytes / 1024)} KB`));
    }));
  }

  close() {
    clearInterval(this.timer);
    this.element.remove();
    this.onClose();
  }
}
