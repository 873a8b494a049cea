// Titles that are being prepared, and the jobs that prepare them: progress, and a card to play once it is ready.
import { fetchPage, get, setText } from './dom.js';
import { listen } from './page.js';

export const begin = (signal) => {
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
    listen('/api/v1/jobs/events', (events) => {
      // The server sends all running jobs; after an automatic reconnect, only missed events.
      events.addEventListener('open', clear, { once: true });
      events.addEventListener('job', receive);
    }, signal);
  }
};
