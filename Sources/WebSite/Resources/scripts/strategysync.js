// Brings the drawings of a tablet to the server, and those of the server to the tablet.
import { get } from './dom.js';
import { newID } from './keptmatch.js';
import { exchange } from './matchdelivery.js';

const address = '/api/v1/me/strategies';
const pageSize = 100;

const bodyOf = ({ name, court, strokes }) => JSON.stringify({ name, court, strokes });

/** Notes what the server has; what was changed meanwhile on this tablet stays changed. */
const settle = async (store, drawing, { id: server, revision }) => {
  const now = await store.get(drawing.id) ?? drawing;
  const state = now.changedAt === drawing.changedAt && now.state === drawing.state ? 'saved' : now.state;
  await store.put({ ...now, server, revision, state });
};

const create = async (store, drawing) => {
  const { outcome, content } = await exchange(address, bodyOf(drawing), { 'Idempotency-Key': drawing.key });
  if (outcome === 'ok') await settle(store, drawing, content);
  return outcome;
};

/** A drawing that another tablet has changed, or the server has no more, is saved as one of its own: nothing is lost. */
const createAgain = async (store, drawing, name) => {
  const again = { ...drawing, name, server: null, revision: null, key: newID() };
  await store.put(again);
  return create(store, again);
};

const change = async (store, drawing) => {
  const { outcome, content } = await exchange(`${address}/${drawing.server}`, bodyOf(drawing), { 'If-Match': `"${drawing.revision}"` }, 'PATCH');
  if (outcome === 'ok') await settle(store, drawing, content);
  if (outcome === 'gone') return createAgain(store, drawing, drawing.name);
  if (outcome === 'changed') return createAgain(store, drawing, `${drawing.name.slice(0, 76)} (2)`);
  return outcome;
};

const remove = async (store, drawing) => {
  if (drawing.server === null) { await store.remove(drawing.id); return 'ok'; }
  const { outcome } = await exchange(`${address}/${drawing.server}`, undefined, {}, 'DELETE');
  if (outcome !== 'ok' && outcome !== 'gone') return outcome;
  await store.remove(drawing.id);
  return 'ok';
};

const deliver = async (store) => {
  for (const drawing of await store.all()) {
    if (drawing.id === 'draft' || drawing.state === 'saved') continue;
    const work = drawing.state === 'deleted' ? remove : drawing.server === null ? create : change;
    const outcome = await work(store, drawing);
    if (outcome !== 'ok') return outcome;
  }
  return 'ok';
};

const load = async (store) => {
  const { items } = await get(`${address}?limit=${pageSize}`);
  const known = new Map((await store.all()).filter(({ server }) => server).map((drawing) => [drawing.server, drawing]));
  for (const { id, revision } of items) {
    const own = known.get(id);
    if (own && (own.state !== 'saved' || own.revision >= revision)) continue;
    const { name, court, strokes, changedAt } = await get(`${address}/${id}`);
    await store.put({ id: own?.id ?? newID(), server: id, revision, name, court, strokes, state: 'saved', key: newID(), changedAt: Date.parse(changedAt) });
  }
  const there = new Set(items.map(({ id }) => id));
  for (const [server, { id, state }] of known) if (state === 'saved' && !there.has(server)) await store.remove(id);
};

/** Returns `ok`, or why the drawings stay on the tablet alone: `logIn`, `forbidden`, `refused` or `away`. */
export const syncStrategies = async (store) => {
  const outcome = await deliver(store);
  if (outcome !== 'ok') return outcome;
  try { await load(store); } catch { return 'away'; }
  return 'ok';
};
