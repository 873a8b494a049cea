// A court to draw on, with pen, finger or mouse. Buttons and keys do whatever needs no hand that draws.
import { courtNames, isCourt, pictureOf, strokeOf, fineness } from './courts.js';
import { Drawing, limits } from './drawing.js';
import { setText } from './dom.js';

/** After a pen has touched the court, fingers and the palm are ignored for so many milliseconds. */
const penTime = 4000;
/** How near to a line the eraser has to come, in the coordinates of lines. */
const eraserReach = 120;
/** The button and the bit of the buttons that are a pen's eraser. */
const [eraserButton, eraserBit] = [5, 32];

export class StrategyPad {
  #root;
  #words;
  #drawing = new Drawing();
  #parts;
  #gesture;
  #penAt = -Infinity;

  /** `changed` is called after each change of the drawing. */
  constructor(root, words, changed, signal) {
    [this.#root, this.#words, this.changed] = [root, words, changed];
    const { place } = this;
    place.addEventListener('pointerdown', (event) => this.#begin(event), { signal });
    place.addEventListener('pointermove', (event) => this.#move(event), { signal });
    for (const type of ['pointerup', 'pointercancel']) place.addEventListener(type, (event) => this.#end(event), { signal });
    // Two fingers on the court neither zoom the page nor scroll it.
    place.addEventListener('touchstart', (event) => event.preventDefault(), { signal, passive: false });
    root.addEventListener('click', ({ target }) => this.#click(target.closest('button[data-pad]')?.dataset.pad), { signal });
    root.querySelector('[name=court]').addEventListener('change', ({ target }) => {
      this.#drawing.court = target.value;
      this.#changedByHand();
    }, { signal });
    root.addEventListener('keydown', (event) => this.#key(event), { signal });
    matchMedia('(orientation: portrait)').addEventListener('change', () => this.draw(), { signal });
    this.draw();
  }

  get place() { return this.#root.querySelector('.pad-court'); }

  get content() { return this.#drawing.content; }

  get isEmpty() { return this.#drawing.strokes.length === 0; }

  /** Shows another drawing; the steps back are those of the new one. */
  load({ court, strokes }) {
    this.#drawing = new Drawing({ court: isCourt(court) ? court : 'plain', strokes });
    this.#gesture = undefined;
    this.draw();
  }

  #choice(name) { return this.#root.querySelector(`[data-choice=${name}]:checked`).value; }

  #choose(name, value) {
    const input = this.#root.querySelector(`[data-choice=${name}][value="${value}"]`);
    if (input) input.checked = true;
  }

  draw() {
    const { court, strokes } = this.#drawing.content;
    const label = `${this.#words.courts[court]}. ${this.#words.lines.replace('{count}', String(strokes.length))}`;
    // A picture that stands on its end is larger on a phone.
    const isUpright = matchMedia('(orientation: portrait)').matches && this.#root.clientWidth < 600;
    this.#parts = pictureOf({ court, strokes }, { label, isUpright });
    this.place.replaceChildren(this.#parts.picture);
    this.#root.querySelector('[name=court]').value = court;
    this.#root.querySelector('[data-pad=undo]').disabled = !this.#drawing.canUndo;
    this.#root.querySelector('[data-pad=redo]').disabled = !this.#drawing.canRedo;
    this.#root.querySelector('[data-pad=clear]').disabled = strokes.length === 0;
    setText(this.#root.querySelector('.pad-state'), this.#words.lines.replace('{count}', String(strokes.length)));
  }

  #changedByHand() {
    this.draw();
    this.changed();
  }

  // MARK: Hands

  /** A place on the screen in the coordinates of lines, which may be outside. */
  #placeOf({ clientX, clientY }) {
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(this.#parts.plane.getScreenCTM().inverse());
    return [x * fineness, y * fineness];
  }

  #begin(event) {
    if (this.#gesture || (event.button > 0 && event.button !== eraserButton)) return;
    if (event.pointerType === 'pen') this.#penAt = event.timeStamp;
    else if (event.pointerType === 'touch' && event.timeStamp - this.#penAt < penTime) return;
    event.preventDefault();
    this.place.setPointerCapture(event.pointerId);
    const isEraser = this.#choice('tool') === 'erase' || event.buttons === eraserBit;
    this.#gesture = { pointer: event.pointerId, isEraser, points: [], hasErased: false };
    if (!isEraser) {
      const { color, width, opacity } = this.style;
      this.#gesture.stroke = { color, width, opacity };
    }
    this.#follow([event]);
  }

  /** The colour, width and opacity of the next line. */
  get style() {
    return { color: this.#choice('color'), width: Number(this.#choice('width')), opacity: Number(this.#choice('opacity')) };
  }

  #move(event) {
    if (this.#gesture?.pointer !== event.pointerId) return;
    if (event.pointerType === 'pen') this.#penAt = event.timeStamp;
    const all = event.getCoalescedEvents?.() ?? [];
    this.#follow(all.length > 0 ? all : [event]);
  }

  #follow(events) {
    const { isEraser, points, stroke } = this.#gesture;
    for (const event of events) {
      const [x, y] = this.#placeOf(event);
      if (isEraser) {
        if (this.#drawing.erase(x, y, eraserReach, this.#gesture.hasErased)) {
          this.#gesture.hasErased = true;
          this.#parts.lines.replaceChildren(...this.#drawing.strokes.map(strokeOf));
        }
      } else points.push(x, y);
    }
    if (isEraser) return;
    const shown = strokeOf({ ...stroke, points });
    if (this.#gesture.shown) this.#gesture.shown.replaceWith(shown); else this.#parts.lines.append(shown);
    this.#gesture.shown = shown;
  }

  #end(event) {
    if (this.#gesture?.pointer !== event.pointerId) return;
    const { isEraser, points, stroke, hasErased } = this.#gesture;
    this.#gesture = undefined;
    const isKept = isEraser ? hasErased : event.type === 'pointerup' && this.#drawing.add({ ...stroke, points });
    this.draw();
    if (isKept) this.changed();
    else if (!isEraser && event.type === 'pointerup') setText(this.#root.querySelector('.pad-state'), this.#words.full);
  }

  // MARK: Buttons and keys

  #click(name) {
    const steps = { undo: () => this.#drawing.undo(), redo: () => this.#drawing.redo(), clear: () => this.#drawing.clear() };
    if (!steps[name] || this.#gesture) return;
    steps[name]();
    this.#changedByHand();
  }

  #key(event) {
    if (event.altKey || event.target.closest('input:not([type=radio]), textarea, select')) return;
    const key = event.key.toLowerCase();
    const hasControl = event.ctrlKey || event.metaKey;
    const colors = [...this.#root.querySelectorAll('[data-choice=color]')].map(({ value }) => value);
    const keys = hasControl ? { z: () => this.#click(event.shiftKey ? 'redo' : 'undo'), y: () => this.#click('redo') } : {
      z: () => this.#click('undo'), y: () => this.#click('redo'), delete: () => this.#click('clear'),
      d: () => this.#choose('tool', 'draw'), e: () => this.#choose('tool', 'erase'),
      ...Object.fromEntries(colors.map((color, index) => [String(index + 1), () => this.#choose('color', color)])),
    };
    if (!keys[key]) return;
    event.preventDefault();
    keys[key]();
  }
}

/** The courts to choose from. */
export const courtOptions = (words) => courtNames.map((name) => Object.assign(document.createElement('option'), { value: name, textContent: words.courts[name] }));
export { limits };
