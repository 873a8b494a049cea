// Channels: changes only what has changed. The player sees for itself when a channel comes back.
import { get, setText } from './dom.js';
import { every } from './page.js';

export const begin = (signal) => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const canPlay = Boolean(window.MediaSource || window.ManagedMediaSource)
    || document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';

  // Browsers that play no HLS at all: show the URL for other players.
  const showAddresses = () => all('.vlc').forEach((line) => {
    const channel = line.closest('[data-channel]');
    line.hidden = canPlay || (channel !== null && channel.dataset.state === 'idle');
  });
  showAddresses();

  const words = document.querySelector('.channels[data-live]');
  // The form of a text that goes with a number in the language of the page.
  const counted = (forms, number) => {
    const texts = JSON.parse(forms);
    const form = new Intl.PluralRules(document.documentElement.lang).select(number);
    return (texts[form] || texts.other).replace('{count}', new Intl.NumberFormat(document.documentElement.lang).format(number));
  };
  const lasting = (start) => {
    const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(start)) / 60000));
    return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
  };
  const updateChannel = (element, channel) => {
    const isOn = channel.state !== 'idle';
    const changed = element.dataset.state !== channel.state;
    element.dataset.state = channel.state;
    if (changed || words.dataset.viewers) setText(element.querySelector('.badge'), words.dataset[channel.state]);
    if (!words.dataset.viewers) return;
    const viewers = element.querySelector('.viewers');
    setText(viewers, counted(words.dataset.viewers, channel.viewers));
    if (channel.since) setText(element.querySelector('.since'), words.dataset.onAir.replace('{time}', lasting(channel.since)));
    viewers.parentElement.hidden = !isOn;
    const root = element.querySelector('.player');
    if (!root) return;
    const { antenaPlayer: player } = root;
    const wants = player?.wantsToPlay;
    if (changed && isOn && player?.state === 'off-air') player.retry();
    root.hidden = !isOn && !wants;
    element.querySelector('.off').hidden = !root.hidden;
    if (changed) showAddresses();
  };
  const update = async () => {
    if (document.hidden) return;
    const { items } = await get('/api/v1/channels').catch(() => ({ items: [] }));
    if (signal.aborted) return;
    for (const channel of items) {
      const element = document.querySelector(`[data-channel="${CSS.escape(channel.name)}"]`);
      if (element) updateChannel(element, channel);
    }
  };
  every(2000, update, signal);
};
