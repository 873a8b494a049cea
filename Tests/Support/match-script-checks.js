// Plays the matches of vectors.js with the scripts of the referee's page, and compares boards, refusals and conflicts with
// those of the server. MatchScriptTests puts both files beside each other.
import { boardOf, logOf } from './matchboard.js';
import { plays } from './vectors.js';

/** The same object has the same text, whatever the order of its members is. Sentences about conflicts are the server's. */
const textOf = (value) => JSON.stringify(value, (name, member) => {
  if (name === 'conflicts') return member.map(({ sequence, reason }) => `${sequence} ${reason}`);
  if (member && typeof member === 'object' && !Array.isArray(member)) return Object.fromEntries(Object.entries(member).sort());
  return member;
});

const differences = (expected, found) => Object.keys(expected)
  .filter((name) => textOf({ [name]: expected[name] }) !== textOf({ [name]: found[name] }))
  .map((name) => `${name} is ${textOf({ [name]: found[name] })}, not ${textOf({ [name]: expected[name] })}`);

/** The reason for which an event is refused; `undefined` if it is carried out. */
const refusalOf = (log, { event, time }) => {
  try { log.append(event, time); } catch (error) { return error.reason ?? String(error.stack); }
  return undefined;
};

const check = ({ id, setup, steps }) => {
  const log = logOf(setup);
  for (const [number, step] of steps.entries()) {
    const expected = step.board ?? step.kept ?? step.last;
    if (step.kept) log.restore(step.event, step.time);
    else if (!step.last) {
      const refusal = refusalOf(log, step);
      if (refusal !== step.refusal) return `${setup.rules.id}, step ${number}: ${JSON.stringify(step.event)} is refused for ${refusal}, not ${step.refusal}`;
    }
    const undoable = log.undoable?.sequence ?? 0;
    if (undoable !== step.undoable) return `${setup.rules.id}, step ${number}: entry ${undoable} is undone, not ${step.undoable}`;
    if (!expected) continue;
    const found = differences(expected, boardOf(setup, log, { match: id, today: '2026-02-28' }));
    if (found.length > 0) return `${setup.rules.id}, step ${number}: ${JSON.stringify(step.event)}: ${found.join('; ')}`;
  }
  // A tablet that loads the entries of the server has the same state.
  const loaded = logOf(setup, log.entries);
  const found = differences(boardOf(setup, log, { match: id, today: '2026-02-28' }), boardOf(setup, loaded, { match: id, today: '2026-02-28' }));
  return found.length > 0 ? `${setup.rules.id}, loaded: ${found.join('; ')}` : undefined;
};

globalThis.antenaResult = { count: plays.length, failures: plays.map(check).filter(Boolean) };
