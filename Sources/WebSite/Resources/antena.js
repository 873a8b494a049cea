'use strict';

// Work for each page: it begins again when the player shows another page in this document, and what it has started ends.
const antena = (() => {
  let stop = new AbortController();
  document.addEventListener('antena:page', () => {
    stop.abort();
    stop = new AbortController();
  }, { capture: true });
  const page = (work) => {
    const begin = () => work(stop.signal);
    begin();
    document.addEventListener('antena:page', begin);
  };
  /** Does something again and again, in milliseconds, while the page is shown. */
  const every = (milliseconds, work, signal) => {
    const timer = setInterval(work, milliseconds);
    signal.addEventListener('abort', () => clearInterval(timer), { once: true });
  };
  return { page, every };
})();

antena.page((signal) => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const canPlay = Boolean(window.MediaSource || window.ManagedMediaSource)
    || document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';

  // Browsers that play no HLS at all: show the URL for other players.
  const showAddresses = () => all('.vlc').forEach((line) => {
    const channel = line.closest('[data-channel]');
    line.hidden = canPlay || (channel !== null && channel.dataset.state === 'idle');
  });
  showAddresses();

  const fetchPage = async (address) => {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  };
  const showImage = (element, address) => {
    const image = document.createElement('img');
    image.src = address;
    image.alt = '';
    element.replaceChildren(...(address ? [image] : []));
  };

  const results = document.getElementById('results');
  /** Shows what is new in the list, without interrupting what plays. */
  const showList = async () => {
    const found = (await fetchPage(location.href)).getElementById('results');
    if (found && !signal.aborted) results.replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
  };

  const every = (milliseconds, work) => {
    const turn = async () => {
      if (signal.aborted) return;
      if (!document.hidden) { try { await work(); } catch { /* the server is away: try again */ } }
      setTimeout(turn, milliseconds);
    };
    setTimeout(turn, milliseconds);
  };
  const get = async (path) => {
    const answer = await fetch(path, { headers: { Accept: 'application/json' } });
    if (!answer.ok) throw new Error(answer.statusText);
    return answer.json();
  };
  const setText = (element, text) => {
    if (element && element.textContent !== text) element.textContent = text;
  };

  // Channels: update only what has changed. The player sees for itself when a channel comes back.
  const words = document.querySelector('.channels[data-live]');
  // The form of a text that goes with a number in the language of the page.
  const counted = (forms, number) => {
    const texts = JSON.parse(forms);
    const form = new Intl.PluralRules(document.documentElement.lang).select(number);
    return (texts[form] || texts.other).replace('{count}', number);
  };
  const updateChannel = (element, channel) => {
    const isOn = channel.state !== 'idle';
    const changed = element.dataset.state !== channel.state;
    element.dataset.state = channel.state;
    if (changed || words.dataset.viewers) setText(element.querySelector('.badge'), words.dataset[channel.state]);
    if (!words.dataset.viewers) return;
    const viewers = element.querySelector('.viewers');
    setText(viewers, counted(words.dataset.viewers, channel.viewers));
    viewers.hidden = !isOn;
    const root = element.querySelector('.player');
    if (!root) return;
    const { antenaPlayer: player } = root;
    const wants = player?.wantsToPlay;
    if (changed && isOn && player?.state === 'off-air') player.retry();
    root.hidden = !isOn && !wants;
    element.querySelector('.off').hidden = !root.hidden;
    if (changed) showAddresses();
  };
  if (document.querySelector('[data-channel]')) {
    every(2000, async () => {
      const { items } = await get('/api/v1/channels');
      if (signal.aborted) return;
      for (const channel of items) {
        const element = document.querySelector(`[data-channel="${CSS.escape(channel.name)}"]`);
        if (element) updateChannel(element, channel);
      }
    });
  }

  // Titles being ingested: show progress, and a playable card once ready.
  const updateTitle = (card, title) => {
    card.dataset.state = title.state;
    const progress = card.querySelector('progress');
    if (progress && title.progress !== null) progress.value = title.progress;
    if (title.state === 'failed' || title.state === 'cancelled') {
      // The page has the reason in its language.
      fetchPage(location.href).then((page) => {
        const other = page.querySelector(`[data-title="${CSS.escape(title.id)}"]`);
        if (other) card.replaceWith(document.importNode(other, true));
      }).catch(() => card.classList.add('failed'));
    }
    if (title.state !== 'ready') return;
    if (progress) progress.remove();
    setText(card.querySelector('.sub'), '');
    const address = new URL(location.href);
    address.searchParams.set('title', title.id);
    card.href = address.pathname + address.search;
    if (title.poster) showImage(card.querySelector('.art'), title.poster);
  };
  const jobs = document.getElementById('jobs');
  const updateJob = (job) => {
    const list = jobs.querySelector('ul');
    let line = list.querySelector(`[data-job="${CSS.escape(job.id)}"]`);
    if (!jobs.dataset[job.state]) {
      if (line) line.remove();
    } else {
      if (!line && list.children.length < 20) {
        line = document.createElement('li');
        line.dataset.job = job.id;
        for (const [name, className] of [['span', 'name'], ['span', 'sub'], ['progress', '']]) {
          line.append(Object.assign(document.createElement(name), { className }));
        }
        list.append(line);
      }
      if (line) {
        setText(line.querySelector('.name'), job.file);
        setText(line.querySelector('.sub'), jobs.dataset[job.state]);
        const progress = line.querySelector('progress');
        progress.setAttribute('aria-label', job.file);
        if (job.progress === null) progress.removeAttribute('value'); else progress.value = job.progress;
      }
    }
    jobs.hidden = list.children.length === 0;
  };
  // New titles belong on the first page. Many may arrive at once, and what plays in the corner is not interrupted.
  let showing;
  const showNewTitles = () => {
    if (location.search) return;
    clearTimeout(showing);
    showing = setTimeout(() => showList().catch(() => {}), 1000);
  };
  const updateCard = async (job) => {
    const id = decodeURIComponent(job.resource.slice('/api/v1/titles/'.length));
    const card = document.querySelector(`[data-title="${CSS.escape(id)}"]`);
    if (!['ready', 'failed', 'cancelled'].includes(job.state)) {
      if (card && job.kind === 'title') updateTitle(card, { state: job.state, progress: job.progress });
    } else if (card) {
      updateTitle(card, await get(job.resource));
    } else if (job.kind === 'title') {
      showNewTitles();
    }
  };
  if (jobs) {
    // Data from this run of the server replaces data of the page and of earlier runs.
    let run;
    const clear = () => {
      jobs.querySelector('ul').replaceChildren();
      jobs.hidden = true;
    };
    const receive = (event) => {
      const job = JSON.parse(event.data);
      const [current] = event.lastEventId.split('-');
      if (run !== current) clear();
      run = current;
      if (['title', 'import', 'ladder'].includes(job.kind)) updateJob(job);
      if (job.resource && job.resource.startsWith('/api/v1/titles/')) updateCard(job).catch(() => {});
    };
    // Listeners are limited: a hidden page does not listen, and a refused one retries later.
    let events;
    const listen = () => {
      if (document.hidden || (events && events.readyState !== EventSource.CLOSED)) return;
      events = new EventSource('/api/v1/jobs/events');
      // The server sends all running jobs; after an automatic reconnect, only missed events.
      events.addEventListener('open', clear, { once: true });
      events.addEventListener('job', receive);
    };
    document.addEventListener('visibilitychange', () => {
      if (document.hidden && events) events.close();
      listen();
    }, { signal });
    signal.addEventListener('abort', () => events?.close(), { once: true });
    antena.every(20000, listen, signal);
    listen();
  }
});

// Passkeys: a form that the browser's authenticator answers. Without this script it stays hidden.
antena.page((signal) => {
  const forms = [...document.querySelectorAll('form[data-passkey]')];
  if (!window.isSecureContext || !window.PublicKeyCredential) return;
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const encoded = (buffer) => btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const known = (id) => ({ type: 'public-key', id: bytes(id) });
  const steps = {
    get: async (options) => {
      const key = await navigator.credentials.get({ publicKey: {
        challenge: bytes(options.challenge), rpId: options.relyingPartyID, userVerification: 'required',
      } });
      return {
        id: key.rawId, client: key.response.clientDataJSON, authenticator: key.response.authenticatorData,
        signature: key.response.signature,
      };
    },
    create: async (options) => {
      const key = await navigator.credentials.create({ publicKey: {
        challenge: bytes(options.challenge),
        rp: { id: options.relyingPartyID, name: options.relyingPartyName },
        user: { id: bytes(options.userID), name: options.username, displayName: options.username },
        pubKeyCredParams: options.algorithms.map((alg) => ({ type: 'public-key', alg })),
        excludeCredentials: options.excludedCredentials.map(known),
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
        attestation: 'none',
      } });
      return { client: key.response.clientDataJSON, attestation: key.response.attestationObject };
    },
  };
  const use = async (form) => {
    const answer = await fetch(form.dataset.challenge, { method: 'POST', body: new URLSearchParams(new FormData(form)) });
    const options = await answer.json();
    if (!answer.ok) throw new Error(options.problem);
    const fields = await steps[form.dataset.passkey](options).catch(() => { throw new Error(); });
    Object.entries(fields).forEach(([name, buffer]) => { form.elements[name].value = encoded(buffer); });
    form.submit();
  };
  forms.forEach((form) => {
    form.hidden = false;
    const button = form.querySelector('button');
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      button.disabled = true;
      const wrong = form.querySelector('.wrong[role=alert]');
      wrong.textContent = '';
      use(form).catch((error) => {
        wrong.textContent = error instanceof SyntaxError ? form.dataset.failure : error.message || form.dataset.failure;
        button.disabled = false;
      });
    });
  });
});

// The time that is left of a rental. Without this script the page says what was left when it was made.
antena.page((signal) => {
  const times = [...document.querySelectorAll('time[data-countdown]')];
  if (times.length === 0) return;
  const show = () => times.forEach((time) => {
    const left = Math.max(0, Math.floor((Date.parse(time.dateTime) - Date.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const shown = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
    if (time.textContent !== shown) time.textContent = shown;
  });
  antena.every(1000, show, signal);
  show();
});

// Points in time in the visitor's time zone; the server writes them in UTC.
antena.page((signal) => {
  const { lang } = document.documentElement;
  const locale = navigator.languages.find((name) => name.split('-')[0] === lang) || lang;
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const show = (root) => root.querySelectorAll('time[data-local]').forEach((time) => {
    const date = new Date(time.dateTime);
    if (!Number.isNaN(date.getTime())) {
      time.title = time.textContent;
      time.textContent = format.format(date);
      time.removeAttribute('data-local');
    }
  });
  show(document);
  // Parts of other pages that the script shows here.
  const watcher = new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
    if (node.nodeType === Node.ELEMENT_NODE) show(node);
  }))).observe(document.body, { childList: true, subtree: true });
});

// Sharing: by the browser's own dialog, otherwise through the clipboard, otherwise by the field with the address.
antena.page((signal) => {
  [...document.querySelectorAll('details[data-share]')].forEach((box) => {
    const field = box.querySelector('input');
    const open = () => { box.open = true; };
    box.addEventListener('toggle', () => { if (box.open) field.select(); });
    box.querySelector('summary').addEventListener('click', (event) => {
      if (box.open) return;
      if (navigator.share) {
        event.preventDefault();
        navigator.share({ title: box.dataset.name, url: field.value })
          .catch((error) => { if (error.name !== 'AbortError') open(); });
      } else if (navigator.clipboard) {
        event.preventDefault();
        navigator.clipboard.writeText(field.value)
          .then(() => { box.nextElementSibling.textContent = box.dataset.copied; }).catch(open);
      }
    });
  });
});

// A draft survives a reload. It is forgotten when the form was sent: then its page says so, and has no draft.
antena.page((signal) => {
  const key = (form) => `draft:${form.dataset.draft}`;
  const forms = [...document.querySelectorAll('form[data-draft]')];
  try {
    if (forms.length === 0 && location.search === '?hecho=1') localStorage.removeItem(`draft:${location.pathname.slice(1)}`);
    forms.forEach((form) => {
      const fields = [...form.querySelectorAll('input:not([type=hidden]), textarea')];
      const kept = JSON.parse(localStorage.getItem(key(form)) || '{}');
      fields.forEach((field) => { if (!field.value && kept[field.name]) field.value = kept[field.name]; });
      form.addEventListener('input', () => {
        const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
        localStorage.setItem(key(form), JSON.stringify(values));
      });
    });
  } catch { /* A browser that keeps nothing loses the draft. */ }
});

// A page about something that the server is still doing: it shows how far that is, and is loaded again, with what was
// typed, when it is done.
antena.page((signal) => {
  const place = `typed:${location.pathname}`;
  const fields = () => [...document.querySelectorAll('main form')].flatMap((form) =>
    [...form.querySelectorAll('input:not([type=hidden]):not([type=file]), textarea, select')]
      .map((field) => [`${form.getAttribute('action')} ${field.name}`, field]));
  const isChoice = (field) => ['checkbox', 'radio'].includes(field.type);
  try {
    const typed = JSON.parse(sessionStorage.getItem(place) || '{}');
    sessionStorage.removeItem(place);
    fields().filter(([name]) => name in typed).forEach(([name, field]) => {
      if (isChoice(field)) field.checked = typed[name]; else field.value = typed[name];
    });
  } catch { /* A browser that keeps nothing loses what was typed. */ }
  const line = document.querySelector('[data-follow]');
  if (!line) return;
  const { follow, state } = line.dataset;
  const [shortest, longest] = [2000, 15000];
  let pause = shortest;
  const reload = () => {
    try {
      const typed = fields().map(([name, field]) => [name, isChoice(field) ? field.checked : field.value]);
      sessionStorage.setItem(place, JSON.stringify(Object.fromEntries(typed)));
    } catch { /* As above. */ }
    location.reload();
  };
  const look = async () => {
    if (signal.aborted) return;
    try {
      const answer = await fetch(follow, { headers: { Accept: 'application/json' } });
      if (answer.status === 404) { reload(); return; }
      if (answer.ok) {
        const found = await answer.json();
        if (found.state !== state) { reload(); return; }
        if (typeof found.progress === 'number') line.querySelector('span').textContent = `${Math.floor(found.progress * 100)} %`;
        pause = shortest;
      } else pause = Math.min(longest, pause * 2);
    } catch { pause = Math.min(longest, pause * 2); }
    setTimeout(look, pause);
  };
  setTimeout(look, pause);
});

// Sending a video in pieces (tus 1.0): it goes on when the network is back, and after a reload with the same file.
antena.page((signal) => {
  const sender = document.querySelector('[data-send]');
  if (!sender) return;
  const [input, button, camera, bar, state, link] = ['input', 'button', 'video', 'progress', '[role=status]', 'a']
    .map((selector) => sender.querySelector(selector));
  const { send, page, csrf, waiting, wrong, record, stop, notVideo, noRoom, refused, noCamera } = sender.dataset;
  const pieceSize = 8 * 1024 * 1024;
  const longestWait = 30000;
  const fields = (more) => ({ 'Tus-Resumable': '1.0.0', 'X-CSRF-Token': csrf, ...more });
  const encoded = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const key = (file) => `upload:${file.name}:${file.size}:${file.lastModified}`;
  const remember = (file, address) => {
    try {
      if (address) localStorage.setItem(key(file), address); else localStorage.removeItem(key(file));
    } catch { /* A browser that keeps nothing begins again after a reload. */ }
  };
  const remembered = (file) => { try { return localStorage.getItem(key(file)); } catch { return null; } };
  // What the server refuses once it refuses again; everything else is worth another try.
  const refusal = (status, text) => {
    let detail = '';
    try { detail = JSON.parse(text).detail || ''; } catch { /* Not from Antena. */ }
    const own = { 409: noRoom, 413: noRoom, 415: notVideo, 422: notVideo }[status] || refused;
    return Object.assign(new Error(own || detail), { isFinal: status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status) });
  };
  const begin = async (file) => {
    const type = file.type ? `,filetype ${encoded(file.type.split(';')[0])}` : '';
    const answer = await fetch(send, { method: 'POST', headers: fields({
      'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${encoded(file.name)}${type}`,
    }) });
    if (!answer.ok) throw refusal(answer.status, await answer.text());
    return new URL(answer.headers.get('Location'), location).pathname;
  };
  const position = async (address) => {
    const answer = await fetch(address, { method: 'HEAD', headers: fields({}) });
    if (!answer.ok) throw refusal(answer.status, '');
    return Number(answer.headers.get('Upload-Offset'));
  };
  const sendPiece = (address, file, start) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PATCH', address);
    Object.entries(fields({ 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) }))
      .forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', (event) => { bar.value = (start + event.loaded) / file.size; });
    request.addEventListener('load', () => {
      if (request.status === 204) resolve(Number(request.getResponseHeader('Upload-Offset')));
      else reject(refusal(request.status, request.responseText));
    });
    request.addEventListener('error', () => reject(new Error()));
    request.send(file.slice(start, start + pieceSize));
  });
  const sendFile = async (file) => {
    let address = remembered(file);
    let sent = address ? await position(address).catch(() => null) : null;
    if (sent === null) {
      address = await begin(file);
      remember(file, address);
      sent = 0;
    }
    const description = page + address.split('/').pop();
    link.href = description;
    link.hidden = false;
    let failures = 0;
    while (sent < file.size) {
      try {
        sent = await sendPiece(address, file, sent);
        failures = 0;
        state.textContent = '';
      } catch (error) {
        if (error.isFinal) throw error;
        state.textContent = waiting;
        const pause = Math.min(longestWait, 1000 * 2 ** failures);
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, pause));
        const at = sent;
        sent = await position(address).catch((later) => { if (later.isFinal) throw later; return at; });
      }
    }
    remember(file, null);
    removeEventListener('beforeunload', warn);
    delete document.documentElement.dataset.busy;
    location.href = description;
  };
  const warn = (event) => event.preventDefault();
  const start = (file) => {
    [input.disabled, button.disabled, bar.hidden, state.textContent] = [true, true, false, ''];
    addEventListener('beforeunload', warn);
    // Leaving the page would end it, so that links ask as well.
    document.documentElement.dataset.busy = 'yes';
    sendFile(file).catch((error) => {
      removeEventListener('beforeunload', warn);
    delete document.documentElement.dataset.busy;
      remember(file, null);
      state.textContent = `${wrong} ${error.message}`;
      [input.disabled, button.disabled, bar.hidden] = [false, false, true];
    });
  };
  input.addEventListener('change', () => { if (input.files.length > 0) start(input.files[0]); });

  if (!window.MediaRecorder || !navigator.mediaDevices) return;
  button.hidden = false;
  let recorder;
  const capture = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
    const type = ['video/mp4', 'video/webm'].find((name) => MediaRecorder.isTypeSupported(name));
    const pieces = [];
    recorder = new MediaRecorder(stream, type ? { mimeType: type } : {});
    recorder.addEventListener('dataavailable', (event) => pieces.push(event.data));
    recorder.addEventListener('stop', () => {
      stream.getTracks().forEach((track) => track.stop());
      [camera.srcObject, camera.hidden, button.textContent, recorder] = [null, true, record, undefined];
      const ending = type === 'video/mp4' ? 'mp4' : 'webm';
      const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
      start(new File(pieces, `${time}.${ending}`, { type: type || 'video/webm' }));
    });
    [camera.srcObject, camera.hidden, button.textContent] = [stream, false, stop];
    recorder.start(1000);
    await camera.play();
  };
  button.addEventListener('click', () => {
    if (recorder) { recorder.stop(); return; }
    capture().catch(() => { state.textContent = noCamera; });
  });
});

// The picture of a video: the time at which its preview stands.
antena.page((signal) => {
  const preview = document.querySelector('video[data-picture]');
  const time = document.querySelector('input[name=at]');
  if (!preview || !time) return;
  const note = () => { time.value = preview.currentTime.toFixed(2); };
  ['pause', 'seeked'].forEach((name) => preview.addEventListener(name, note));
});

// The place of a video is where the browser is, if somebody wants that.
antena.page((signal) => {
  if (!navigator.geolocation || !window.isSecureContext) return;
  [...document.querySelectorAll('[data-place]')].forEach((place) => {
    const [button, state] = ['button', '[role=status]'].map((selector) => place.querySelector(selector));
    const field = (name) => place.closest('form').elements[name];
    place.hidden = false;
    button.addEventListener('click', () => {
      state.textContent = '';
      button.disabled = true;
      navigator.geolocation.getCurrentPosition(({ coords }) => {
        button.disabled = false;
        // Five decimals are a metre.
        field('latitude').value = coords.latitude.toFixed(5);
        field('longitude').value = coords.longitude.toFixed(5);
      }, () => {
        button.disabled = false;
        state.textContent = place.dataset.failure;
      }, { enableHighAccuracy: true, timeout: 20000 });
    });
  });
});

// The badge of the bell follows what happens, and what is read on other devices.
antena.page((signal) => {
  const bell = document.querySelector('.bell');
  if (!bell) return;
  const count = bell.querySelector('.count');
  const show = (unread) => {
    count.textContent = unread > 99 ? '99+' : String(unread);
    count.hidden = unread === 0;
    bell.setAttribute('aria-label', unread > 0 ? `${bell.dataset.label}: ${count.textContent}` : bell.dataset.label);
  };
  // The streams of a member are limited: a hidden page does not listen, and a refused one retries later.
  let events;
  const listen = () => {
    if (document.hidden || (events && events.readyState !== EventSource.CLOSED)) return;
    events = new EventSource('/api/v1/me/notifications/events');
    events.addEventListener('notifications', (event) => show(JSON.parse(event.data).unread));
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden && events) events.close();
    listen();
  }, { signal });
  signal.addEventListener('abort', () => events?.close(), { once: true });
  antena.every(20000, listen, signal);
  listen();
});

// Push messages: the browser asks its push service for an address, which the form sends.
antena.page((signal) => {
  const form = document.querySelector('form[data-push]');
  if (!form || !window.isSecureContext || !navigator.serviceWorker || !window.PushManager) return;
  const wrong = form.querySelector('.wrong');
  const bytes = (text) => Uint8Array.from(
    atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0));
  const activated = (registration) => new Promise((resolve) => {
    if (registration.active) { resolve(); return; }
    const worker = registration.installing || registration.waiting;
    worker.addEventListener('statechange', () => { if (worker.state === 'activated') resolve(); });
  });
  form.hidden = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    wrong.textContent = '';
    try {
      const registration = await navigator.serviceWorker.register('/service-worker.js');
      await activated(registration);
      const subscription = await registration.pushManager.subscribe({
        userVisibleOnly: true, applicationServerKey: bytes(form.dataset.push),
      });
      const { endpoint, keys } = subscription.toJSON();
      form.elements.endpoint.value = endpoint;
      form.elements.p256dh.value = keys.p256dh;
      form.elements.auth.value = keys.auth;
      form.submit();
    } catch {
      wrong.textContent = form.dataset.failure;
    }
  });
});

// Light or dark: the choice is a cookie, so that the server's pages have it from their first byte on.
antena.page((signal) => {
  const button = document.querySelector('[data-theme-switch]');
  if (!button) return;
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches);
  const show = () => { button.textContent = isDark() ? button.dataset.light : button.dataset.dark; };
  button.addEventListener('click', () => {
    root.dataset.theme = isDark() ? 'light' : 'dark';
    document.cookie = `antena_theme=${root.dataset.theme}; Path=/; Max-Age=31536000; SameSite=Lax`;
    show();
  }, { signal });
  button.hidden = false;
  show();
});

// The search of the header shows the first hits while somebody types; Enter leads to the page of all. "/" goes to it.
antena.page((signal) => {
  const form = document.querySelector('form.find');
  if (!form) return;
  const field = form.querySelector('input');
  let box;
  let turn = 0;
  let timer;
  const close = () => { box?.remove(); box = undefined; turn += 1; };
  const look = async () => {
    const own = ++turn;
    const words = field.value.trim();
    if (words.length < 2) { close(); return; }
    try {
      const answer = await fetch(`/buscar?q=${encodeURIComponent(words)}`, { headers: { Accept: 'text/html' } });
      if (!answer.ok) return;
      const found = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('#found');
      if (own !== turn || !found || document.activeElement !== field) return;
      if (!box) {
        box = document.createElement('div');
        box.className = 'found';
        form.append(box);
      }
      box.replaceChildren(...found.childNodes);
    } catch { /* Enter still leads to the page. */ }
  };
  field.addEventListener('input', () => { clearTimeout(timer); timer = setTimeout(look, 150); }, { signal });
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') { close(); field.focus(); return; }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const links = [...(box?.querySelectorAll('a') || [])];
    if (!step || links.length === 0) return;
    event.preventDefault();
    const next = links.indexOf(document.activeElement) + step;
    (links[next] || (next < 0 ? field : links[0])).focus();
  }, { signal });
  form.addEventListener('focusout', (event) => { if (!form.contains(event.relatedTarget)) setTimeout(close, 150); }, { signal });
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.('input, textarea, select')) return;
    event.preventDefault();
    field.focus();
  }, { signal });
});

// The operator's dashboard: the server sends the part that changes. A hidden page does not listen.
antena.page((signal) => {
  const board = document.getElementById('dashboard');
  if (!board) return;
  let events;
  const listen = () => {
    events?.close();
    events = undefined;
    if (document.hidden || signal.aborted) return;
    events = new EventSource(board.dataset.events);
    events.addEventListener('state', ({ data }) => {
      const page = new DOMParser().parseFromString(data, 'text/html');
      board.replaceChildren(...[...page.body.childNodes].map((node) => document.importNode(node, true)));
    });
  };
  document.addEventListener('visibilitychange', listen, { signal });
  signal.addEventListener('abort', () => events?.close(), { once: true });
  listen();
});
