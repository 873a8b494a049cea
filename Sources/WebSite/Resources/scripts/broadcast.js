// Going live from this page: the choices, the preview and the figures. What is sent is in broadcastsender.js.
import { setText } from './dom.js';
import { every } from './page.js';
import { Capture } from './broadcastcapture.js';
import { Sender, isAble } from './broadcastsender.js';

const SCREEN = 'screen';
const find = (id) => document.getElementById(id);

const remember = (key, value) => { try { localStorage.setItem(`antena.${key}`, value); } catch { /* private window */ } };
const recall = (key) => { try { return localStorage.getItem(`antena.${key}`) ?? ''; } catch { return ''; } };

/** The link for publishers in the fragment, which is never sent to a server. */
const token = () => new URLSearchParams(location.hash.slice(1)).get('token') ?? undefined;

const duration = (seconds) => {
  const whole = Math.floor(seconds);
  const rest = `${String(Math.floor(whole / 60) % 60).padStart(whole >= 3600 ? 2 : 1, '0')}:${String(whole % 60).padStart(2, '0')}`;
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${rest}` : rest;
};

export const begin = (signal) => {
  const section = find('broadcast');
  const words = JSON.parse(section.dataset.words);
  if (!window.isSecureContext || !navigator.mediaDevices) {
    find('insecure').hidden = false;
    return;
  }
  if (!isAble()) {
    find('unable').hidden = false;
    return;
  }
  section.hidden = false;
  const presets = JSON.parse(section.dataset.presets);
  const [preview, level, state] = ['preview', 'level', 'state'].map(find);
  const say = (text) => setText(state, text);
  const preset = () => presets[find('quality').value] ?? presets[section.dataset.preset];
  const capture = new Capture(preview, (loudness) => { level.value = loudness; });
  let sender;
  let lock;

  const show = () => {
    const hasPicture = Boolean(capture.videoTrack);
    preview.classList.toggle('on', hasPicture);
    // People expect to see themselves as in a mirror; what is sent is not mirrored.
    preview.classList.toggle('mirrored', hasPicture && capture.isFront);
  };

  const choose = async () => {
    try {
      await capture.open({ camera: find('camera').value, microphone: find('microphone').value, isScreen: find('camera').value === SCREEN, ...preset() });
      if (!sender) say('');
      sender?.tracksChanged();
    } catch (error) {
      say(error.name === 'NotAllowedError' ? words.notAllowed : `${words.noDevice} ${error.message}`);
    }
    show();
    await list();
  };

  const list = async () => {
    const devices = await navigator.mediaDevices.enumerateDevices();
    const fill = (select, kind, extra) => {
      const chosen = select.value;
      [...select.options].slice(1).forEach((option) => option.remove());
      devices.filter((device) => device.kind === kind && device.deviceId).forEach((device, index) => select.add(new Option(device.label || `${index + 1}`, device.deviceId)));
      if (extra) select.add(extra);
      select.value = [...select.options].some((option) => option.value === chosen) ? chosen : '';
    };
    const screen = navigator.mediaDevices.getDisplayMedia ? new Option(words.screen, SCREEN) : undefined;
    fill(find('camera'), 'videoinput', screen);
    fill(find('microphone'), 'audioinput');
  };

  const keepAwake = async () => {
    try {
      if (sender && !document.hidden) lock = await navigator.wakeLock?.request('screen');
    } catch { /* The battery is low, or the browser does not let pages do it. */ }
  };

  const set = (isSending) => {
    find('start').hidden = isSending;
    find('stop').hidden = !isSending;
    find('figures').hidden = !isSending;
    ['channel', 'quality'].forEach((id) => { find(id).disabled = isSending; });
  };

  const stop = (text) => {
    sender?.stop();
    sender = undefined;
    lock?.release();
    lock = undefined;
    set(false);
    say(text ?? words.ended);
  };

  const start = async () => {
    if (!capture.isOpen) await choose();
    if (!capture.isOpen) return;
    remember('quality', find('quality').value);
    sender = new Sender({
      address: section.dataset.ingest, token: token(), preset: find('quality').value, settings: preset(), capture,
      onState: (name, detail) => {
        if (name === 'refused') stop(`${words.refused} ${detail ?? ''}`);
        else say(words[name] ?? '');
      },
    });
    set(true);
    say(words.connecting);
    sender.start();
    keepAwake();
  };

  find('start').addEventListener('click', start, { signal });
  find('stop').addEventListener('click', () => stop(), { signal });
  find('channel').addEventListener('change', () => { location.href = find('channel').value + location.hash; }, { signal });
  ['camera', 'microphone'].forEach((id) => find(id).addEventListener('change', () => {
    remember(id, find(id).value);
    choose();
  }, { signal }));
  find('quality').addEventListener('change', () => capture.isOpen && choose(), { signal });
  find('choice').addEventListener('submit', (event) => event.preventDefault(), { signal });
  navigator.mediaDevices.addEventListener('devicechange', list, { signal });
  document.addEventListener('visibilitychange', keepAwake, { signal });
  window.addEventListener('online', () => sender?.lineChanged(), { signal });
  navigator.connection?.addEventListener('change', () => sender?.lineChanged(), { signal });
  capture.onEnded = () => sender?.tracksChanged();
  window.addEventListener('beforeunload', (event) => { if (sender) event.preventDefault(); }, { signal });
  signal.addEventListener('abort', () => {
    sender?.stop();
    capture.close();
  }, { once: true });
  every(500, () => {
    if (!sender) return;
    const figures = sender.figures();
    setText(find('duration'), duration(figures.seconds));
    setText(find('rate'), `${(figures.bitRate / 1e6).toFixed(1)} Mbit/s`);
    setText(find('dropped'), String(figures.dropped));
    setText(find('viewers'), String(figures.viewers));
  }, signal);

  const saved = recall('quality');
  if (presets[saved]) find('quality').value = saved;
  list().then(choose);
};
