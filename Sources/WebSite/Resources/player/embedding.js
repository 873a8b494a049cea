// The player in a frame of another page, which it obeys by messages (docs/embedding.md).

/** Events that the page around is told of. */
const told = ['play', 'pause', 'ended', 'seeked', 'volumechange', 'timeupdate', 'ratechange'];
/** Times are told so often, in milliseconds. */
const timeInterval = 250;

export class Embedding {
  #toldAt = 0;

  constructor({ player, root }) {
    this.player = player;
    const wanted = new URLSearchParams(location.search);
    const start = Number(wanted.get('start'));
    if (start > 0) player.item.start = start;
    if (wanted.get('mute') === '1') player.media.muted = true;
    player.media.loop = wanted.get('loop') === '1';
    const accent = wanted.get('accent');
    if (/^[0-9a-f]{6}$/i.test(accent || '')) root.style.setProperty('--p-accent', `#${accent}`);
    if (wanted.get('autoplay') === '1') player.play();
    if (parent === window) return;
    for (const name of told) player.media.addEventListener(name, () => this.#tell(name));
    player.addEventListener('failed', ({ detail }) => this.#post('error', { code: detail.code }));
    player.addEventListener('state', ({ detail }) => this.#post('state', { state: detail }));
    addEventListener('message', (event) => this.#obey(event));
    this.#post('ready');
  }

  get #values() {
    const { media } = this.player;
    return {
      time: media.currentTime, duration: Number.isFinite(media.duration) ? media.duration : null, paused: media.paused,
      muted: media.muted, volume: media.volume, rate: media.playbackRate, live: this.player.isLive,
    };
  }

  #tell(name) {
    if (name === 'timeupdate') {
      if (performance.now() - this.#toldAt < timeInterval) return;
      this.#toldAt = performance.now();
    }
    this.#post(name);
  }

  /** What is told is nothing that the page around could not see. */
  #post(event, more = {}) { parent.postMessage({ antena: 1, event, ...this.#values, ...more }, '*'); }

  #obey({ source, data }) {
    if (source !== parent || typeof data !== 'object' || data?.antena !== 1) return;
    const { player } = this;
    const number = Number(data.value);
    const commands = {
      play: () => player.play(), pause: () => player.pause(), live: () => player.goLive(),
      seek: () => { if (Number.isFinite(number)) player.seek(number); },
      volume: () => { if (Number.isFinite(number)) player.media.volume = Math.min(1, Math.max(0, number)); },
      mute: () => { player.media.muted = data.value !== false; },
      rate: () => { if (number >= 0.5 && number <= 2) player.setRate(number); },
      status: () => this.#post('status'),
    };
    if (Object.hasOwn(commands, data.command)) commands[data.command]();
  }
}
