// The site's entry to the player: finds players in pages, takes what plays along from page to page, and the queue of tracks.

import { chapterData, Controls } from './controls.js';
import { clock, iconButton, make } from './elements.js';
import { Requests } from './fetch.js';
import { Navigation } from './navigation.js';
import { Player } from './player.js';
import { parseMultivariant } from './playlist.js';
import { Queue } from './queue.js';
import { describe } from './session.js';

const words = self.antenaWords || {};
const isEmbedded = document.body.classList.contains('embedded');
const attached = new Map();
const parsed = (text) => { try { return JSON.parse(text); } catch { return undefined; } };

/** What a player's element says of what it plays. */
const itemOf = (root) => {
  const { dataset } = root;
  const media = root.querySelector('video, audio');
  const subtitles = [...media.querySelectorAll('track[kind=subtitles], track[kind=captions]')].map((track) => ({
    address: track.src, language: track.srclang, name: track.label, isDefault: track.default,
  }));
  const address = media.getAttribute('src') || dataset.playlist;
  return {
    kind: dataset.kind, id: dataset.id, address: address && new URL(address, location).href, file: dataset.file, name: dataset.name, artist: dataset.artist,
    poster: media.getAttribute('poster') || dataset.poster, storyboard: dataset.storyboard, chapters: dataset.chapters,
    page: dataset.page || location.pathname + location.search, next: parsed(dataset.next), previous: parsed(dataset.previous),
    links: { logIn: dataset.logIn && `${dataset.logIn}?next=${encodeURIComponent(dataset.page || location.pathname + location.search)}`, rent: dataset.rent, help: dataset.help }, token: document.body.dataset.csrf, subtitles,
  };
};

const nameOf = ({ kind, id } = {}) => `${kind}/${id}`;

/** Where somebody was before a reload, or before the back button. */
const spot = () => {
  const kind = performance.getEntriesByType('navigation')[0]?.type;
  if (kind !== 'reload' && kind !== 'back_forward') return undefined;
  try { return parsed(sessionStorage.getItem('antena:spot')); } catch { return undefined; }
};
let lastSpot = spot();

const attach = (root) => {
  if (attached.has(root)) return attached.get(root);
  const media = root.querySelector('video, audio');
  const item = itemOf(root);
  // Subtitles are drawn by the player; metadata is for scripts.
  media.querySelectorAll('track:not([kind=metadata])').forEach((track) => track.remove());
  media.removeAttribute('src');
  const asked = Number(new URLSearchParams(location.search).get('t'));
  if (asked > 0 && item.kind !== 'channel') item.start = asked;
  const isSpot = lastSpot && lastSpot.name === nameOf(item);
  if (isSpot) Object.assign(item, { start: lastSpot.time, date: lastSpot.date });
  const player = new Player(media, item);
  const controls = new Controls(root, player, words, { isEmbedded });
  const entry = { root, player, controls };
  attached.set(root, entry);
  if (!player.isVideo) addQueueButtons(entry);
  player.addEventListener('play', () => announce(player));
  player.addEventListener('next', ({ detail }) => next(entry, detail));
  player.addEventListener('previous', () => { if (player.isVideo) next(entry, player.item.previous); else queue.go(-1); });
  player.addEventListener('ended', () => { if (!player.isVideo) queue.ended(entry.player); });
  player.following = () => (queue.current?.id === player.item.id ? queue.next : undefined);
  player.addEventListener('followed', () => followed(entry));
  player.addEventListener('chapters', ({ detail }) => showChapters(entry, detail));
  root.antenaPlayer = player;
  if (isSpot) {
    if (lastSpot.isPlaying) player.play(); else player.load();
    lastSpot = undefined;
  }
  if (!player.engine) peek(entry);
  const place = document.getElementById('tester');
  if (place && item.kind === 'test') import('./tester.js').then(({ Tester }) => new Tester(entry, place)).catch(() => {});
  return entry;
};

/** The chapters of the page's title, as buttons. */
const showChapters = ({ root, player }, chapters) => {
  const list = root.closest('section')?.querySelector('#chapters');
  if (!list) return;
  list.replaceChildren(...chapters.map(({ start, name }) => make('li', {},
    make('button', { type: 'button', onclick: () => { player.seek(start); player.play(); } }, make('span', { className: 'time' }, clock(start)), name))));
  list.hidden = chapters.length === 0;
};

/** A title that is not played yet tells its chapters, too. */
const peek = async ({ player, controls }) => {
  if (player.item.kind !== 'title' || !player.item.address || !document.getElementById('chapters')) return;
  try {
    const { body, address } = await new Requests().text(player.item.address, { tries: 1, kind: 'playlist' });
    const chapters = parseMultivariant(body, address).sessionData[chapterData];
    if (chapters) controls.loadChapters(chapters);
  } catch { /* Playing it will say why. */ }
};

const announce = (player) => {
  const { item } = player;
  const keys = player.isVideo ? { nexttrack: item.next && (() => player.emit('next', item.next)) }
    : { previoustrack: () => queue.go(-1), nexttrack: () => queue.go(1) };
  describe(player, { title: item.name, artist: item.artist, album: item.album, artwork: item.poster }, keys);
};

const next = (entry, to) => {
  if (!entry.player.isVideo) { queue.go(1); return; }
  if (!to?.href) return;
  goesOn = true;
  if (navigation) navigation.go(to.href); else location.href = to.href;
};

const detach = (entry) => {
  entry.player.destroy();
  entry.controls.destroy();
  attached.delete(entry.root);
};

// MARK: The mini player

const mini = make('aside', { className: 'mini', hidden: true, ariaLabel: words.nowPlaying });
let held;
let goesOn = false;

const showMini = (entry) => {
  if (held && held !== entry) detach(held);
  held = entry;
  const { item } = entry.player;
  const link = make('a', { className: 'mini-name', href: item.page }, make('strong', {}, item.name || ''), make('span', {}, item.artist || ''));
  const close = iconButton('close', words.close, () => closeMini());
  mini.replaceChildren(...(entry.player.isVideo ? [] : [art(item)]), entry.root, link, close);
  mini.classList.toggle('mini-video', entry.player.isVideo);
  mini.hidden = false;
  document.body.classList.add('has-mini');
};

const art = (item) => make('button', { type: 'button', className: 'mini-art', ariaLabel: words.openNow }, item.poster && make('img', { src: item.poster, alt: '' }));

/** What plays, over the whole page. */
let now;
const openNow = async () => {
  const entry = [...attached.values()].find(({ player }) => !player.isVideo && player.engine) || (held && !held.player.isVideo ? held : undefined);
  if (!entry || now) return;
  try {
    const { NowPlaying } = await import('./nowplaying.js');
    now = new NowPlaying({ words, queue, entry: () => entry, go: (step) => queue.go(step), closed: () => { now = undefined; } });
    now.open();
  } catch { now = undefined; }
};
document.addEventListener('click', ({ target }) => { if (target.closest?.('.mini-art, #deck-cover, [data-now]')) openNow(); });

const closeMini = () => {
  if (held) { held.player.pause(); detach(held); held.root.remove(); }
  hideMini();
};

const hideMini = () => {
  held = undefined;
  mini.hidden = true;
  mini.replaceChildren();
  document.body.classList.remove('has-mini');
};

// MARK: The queue of tracks

const audioEntry = () => {
  const inPage = [...document.querySelectorAll('main [data-player], .deck .player')].map(attach).find(({ player }) => !player.isVideo);
  if (inPage) return inPage;
  if (held && !held.player.isVideo) return held;
  const root = make('div', { className: 'player' }, make('audio', { preload: 'none' }));
  root.dataset.kind = 'track';
  const entry = attach(root);
  showMini(entry);
  return entry;
};

const queue = new Queue({
  play: (item) => {
    if (held?.player.isVideo) closeMini();
    const entry = audioEntry();
    entry.player.setItem({ ...item, token: document.body.dataset.csrf });
    if (entry === held) showMini(entry);
    entry.player.play();
    showTrack(entry.player.item);
  },
});

/** The next track plays without a gap. */
const followed = (entry) => {
  const { player } = entry;
  queue.advance();
  // What the queue says may have changed since the track was loaded.
  if (queue.current?.id !== player.item.id) { queue.go(0); return; }
  announce(player);
  if (entry === held) showMini(entry);
  showTrack(player.item);
};

const addQueueButtons = ({ controls }) => {
  const toggle = (icon, label, read, write) => {
    const button = iconButton(icon, label, () => { write(!read()); button.setAttribute('aria-pressed', String(Boolean(read()))); });
    button.setAttribute('aria-pressed', String(Boolean(read())));
    return button;
  };
  controls.subtitleButton.before(
    toggle('shuffle', words.shuffle, () => queue.isShuffled, (value) => queue.shuffle(value)),
    toggle('repeat', words.repeat, () => queue.repeats, (value) => { queue.repeats = value; }),
  );
};

const trackItem = ({ dataset, href }) => ({
  kind: 'track', id: dataset.track, address: new URL(dataset.playlist, location).href, file: dataset.file, name: dataset.name, artist: dataset.artist,
  poster: dataset.cover || undefined, page: href, next: {}, previous: {}, links: {},
});

/** Marks the track that plays, and shows it in the page's deck. */
const showTrack = (item) => {
  now?.show();
  document.querySelectorAll('a[data-track]').forEach((link) => link.classList.toggle('playing', link.dataset.track === item.id));
  const deck = document.querySelector('.deck');
  if (attached.get(deck?.querySelector('.player'))?.player.item !== item) return;
  const title = deck.querySelector('#playing');
  if (title) title.textContent = item.name;
  const artist = deck.querySelector('#deck-sub');
  if (artist) artist.textContent = item.artist || '';
  deck.querySelector('#deck-cover')?.replaceChildren(...(item.poster ? [make('img', { src: item.poster, alt: '' })] : []));
};

document.addEventListener('click', (event) => {
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  const link = event.target.closest?.('a[href][data-track]');
  if (!link) return;
  event.preventDefault();
  const list = [...(link.closest('ul, ol') || document).querySelectorAll('a[href][data-track]')];
  queue.set(list.map(trackItem), list.indexOf(link));
});

// MARK: Pages

/** What ends the pictures of the page that nobody has started. */
let endPictures = [];

const setUp = () => {
  const hero = document.querySelector('[data-hero]');
  if (hero) import('./hero.js').then(({ showHero }) => { if (hero.isConnected) endPictures.push(showHero(hero)); }).catch(() => {});
  const row = document.getElementById('continued');
  if (row && !document.body.dataset.csrf) import('./continued.js').then(({ showContinued }) => showContinued(row)).catch(() => {});
  for (const root of document.querySelectorAll('main [data-player], body.embedded [data-player]')) {
    const item = itemOf(root);
    const isDeck = held && !held.player.isVideo && root.closest('.deck');
    if (held && (isDeck || nameOf(held.player.item) === nameOf(item))) {
      // What plays in the corner belongs into this page.
      const entry = held;
      hideMini();
      root.replaceWith(entry.root);
      continue;
    }
    attach(root);
  }
  for (const { player } of attached.values()) if (!player.isVideo && player.engine) showTrack(player.item);
  const channels = [...attached.values()].filter(({ player, root }) => player.isChannel && root.closest('.stage'));
  if (channels.length > 0) {
    import('./thumbnail.js').then(({ showThumbnails }) => {
      if (channels[0].root.isConnected) endPictures.push(showThumbnails(channels));
    }).catch(() => {});
  }
};

/** Takes what plays along, and ends the other players of the page that goes away. */
const leave = () => {
  now?.close();
  endPictures.forEach((end) => end?.());
  endPictures = [];
  const own = [...attached.values()].filter(({ root }) => document.querySelector('main')?.contains(root));
  const playing = own.find(({ player }) => player.wantsToPlay && !player.media.ended && player.state !== 'failed' && !goesOn);
  for (const entry of own) if (entry !== playing) detach(entry);
  if (playing) showMini(playing);
};

const arrive = ({ link, isBack }) => {
  setUp();
  const isCard = link?.matches?.('a[data-title], a[data-play]');
  if (!isBack && (isCard || goesOn)) {
    const root = document.querySelector('main [data-player]');
    const entry = root && attached.get(root);
    if (entry) { if (held) closeMini(); entry.player.play(); }
  }
  goesOn = false;
};

const navigation = isEmbedded ? undefined : new Navigation({ before: leave, after: arrive });
if (!isEmbedded) document.body.append(mini);
setUp();

addEventListener('pagehide', () => {
  const entry = [...attached.values()].find(({ player }) => player.engine && !player.isLive) || [...attached.values()].find(({ player }) => player.wantsToPlay);
  try {
    if (!entry) { sessionStorage.removeItem('antena:spot'); return; }
    const { player } = entry;
    sessionStorage.setItem('antena:spot', JSON.stringify({
      name: nameOf(player.item), time: player.isLive ? undefined : player.time,
      date: player.isLive && !player.engine.follows ? player.engine.date : undefined, isPlaying: !player.media.paused,
      held: entry === held || player.item.kind === 'track' ? { item: player.item, isVideo: player.isVideo } : undefined,
    }));
  } catch { /* A browser that keeps nothing. */ }
});

// After a form that was sent, or a reload, the corner goes on where the page before was.
const left = (() => { try { return parsed(sessionStorage.getItem('antena:spot')); } catch { return undefined; } })();
if (!isEmbedded && left?.held && left.isPlaying && !left.held.isVideo && ![...attached.values()].some(({ player }) => nameOf(player.item) === left.name)) {
  queue.restore();
  const entry = audioEntry();
  entry.player.setItem({ ...left.held.item, start: left.time, token: document.body.dataset.csrf });
  if (entry === held) showMini(entry);
  entry.player.play();
}

if (isEmbedded) {
  import('./embedding.js').then(({ Embedding }) => {
    const [entry] = attached.values();
    if (entry) new Embedding(entry);
  }).catch(() => {});
}
