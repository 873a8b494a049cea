// The drawings of the strategy board, without a page: lines, steps back and forth, limits, and what the server takes.
import { courtNames, pathOf } from './courts.js';
import { Drawing, limits, simplified } from './drawing.js';

const style = { color: '#ff0000', width: 60, opacity: 100 };
const line = (...points) => ({ ...style, points });
const failures = [];
let count = 0;
const check = (name, isRight) => {
  count += 1;
  if (!isRight) failures.push(name);
};
const shown = (drawing) => drawing.strokes.map(({ points }) => points.join()).join(' ');

// Points that lie on a line go; those of a turn stay.
check('straight', simplified(Array.from({ length: 200 }, (_, index) => [index * 10, index * 5]).flat()).join() === '0,0,1990,995');
check('turn', simplified([0, 0, 500, 0, 1000, 0, 1000, 500, 1000, 1000]).join() === '0,0,1000,0,1000,1000');
check('dot', simplified([7.4, 7.6]).join() === '7,8');
check('bounds', simplified([-50, 99999]).join() === `0,${limits.y}`);
// A line that trembles has no more points than a line may have, and is still where it was drawn.
const trembling = Array.from({ length: 5000 }, (_, index) => [index * 3, 5000 + (index % 2) * 200]).flat();
const tamed = simplified(trembling);
check('limit of points', tamed.length <= limits.points * 2 && tamed.every(Number.isInteger));

const drawing = new Drawing({ court: 'tennis' });
drawing.add(line(0, 0, 1000, 0));
drawing.add(line(0, 2000, 1000, 2000));
check('two', shown(drawing) === '0,0,1000,0 0,2000,1000,2000' && drawing.canUndo && !drawing.canRedo);
drawing.undo();
check('undo', shown(drawing) === '0,0,1000,0' && drawing.canRedo);
drawing.redo();
check('redo', shown(drawing).endsWith('2000'));
drawing.undo();
drawing.add(line(5, 5));
check('a new line ends the way forth', !drawing.canRedo && shown(drawing) === '0,0,1000,0 5,5');
check('erasing beside a line', !drawing.erase(500, 400, 120) && drawing.strokes.length === 2);
// One movement over both lines is one step.
check('erasing', drawing.erase(900, 100, 120) && drawing.erase(10, 10, 120, true) && drawing.strokes.length === 0);
drawing.undo();
check('undo of erasing', drawing.strokes.length === 2);
drawing.clear();
drawing.undo();
check('undo of clearing', drawing.strokes.length === 2);
for (let step = 0; step < 300; step += 1) { drawing.clear(); drawing.add(line(step, step)); }
let steps = 0;
while (drawing.canUndo) { drawing.undo(); steps += 1; }
check('limit of steps', steps === limits.steps);

const full = new Drawing();
for (let stroke = 0; stroke < limits.strokes; stroke += 1) full.add(line(stroke, stroke));
check('limit of lines', !full.add(line(1, 1)) && full.strokes.length === limits.strokes);
const large = new Drawing();
const wide = Array.from({ length: 390 }, (_, index) => [index * 40, (index * 7919) % 10000]).flat();
let added = 0;
while (large.add(line(...wide))) added += 1;
check('limit of bytes', added > 10 && added < limits.strokes && JSON.stringify(large.strokes).length <= limits.bytes);

check('paths', pathOf([10, 20]) === 'M1 2h.01' && pathOf([0, 0, 10, 10]) === 'M0 0L1 1' && !/NaN|undefined/.test([3, 4, 5, 9].map((length) => pathOf(Array.from({ length: length * 2 }, (_, index) => index * 10))).join()));
check('courts', courtNames.join() === 'racquetball,volleyball,badminton,tennis,basketball,football,plain');

globalThis.antenaResult = { count, failures };
