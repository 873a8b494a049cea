// The drawing that a referee shows on the board of a channel.
import { get } from './dom.js';
import { every, listen } from './page.js';
import { pictureOf } from './courts.js';

const pollTime = 30000;

/** Shows the drawing of a channel in a place while there is one. */
export const followDrawing = (channel, place, label, signal) => {
  let last = '';
  const load = async () => {
    try {
      const { items: [drawing] } = await get(`/api/v1/channels/${encodeURIComponent(channel)}/strategy`);
      const text = JSON.stringify(drawing ?? null);
      if (signal.aborted || text === last) return;
      last = text;
      place.replaceChildren(...(drawing ? [pictureOf(drawing, { label }).picture] : []));
      place.parentElement.hidden = !drawing;
    } catch { /* The next event, or the next time, shows it. */ }
  };
  listen(`/api/v1/events?types=strategy.changed&resource=channel/${encodeURIComponent(channel)}`, (events) => {
    events.addEventListener('strategy.changed', load);
    events.addEventListener('open', load);
  }, signal);
  every(pollTime, load, signal);
  load();
};
