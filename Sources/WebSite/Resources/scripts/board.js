// Boards of their own: for a projector, for OBS, and all courts on one page.
import { every } from './page.js';
import { drawLarge, drawSmall, Scores, show, wordsOf } from './scores.js';
import { followDrawing } from './strategydisplay.js';

export const begin = (signal) => {
  for (const place of document.querySelectorAll('.score-place[data-board]')) {
    const words = wordsOf(place);
    // What a referee draws for everybody covers the board, which is small then.
    const drawn = place.parentElement.querySelector('.strategy-shown');
    const corner = drawn?.querySelector('.strategy-score');
    if (drawn) followDrawing(place.dataset.board, drawn.querySelector('.strategy-picture'), drawn.dataset.label, signal);
    const draw = place.dataset.size === 'small' ? drawSmall : drawLarge;
    const redraw = () => {
      const board = scores.newest;
      // A frozen board keeps what it shows: the server lists the last state before the review.
      show(place, board ? draw(board, words, Date.now()) : undefined);
      place.classList.toggle('b-none', !board);
      if (corner && !corner.parentElement.hidden) show(corner, board ? drawSmall(board, words, Date.now()) : undefined);
    };
    const scores = new Scores(place.dataset.board, redraw, signal);
    scores.load();
    // Clocks run, and the result goes when its time is over.
    every(250, redraw, signal);
    every(30000, () => scores.load(), signal);
  }
};
