// The site's scripts. Each part is a module, which is loaded for pages that have what it works on.
import { page } from './page.js';

const has = (selector) => () => document.querySelector(selector) !== null;
const remembers = (key) => { try { return sessionStorage.getItem(key) !== null; } catch { return false; } };
const parts = {
  app: () => window.isSecureContext || has('#install')(),
  bell: has('.bell'),
  board: has('.score-place[data-board]'),
  broadcast: has('#broadcast'),
  captureclock: has('[data-capture-clock]'),
  channels: has('[data-channel], .vlc'),
  conversation: has('.talk[data-talk]'),
  crop: has('input[data-crop]'),
  countdown: has('time[data-countdown]'),
  dashboard: has('#dashboard, #log'),
  dialog: has('[data-dialog]'),
  drafts: () => has('form[data-draft]')() || location.search === '?hecho=1',
  forum: has('[data-comments], [data-topics][data-live]'),
  forms: has('main form[method=post]'),
  jobs: has('#jobs'),
  lists: has('[data-more]'),
  matchsetup: has('#match-setup'),
  overlay: has('.player[data-score]'),
  passkeys: has('form[data-passkey]'),
  picture: has('video[data-picture]'),
  place: has('[data-place]'),
  play: has('[data-play-here]'),
  progress: () => has('[data-follow]')() || remembers(`typed:${location.pathname}`),
  push: has('form[data-push]'),
  referee: has('#referee'),
  results: has('#results, [data-print], details[data-menu]'),
  search: has('form.find'),
  share: has('details[data-share]'),
  strategy: has('#strategy'),
  tablet: has('#tablet'),
  talkbadges: has('.talks'),
  theme: has('[data-theme-switch]'),
  times: has('time[data-local]'),
  upload: has('[data-send]'),
};

page((signal) => Object.entries(parts).forEach(async ([name, isNeeded]) => {
  if (!isNeeded()) return;
  const { begin } = await import(`./${name}.js`);
  if (!signal.aborted) begin(signal);
}));
