// Keeps the page of a tablet's matches and its files in the browser, so that the service worker can show it when there
// is no network; and loads what a new match needs.
import { get } from './dom.js';

const cacheName = 'antena-tablet';
/** Limits of the players that a tablet knows: pages of the list. */
const playerPageCount = 20;
const pageSize = 100;

/** The page as a stranger sees it, or with a session if the site is closed to strangers. */
const fetchTablet = async (address) => {
  const headers = { Accept: 'text/html' };
  const open = await fetch(address, { credentials: 'omit', headers });
  return open.ok && !open.redirected ? open : fetch(address, { headers });
};

const pageOf = async (answer) => new DOMParser().parseFromString(await answer.text(), 'text/html').getElementById('tablet');

/** Keeps the page and its files; returns whether all of them are there. */
export const keepPage = async (address) => {
  if (!globalThis.caches) return false;
  try {
    const answer = await fetchTablet(address);
    if (!answer.ok || answer.redirected) return false;
    const page = await pageOf(answer.clone());
    if (!page) return false;
    const cache = await caches.open(cacheName);
    const parts = page.dataset.parts.split(' ');
    // The files have their version in their addresses; those that are there already are right.
    await Promise.all(parts.map(async (part) => { if (!await cache.match(part)) await cache.add(part); }));
    await cache.put(address, answer);
    const wanted = new Set([...parts, address].map((part) => new URL(part, location.href).href));
    const flags = new URL(page.dataset.flags, location.href).href;
    const kept = await cache.keys();
    await Promise.all(kept.filter(({ url }) => !wanted.has(url) && !url.startsWith(flags)).map((request) => cache.delete(request)));
    await navigator.storage?.persist?.();
    return true;
  } catch { return false; }
};

const loadPlayers = async () => {
  const players = [];
  let cursor;
  for (let page = 0; page < playerPageCount; page += 1) {
    const { items, next } = await get(`/api/v1/players?limit=${pageSize}${cursor ? `&cursor=${encodeURIComponent(cursor)}` : ''}`);
    players.push(...items);
    if (!next) break;
    cursor = next;
  }
  return players;
};

/** The channels whose score the member may keep; none without a session. */
const loadChannels = async (address) => {
  const channels = JSON.parse((await pageOf(await fetch(address, { headers: { Accept: 'text/html' } }))).dataset.channels);
  if (channels.length === 0) throw new Error('there is no session');
  return channels;
};

/** Keeps the flags of the players' countries; `flags` is the beginning of their addresses. */
const keepFlags = async (players, flags) => {
  if (!globalThis.caches) return;
  const cache = await caches.open(cacheName);
  for (const country of new Set(players.map((player) => player.country))) {
    const flag = `${flags}${country}.svg`;
    if (!await cache.match(flag)) await cache.add(flag);
  }
};

/** Loads channels, rules and players into the store, and flags; what cannot be loaded stays as it was. */
export const keepThings = async (address, store, flags) => {
  const load = async (name, work) => { try { await store.setThing(name, await work()); } catch { /* Later. */ } };
  await load('channels', () => loadChannels(address));
  await load('rules', async () => (await get('/api/v1/match-rules')).items);
  await load('players', loadPlayers);
  try { await keepFlags(await store.thing('players') ?? [], flags); } catch { /* Later. */ }
};
