// How a tablet delivers events: what it asks about, what it keeps, and the words for what the server refuses.
import { KeptMatch } from './keptmatch.js';
import { deliver } from './matchdelivery.js';
import { eventText, refusalText } from './matchrefusals.js';
import { MemoryStore } from './memorystore.js';
import { rules } from './vectors.js';

const failures = [];
let count = 0;
const check = (name, isRight, found) => {
  count += 1;
  if (!isRight) failures.push(`${name}: ${JSON.stringify(found)}`);
};

/** A server with one match; `entries` are what others have entered. */
class Server {
  entries = [];
  requests = [];
  refusal;

  get board() { return { sequence: this.entries.length, phase: 'playing' }; }

  fetch(path, { method = 'GET', body } = {}) {
    const answer = (status, content) => Promise.resolve(new Response(JSON.stringify(content), { status }));
    if (method === 'GET') {
      const after = Number(new URL(path, 'http://x').searchParams.get('after'));
      return answer(200, { items: this.entries.filter(({ sequence }) => sequence > after), next: null });
    }
    const sent = JSON.parse(body);
    this.requests.push(sent);
    if (this.refusal) return answer(this.refusal.status, this.refusal);
    if (sent.expected !== undefined && sent.expected !== this.entries.length) {
      return answer(409, { type: '/problems/conflict', events: this.entries.filter(({ sequence }) => sequence > sent.expected) });
    }
    for (const { id, time, ...event } of sent.events) this.enter(event, time);
    return answer(200, this.board);
  }

  enter(event, time = '2026-11-30T18:00:00.000Z') { this.entries.push({ sequence: this.entries.length + 1, time, event }); }
}

const clock = { time: (at) => (at ? at.wall : Date.now()) };
const setup = {
  rules, channel: 'canalA', modality: 'singles', scoring: 'manual', firstServer: { side: 'a', player: 0 },
  sides: [[{ name: 'Ana Núñez', shortName: 'Núñez' }], [{ name: 'Berta', shortName: 'Berta' }]],
};

const begin = async () => {
  const server = new Server();
  globalThis.fetch = (path, options) => server.fetch(path, options);
  const store = new MemoryStore();
  const kept = await KeptMatch.load(store, clock, { id: 'm', server: 'm', base: [], setup });
  await kept.act({ type: 'start' });
  await deliver(kept, { asks: true });
  return { server, store, kept };
};
const points = ({ board }) => (board.sides ?? []).map((side) => side.points).join(':');

{
  const { server, kept } = await begin();
  check('a tap expects what the tablet knows', server.requests[0].expected === 0 && !server.requests[0].keepConflicts, server.requests);
  await kept.act({ type: 'point', side: 'a' });
  check('delivered', await deliver(kept, { asks: true }) === 'ok' && server.entries.length === 2, server.entries);
  // The other tablet is first.
  server.enter({ type: 'point', side: 'b' });
  await kept.act({ type: 'point', side: 'b' });
  const outcome = await deliver(kept, { asks: true });
  check('a race asks', outcome === 'race' && kept.race.map(({ event }) => event.side).join() === 'b' && kept.waiting.length === 1 && server.entries.length === 3, outcome);
  // It was the same point.
  await kept.dropWaiting();
  kept.race = undefined;
  kept.answer = undefined;
  check('left out', await deliver(kept, { asks: true }) === 'ok' && server.entries.length === 3 && points(kept) === '1:1', points(kept));
  // Another one, which counts as well.
  server.enter({ type: 'point', side: 'b' });
  await kept.act({ type: 'point', side: 'a' });
  check('a second race', await deliver(kept, { asks: true }) === 'race', kept.race);
  kept.race = undefined;
  check('entered as well', await deliver(kept) === 'ok' && server.requests.at(-1).keepConflicts && server.entries.length === 5, server.requests.at(-1));
}
{
  // An event that was entered while there was no network is kept, whatever came meanwhile.
  const { server, kept } = await begin();
  server.enter({ type: 'note', text: 'rain' });
  await kept.act({ type: 'point', side: 'a' });
  kept.events = kept.events.map((event) => (event.state === 'waiting' ? { ...event, at: { ...event.at, steady: event.at.steady - 60000 } } : event));
  check('an old event', await deliver(kept, { asks: true }) === 'ok' && server.requests.at(-1).keepConflicts === true && server.entries.length === 3, server.requests.at(-1));
}
{
  // The page of the list asks nobody.
  const { server, kept } = await begin();
  server.enter({ type: 'note', text: 'rain' });
  await kept.act({ type: 'point', side: 'a' });
  check('a list', await deliver(kept) === 'ok' && server.entries.length === 3, server.entries);
}
{
  const { server, kept } = await begin();
  server.refusal = { status: 409, type: '/api/v1/docs#conflict', detail: 'the game is over', errors: [{ field: 'gameIsOver', message: 'the game is over' }] };
  await kept.act({ type: 'point', side: 'a' });
  const words = { conflicts: { gameIsOver: 'El juego ha terminado.' }, refusals: { full: 'lleno', notValid: 'no es válido', noChannel: 'sin canal' }, sameTwice: 'dos veces', wrongRules: 'reglas', events: { point: 'Punto', note: 'Nota' } };
  check('refused', await deliver(kept, { asks: true }) === 'ok' && kept.refused.length === 1, kept.events);
  const text = refusalText(kept.refused[0].reason, words);
  check('the reason is in the words of the page', text === 'El juego ha terminado.', text);
  const texts = [{ type: 'too-many', fields: [] }, { type: 'conflict', fields: ['sideB'] }, { type: 'not-valid', fields: ['channel'] }, { type: 'not-valid', fields: ['modality'] }, undefined, 'the field `id` is wrong'];
  const found = texts.map((refusal) => refusalText(refusal, words)).join();
  check('other refusals', found === 'lleno,dos veces,sin canal,reglas,no es válido,no es válido', found);
  const names = [{ type: 'point', side: 'a' }, { type: 'note', text: '<b>rain</b>' }, { type: 'unheard' }].map((event) => eventText(event, words, (side) => side.toUpperCase())).join();
  check('names of events', names === 'Punto: A,Nota: <b>rain</b>,unheard', names);
}

globalThis.antenaResult = { count, failures };
