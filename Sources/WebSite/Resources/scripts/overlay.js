// The score over the picture of a channel, in step with it: the state whose time the frame that is shown has.
import { every } from './page.js';
import { drawSmall, Scores, show, wordsOf } from './scores.js';

export const begin = (signal) => {
  for (const root of document.querySelectorAll('.player[data-score]')) {
    const words = wordsOf(root);
    const place = document.createElement('div');
    place.className = 'score-overlay';
    root.append(place);
    const { score } = root.dataset;
    const redraw = () => {
      const date = root.antenaPlayer?.engine?.date;
      const time = typeof date === 'number' ? date : date?.getTime();
      const board = Number.isFinite(time) ? scores.at(time) : undefined;
      show(place, board && board.phase !== 'ready' ? drawSmall(board, words, time) : undefined);
    };
    const scores = new Scores(score, redraw, signal);
    scores.load();
    // By frame where the browser tells of each, so that the score changes with the picture.
    const video = root.querySelector('video');
    if (video?.requestVideoFrameCallback) {
      const step = () => {
        if (signal.aborted) return;
        redraw();
        video.requestVideoFrameCallback(step);
      };
      video.requestVideoFrameCallback(step);
    }
    every(250, redraw, signal);
    signal.addEventListener('abort', () => place.remove(), { once: true });
  }
};
