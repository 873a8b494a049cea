// Brings the drawings of a tablet to the server, and those of the server to the tablet.
import { get } from './dom.js';
import { limits } from './drawing.js';
import { newID } from './keptmatch.js';
import { exchange } from './matchdelivery.js';

const address = '/api/v1/me/strategies';
const pageSize = 100;
/** The end of the name of a drawing that another device has changed as well. */
const suffix = ' (2)';

const bodyOf = ({ name, court, strokes }) => JSON.stringify({ name, court, strokes });

/** Notes what the server has; what was changed meanwhile on this tablet stays changed. */
const settle = async (store, drawing, { id: server, revision }) => {
  const now = await store.get(drawing.id) ?? drawing;
  const state = now.changedAt === drawing.changedAt && now.state === drawing.state ? 'saved' : now.state;
  await store.put({ ...now, server, revision, state, owner: store.account });
};

const create = async (store, drawing) => {
  const { outcome, content } = await exchange(address, bodyOf(drawing), { 'Idempotency-Key': drawing.key });
  if (outcome === 'ok') await settle(store, drawing, content);
  return outcome;
};

const copyName = (name) => `${[...name].slice(0, limits.name - suffix.length).join('')}${suffix}`;

/** A drawing that another tablet has changed, or the server has no more, is saved as one of its own: nothing is lost. */
const createAgain = async (store, drawing, nameOf) => {
  const now = await store.get(drawing.id);
  // It was deleted meanwhile, or another tab has delivered it: the next delivery is about that.
  if (!now || now.state === 'deleted' || now.server !== drawing.server || now.revision !== drawing.revision) return 'ok';
  const again = { ...now, name: nameOf(now.name), server: null, revision: null, key: newID() };
  await store.put(again);
  return create(store, again);
};

const change = async (store, drawing) => {
  const { outcome, content } = await exchange(`${address}/${drawing.server}`, bodyOf(drawing), { 'If-Match': `"${drawing.revision}"` }, 'PATCH');
  if (outcome === 'ok') await settle(store, drawing, content);
  if (outcome === 'gone') return createAgain(store, drawing, (name) => name);
  if (outcome === 'changed') return createAgain(store, drawing, copyName);
  return outcome;
};

const remove = async (store, drawing) => {
  if (drawing.server === null) { await store.remove(drawing.id); return 'ok'; }
  const { outcome } = await exchange(`${address}/${drawing.server}`, undefined, {}, 'DELETE');
  if (outcome !== 'ok' && outcome !== 'gone') return outcome;
  await store.remove(drawing.id);
  return 'ok';
};

/** Outcomes that every other drawing would have as well. */
const isGeneral = (outcome) => ['logIn', 'forbidden', 'away'].includes(outcome);

/** Asks for a resource; the outcome is `ok` or a general one. */
const ask = async (path) => {
  const { outcome, content } = await exchange(path, undefined, {}, 'GET');
  return { outcome: outcome === 'ok' || isGeneral(outcome) ? outcome : 'away', content };
};

/** One drawing that is refused does not keep the others. */
const deliver = async (store) => {
  let isRefused = false;
  for (const drawing of await store.all()) {
    if (drawing.id === 'draft' || drawing.state === 'saved') continue;
    const work = drawing.state === 'deleted' ? remove : drawing.server === null ? create : change;
    const outcome = await work(store, drawing);
    if (isGeneral(outcome)) return outcome;
    if (outcome !== 'ok') isRefused = true;
  }
  return isRefused ? 'refused' : 'ok';
};

const load = async (store) => {
  const { outcome, content } = await ask(`${address}?limit=${pageSize}`);
  if (outcome !== 'ok') return outcome;
  const { items } = content;
  const known = new Map((await store.all()).filter(({ server }) => server).map((drawing) => [drawing.server, drawing]));
  for (const { id, revision } of items) {
    const own = known.get(id);
    if (own && (own.state !== 'saved' || own.revision >= revision)) continue;
    const { name, court, strokes, changedAt } = await get(`${address}/${id}`);
    await store.put({ id: own?.id ?? newID(), server: id, revision, name, court, strokes, state: 'saved', key: newID(), changedAt: Date.parse(changedAt), owner: store.account });
  }
  const there = new Set(items.map(({ id }) => id));
  for (const [server, { id, state }] of known) if (state === 'saved' && !there.has(server)) await store.remove(id);
  return 'ok';
};

/** Returns `ok`, or why the drawings stay on the tablet alone: `logIn`, `forbidden`, `refused` or `away`. */
export const syncStrategies = async (store) => {
  const session = await ask('/api/v1/session');
  if (session.outcome !== 'ok') return session.outcome;
  store.account = session.content.username ?? undefined;
  if (!store.account) return 'logIn';
  const outcome = await deliver(store);
  if (isGeneral(outcome)) return outcome;
  try {
    const loaded = await load(store);
    return loaded === 'ok' ? outcome : loaded;
  } catch { return 'away'; }
};
