// New topics and comments appear by themselves, and long comments are sent although a form has a limit.
import { fetchPage } from './dom.js';
import { listen } from './page.js';

/** The longest text that a form takes, in characters: each may need nine in a form. */
const longest = 7000;

/** Puts what is new in a list of comments at its end; a page that is full points at the next one. */
const addComments = async (list, signal) => {
  const address = new URL(location.href);
  address.searchParams.delete('citar');
  address.hash = '';
  const found = await fetchPage(address.href);
  if (signal.aborted) return;
  const known = new Map([...list.children].map((item) => [item.dataset.place, item]));
  found.querySelectorAll(`[data-comments="${list.dataset.comments}"] > li`).forEach((item) => {
    const fresh = document.importNode(item, true);
    const old = known.get(item.dataset.place);
    if (!old) {
      fresh.classList.add('fresh');
      list.append(fresh);
    } else if (!old.contains(document.activeElement) && !old.querySelector('details[open]')
      && old.querySelector('.markup')?.innerHTML !== fresh.querySelector('.markup')?.innerHTML) {
      old.replaceWith(fresh);
    }
  });
  const isFull = !found.querySelector('[data-comments][data-live]');
  const notice = document.querySelector('[data-new]');
  if (notice && isFull && list.hasAttribute('data-live')) {
    notice.querySelector('a').href = found.querySelector('[data-new] a').href;
    notice.hidden = false;
  }
};

const addTopics = async (list, signal) => {
  const found = await fetchPage(location.href);
  if (signal.aborted || list.contains(document.activeElement)) return;
  const fresh = found.querySelector('[data-topics]');
  if (fresh) list.replaceChildren(...[...fresh.children].map((item) => document.importNode(item, true)));
};

/** Calls something a moment after the last of several events. */
const later = (work, signal) => {
  let timer;
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true });
  return () => {
    clearTimeout(timer);
    timer = setTimeout(() => work().catch(() => {}), 300);
  };
};

/** Sends a long comment as JSON, and goes where the form would. */
const sendLong = (form, topic, signal) => form.addEventListener('submit', async (event) => {
  const text = form.elements.text.value;
  if (text.length <= longest) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const answer = await fetch(`/api/v1/topics/${topic}/comments`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': document.body.dataset.csrf },
    body: JSON.stringify({
      text, notifies: form.elements.notifies?.checked ?? true, acceptsRules: form.elements.accepts?.checked ?? false,
    }),
  });
  if (signal.aborted) return;
  const result = await answer.json();
  if (answer.ok) location.href = result.page;
  else form.querySelector('textarea').setCustomValidity(result.detail ?? '');
  if (!answer.ok) form.reportValidity();
}, { signal, capture: true });

export const begin = (signal) => {
  const comments = document.querySelector('[data-comments]');
  if (comments) {
    const topic = comments.dataset.comments;
    const add = later(() => addComments(comments, signal), signal);
    listen(`/api/v1/events?types=topic.commented,topic.changed&resource=topic/${topic}`, (events) => {
      ['topic.commented', 'topic.changed', 'missed'].forEach((type) => events.addEventListener(type, add));
    }, signal);
    const form = document.querySelector('#write form');
    if (form) {
      sendLong(form, topic, signal);
      form.elements.text.addEventListener('input', () => form.elements.text.setCustomValidity(''), { signal });
    }
  }
  const topics = document.querySelector('[data-topics][data-live]');
  if (topics) {
    const add = later(() => addTopics(topics, signal), signal);
    listen('/api/v1/events?types=topic', (events) => {
      ['topic.begun', 'topic.commented', 'topic.changed', 'missed'].forEach((type) => events.addEventListener(type, add));
    }, signal);
  }
};
