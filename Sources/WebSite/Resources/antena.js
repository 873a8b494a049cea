'use strict';
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const player = document.getElementById('player');
  const playsHLS = document.createElement('video').canPlayType('application/vnd.apple.mpegurl') !== '';

  // Browsers without native HLS: show the URL for VLC; a track plays from its file.
  const showAddresses = () => all('.vlc').forEach((line) => {
    const channel = line.closest('[data-channel]');
    line.hidden = playsHLS || (channel !== null && channel.dataset.state === 'idle');
  });
  showAddresses();
  const source = (playlist, file) => (playsHLS || !file ? playlist : file);
  if (player && player.dataset.file) {
    const current = all('.tracks a[href]').find((link) => link.dataset.playlist === player.getAttribute('src'));
    if (current) current.classList.add('playing');
    player.dataset.playlist = player.getAttribute('src');
    player.src = source(player.getAttribute('src'), player.dataset.file);
    player.addEventListener('error', () => {
      const file = player.dataset.file;
      if (file && !player.src.endsWith(file)) { player.src = file; player.play().catch(() => {}); }
    });
  }

  // Why a title does not play, such as on as many devices as its rental allows, is on its page.
  if (player && player.tagName === 'VIDEO') {
    player.addEventListener('error', () => {
      fetchPage(address).then((page) => replace('club', page)).catch(() => {});
    });
  }

  // The page adds subtitles itself if the browser does not take them from the playlist.
  const setSubtitles = (tracks) => {
    all('track', player).forEach((track) => track.remove());
    player.append(...tracks.map((track) => document.importNode(track)));
  };
  if (player && player.textTracks) {
    player.textTracks.addEventListener('addtrack', (event) => {
      const own = all('track', player);
      if (own.length > 0 && !own.some((track) => track.track === event.track)) setSubtitles([]);
    });
  }
  const fetchPage = async (address) => {
    const answer = await fetch(address, { headers: { Accept: 'text/html' } });
    return new DOMParser().parseFromString(await answer.text(), 'text/html');
  };

  // Shows a part of another page instead of the one here.
  const replace = (id, page) => {
    const [other, shown] = [page.getElementById(id), document.getElementById(id)];
    if (other && shown) shown.replaceWith(document.importNode(other, true));
  };

  // Play in the page instead of following the link.
  let address = location.pathname + location.search;
  const setAddress = (url, isStep) => {
    history[isStep ? 'pushState' : 'replaceState'](null, '', url);
    address = location.pathname + location.search;
  };
  const start = (link, playlist, file, isStep) => {
    document.getElementById('playing').textContent = link.dataset.name;
    player.src = source(playlist, file);
    player.dataset.playlist = playlist;
    player.play().catch(() => {});
    setAddress(link.href, isStep);
    all('.notice').forEach((notice) => notice.remove());
    player.scrollIntoView({ block: 'center' });
    if (player.tagName !== 'VIDEO') {
      fetchPage(link.href).then((page) => {
        if (player.dataset.playlist === playlist) replace('deck-links', page);
      }).catch(() => {});
      return;
    }
    // Subtitles and chapters of the title are on its own page.
    setSubtitles([]);
    const leftOut = document.getElementById('left-out');
    leftOut.hidden = true;
    fetchPage(link.href).then((page) => {
      if (player.dataset.playlist !== playlist) return;
      setSubtitles(all('#player track', page));
      for (const id of ['left-out', 'club', 'series']) replace(id, page);
    }).catch(() => {});
  };
  const showImage = (element, address) => {
    const image = document.createElement('img');
    image.src = address;
    image.alt = '';
    element.replaceChildren(...(address ? [image] : []));
  };

  // A separate bar shows thumbnails for seeking, because nothing can be drawn over the browser's controls.
  const scrub = document.getElementById('scrub');
  let board = [];
  const showBoard = async (address) => {
    board = [];
    scrub.hidden = true;
    if (!address) return;
    const answer = await fetch(address);
    if (!answer.ok) return;
    const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    const cue = /([\d:.]+) --> ([\d:.]+)\n(\S+)#xywh=(\d+),(\d+),(\d+),(\d+)/g;
    const sheets = new Map();
    board = [...(await answer.text()).matchAll(cue)].map(([, start, end, name, ...place]) => {
      if (!sheets.has(name)) {
        sheets.set(name, Object.assign(new Image(), { src: new URL(name, new URL(address, location)) }));
      }
      return { start: seconds(start), end: seconds(end), sheet: sheets.get(name), place: place.map(Number) };
    });
    scrub.hidden = board.length === 0;
  };
  if (scrub && player) {
    const timeAt = (event) => {
      const box = scrub.getBoundingClientRect();
      const share = Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
      return share * board[board.length - 1].end;
    };
    scrub.addEventListener('pointermove', (event) => {
      const time = timeAt(event);
      const { sheet, place: [x, y, width, height] } = board.find((tile) => time < tile.end) || board[0];
      const canvas = scrub.querySelector('canvas');
      const box = scrub.getBoundingClientRect();
      Object.assign(canvas, { width, height });
      canvas.style.left = Math.min(box.width - width, Math.max(0, event.clientX - box.left - width / 2)) + 'px';
      if (sheet.complete) canvas.getContext('2d').drawImage(sheet, x, y, width, height, 0, 0, width, height);
    });
    scrub.addEventListener('click', (event) => { player.currentTime = timeAt(event); });
    showBoard(scrub.dataset.board).catch(() => {});
  }

  // Chapters, which browsers do not show themselves.
  const chapters = document.getElementById('chapters');
  const clock = (seconds) => {
    const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, Math.floor(seconds) % 60];
    const shown = parts[0] > 0 ? parts : parts.slice(1);
    return shown.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
  };
  const showChapters = async (playlist) => {
    chapters.replaceChildren();
    chapters.hidden = true;
    const answer = await fetch(new URL('chapters.json', new URL(playlist, location)));
    // The user may have chosen another title meanwhile.
    if (!answer.ok || player.getAttribute('src') !== playlist) return;
    for (const chapter of await answer.json()) {
      const start = chapter['start-time'];
      const time = Object.assign(document.createElement('span'), { className: 'time', textContent: clock(start) });
      const button = Object.assign(document.createElement('button'), { type: 'button' });
      button.append(time, chapter.titles?.[0]?.title || '');
      button.addEventListener('click', () => { player.currentTime = start; player.play().catch(() => {}); });
      const item = document.createElement('li');
      item.append(button);
      chapters.append(item);
    }
    chapters.hidden = chapters.children.length === 0;
  };
  if (chapters && player) showChapters(player.getAttribute('src')).catch(() => {});
  document.addEventListener('click', (event) => {
    if (!player || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target.closest('a[href][data-title], a[href][data-track]');
    // A title that has to be rented has a page of its own.
    if (!link || 'rent' in link.dataset) return;
    event.preventDefault();
    if (link.dataset.title) {
      const image = link.querySelector('img');
      player.poster = image ? image.src : '';
      if (scrub) showBoard(link.dataset.board).catch(() => {});
      const address = document.getElementById('address');
      address.textContent = address.dataset.origin + link.dataset.playlist;
    } else {
      player.dataset.file = link.dataset.file;
      showImage(document.getElementById('deck-cover'), link.dataset.cover);
      document.getElementById('deck-sub').textContent = link.dataset.artist;
      all('.tracks .playing').forEach((other) => other.classList.remove('playing'));
      link.classList.add('playing');
    }
    // The next track starts automatically and adds no history entry.
    start(link, link.dataset.playlist, link.dataset.file, event.isTrusted);
    if (chapters) showChapters(link.dataset.playlist).catch(() => {});
  });

  // Searching and paging do not interrupt playback.
  const results = document.getElementById('results');
  let wantedList = 0;
  const showList = async (url, keepsInput) => {
    const turn = ++wantedList;
    const page = await fetchPage(url);
    if (turn !== wantedList) return false;
    const found = page.getElementById('results');
    if (!found) throw new Error('no list');
    results.replaceChildren(...[...found.childNodes].map((node) => document.importNode(node, true)));
    const input = document.getElementById('q');
    const searched = page.getElementById('q');
    if (input && searched && !keepsInput) input.value = searched.getAttribute('value');
    const genres = document.querySelector('form.search select');
    const chosen = page.querySelector('form.search select');
    if (genres && chosen) genres.value = chosen.value;
    all('.tracks a[href]', results).forEach((link) => {
      link.classList.toggle('playing', Boolean(player) && link.dataset.playlist === player.dataset.playlist);
    });
    return true;
  };
  const goTo = (target, keepsInput) => {
    const url = new URL(target, location.href);
    const item = results.dataset.item;
    const current = new URLSearchParams(location.search).get(item);
    if (current && !url.searchParams.has(item)) url.searchParams.set(item, current);
    showList(url, keepsInput).then((isShown) => { if (isShown) setAddress(url, true); })
      .catch(() => { location.href = url; });
  };
  if (results) {
    const form = document.querySelector('form.search');
    form.addEventListener('submit', (event) => {
      if (!player) return;
      event.preventDefault();
      const words = form.elements.q.value.trim();
      const query = new URLSearchParams(words ? { q: words } : {});
      const shown = new URLSearchParams(location.search);
      const genre = form.elements.genre ? form.elements.genre.value : '';
      for (const name of ['section', 'kind']) if (shown.get(name)) query.set(name, shown.get(name));
      if (genre) query.set('genre', genre);
      // A search is sorted by how well titles fit, unless the visitor has chosen another order for one.
      const order = shown.get('sort');
      if (order && (shown.has('q') || !words)) query.set('sort', order);
      goTo(location.pathname + (query.size ? '?' + query : ''), true);
    });
    results.addEventListener('click', (event) => {
      if (!player || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
      const link = event.target.closest('.pager a[href], .sort a[href], .empty a[href]');
      if (!link) return;
      event.preventDefault();
      goTo(link.getAttribute('href').startsWith('?') ? location.pathname + link.getAttribute('href') : link.href);
      document.querySelector('form.search').scrollIntoView();
    });
    window.addEventListener('popstate', () => {
      // A link within the page adds a history entry, too.
      if (address === location.pathname + location.search) return;
      address = location.pathname + location.search;
      // A playing title continues; otherwise the title in the URL replaces it.
      if (!player || player.paused) location.reload();
      else showList(location.href).catch(() => location.reload());
    });
  }

  // The radio continues with the next track.
  if (player && player.tagName === 'AUDIO') {
    player.addEventListener('ended', () => {
      const links = all('.tracks a[href]');
      const index = links.findIndex((link) => link.classList.contains('playing'));
      if (index >= 0 && links[index + 1]) links[index + 1].click();
    });
  }

  const every = (milliseconds, work) => {
    const turn = async () => {
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

  // Chromium 156 gives up and pauses if a channel's playlist lists only one segment yet. Playback resumes if
  // the user pressed play, but not if the user pressed pause.
  const wanted = new WeakSet();
  all('[data-channel] video').forEach((video) => {
    video.addEventListener('play', () => wanted.add(video));
    // A channel's playlist ends when its publisher returns with another codec; another playlist replaces it
    // then.
    const isStopped = () => video.error || video.ended || video.readyState <= 1;
    video.addEventListener('pause', () => { if (!isStopped()) wanted.delete(video); });
  });

  // Channels: update only what has changed, so that a running player is not interrupted.
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
    const video = element.querySelector('video');
    const hasSource = video.hasAttribute('src');
    if (isOn && (!hasSource || video.error || video.ended)) {
      video.src = channel.playlist;
      if (wanted.has(video)) video.play().catch(() => {});
    }
    if (!isOn && hasSource) { video.removeAttribute('src'); video.load(); }
    video.hidden = !isOn;
    element.querySelector('.off').hidden = isOn;
    if (changed) showAddresses();
  };
  if (document.querySelector('[data-channel]')) {
    every(2000, async () => {
      const { items } = await get('/api/v1/channels');
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
    // The page of an empty library does not have a player yet.
    if (!player) location.reload();
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
  // New titles belong on the first page. Many may arrive at once, and a playing title is not interrupted.
  let reload;
  const showNewTitles = () => {
    if (location.search) return;
    clearTimeout(reload);
    reload = setTimeout(() => {
      if (player && results) showList(location.href, true).catch(() => {}); else location.reload();
    }, 1000);
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
    });
    setInterval(listen, 20000);
    listen();
  }
})();

// Passkeys: a form that the browser's authenticator answers. Without this script it stays hidden.
(() => {
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
})();

// The time that is left of a rental. Without this script the page says what was left when it was made.
(() => {
  const times = [...document.querySelectorAll('time[data-countdown]')];
  if (times.length === 0) return;
  const show = () => times.forEach((time) => {
    const left = Math.max(0, Math.floor((Date.parse(time.dateTime) - Date.now()) / 1000));
    const [hours, minutes, seconds] = [Math.floor(left / 3600), Math.floor(left / 60) % 60, left % 60];
    const shown = hours > 0 ? `${hours} h ${minutes} min` : minutes > 0 ? `${minutes} min ${seconds} s` : `${seconds} s`;
    if (time.textContent !== shown) time.textContent = shown;
  });
  setInterval(show, 1000);
  show();
})();

// Points in time in the visitor's time zone; the server writes them in UTC.
(() => {
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
  new MutationObserver((changes) => changes.forEach((change) => change.addedNodes.forEach((node) => {
    if (node.nodeType === Node.ELEMENT_NODE) show(node);
  }))).observe(document.body, { childList: true, subtree: true });
})();

// Sharing: by the browser's own dialog, otherwise through the clipboard, otherwise by the field with the address.
(() => {
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
})();

// A draft survives a reload. It is forgotten when the form was sent: then its page says so, and has no draft.
(() => {
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
})();

// A page about something that the server is still doing: it shows how far that is, and is loaded again, with what was
// typed, when it is done.
(() => {
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
})();

// Sending a video in pieces (tus 1.0): it goes on when the network is back, and after a reload with the same file.
(() => {
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
    location.href = description;
  };
  const warn = (event) => event.preventDefault();
  const start = (file) => {
    [input.disabled, button.disabled, bar.hidden, state.textContent] = [true, true, false, ''];
    addEventListener('beforeunload', warn);
    sendFile(file).catch((error) => {
      removeEventListener('beforeunload', warn);
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
})();

// The picture of a video: the time at which its preview stands.
(() => {
  const preview = document.querySelector('video[data-picture]');
  const time = document.querySelector('input[name=at]');
  if (!preview || !time) return;
  const note = () => { time.value = preview.currentTime.toFixed(2); };
  ['pause', 'seeked'].forEach((name) => preview.addEventListener(name, note));
})();

// The place of a video is where the browser is, if somebody wants that.
(() => {
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
})();

// The badge of the bell follows what happens, and what is read on other devices.
(() => {
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
  });
  setInterval(listen, 20000);
  listen();
})();

// Push messages: the browser asks its push service for an address, which the form sends.
(() => {
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
      const registration = await navigator.serviceWorker.register('/site/push.js');
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
})();
