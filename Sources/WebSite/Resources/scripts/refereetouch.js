// The gestures and keys with which a referee keeps the score.

/** A press on a count that lasts longer uses a time-out or an appeal. */
const longPress = 1000;
/** After a long press, a click of the same finger is no tap; in milliseconds after it was lifted. */
const clickTime = 350;
/** Two taps with two fingers within this time change the server. */
const doubleTap = 400;
/** The way of a finger that counts as a swipe, in pixels. */
const swipeWay = 40;
/** The way of a finger that still counts as a tap, in pixels. */
const tapWay = 10;

export const sideOf = (element) => element.closest('.half').dataset.side;

/** `act` carries an event out; `tapsCount()` tells whether a tap on a number is a point. */
export const listenToTouch = (page, act, tapsCount, signal) => {
  let touch;
  let lastDouble = -Infinity;
  // What a long press changes may put a button below the finger.
  let isPressed = false;
  const drop = () => {
    clearTimeout(touch?.timer);
    touch = undefined;
  };
  page.addEventListener('pointerdown', (event) => {
    const count = event.target.closest('[data-count]');
    touch = { x: event.clientX, y: event.clientY, number: event.target.closest?.('.points') };
    if (count && event.isPrimary) {
      const use = { type: count.dataset.count, side: sideOf(count) };
      touch.timer = setTimeout(() => {
        isPressed = true;
        act(use);
      }, longPress);
    }
  }, { signal });
  page.addEventListener('click', (event) => {
    if (!isPressed) return;
    event.preventDefault();
    event.stopPropagation();
  }, { signal, capture: true });
  const release = (event) => {
    if (isPressed) setTimeout(() => { isPressed = false; }, clickTime);
    if (!touch) return;
    const { number, x, y } = touch;
    drop();
    if (!number || event.type === 'pointercancel') return;
    const [across, down] = [event.clientX - x, event.clientY - y];
    if (Math.abs(down) >= swipeWay && Math.abs(down) > Math.abs(across)) {
      act({ type: down < 0 ? 'point' : 'correct', side: sideOf(number) });
    } else if (tapsCount() && Math.abs(down) < tapWay && Math.abs(across) < tapWay) {
      act({ type: 'point', side: sideOf(number) });
    }
  };
  page.addEventListener('pointerup', release, { signal });
  page.addEventListener('pointercancel', release, { signal });
  page.addEventListener('touchstart', (event) => {
    if (event.touches.length !== 2) return;
    event.preventDefault();
    drop();
    if (event.timeStamp - lastDouble < doubleTap) {
      act({ type: 'changeServer' });
      lastDouble = -Infinity;
    } else lastDouble = event.timeStamp;
  }, { signal, passive: false });
};

export const listenToKeys = (act, actions, signal) => {
  const event = (type, side) => () => act({ type, side });
  const keys = {
    q: event('point', 'a'), a: event('correct', 'a'), p: event('point', 'b'), l: event('correct', 'b'),
    w: event('timeOut', 'a'), o: event('timeOut', 'b'), e: event('appeal', 'a'), i: event('appeal', 'b'),
    s: actions.server, u: actions.undo, n: actions.nextGame, f: actions.freeze, c: actions.clock,
  };
  document.addEventListener('keydown', (pressed) => {
    if (pressed.repeat || pressed.ctrlKey || pressed.metaKey || pressed.altKey || pressed.target.closest('input, textarea, select, .strategy')) return;
    keys[pressed.key.toLowerCase()]?.();
  }, { signal });
};
