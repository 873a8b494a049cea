// A conversation. What somebody writes waits in this browser until the server has it, and is sent again with the same ID
// until then; what others write is announced by events, and read after the last change that this page knows.
import { get, setText } from './dom.js';
import { newID } from './keptmatch.js';
import { every, listen } from './page.js';
import { emojiMenu } from './emoji.js';

const retryTime = 4000;
const nearEnd = 80;
const kindsOfEvents = ['created', 'added', 'removed', 'left', 'renamed'];

const element = (name, text, members = {}) => Object.assign(document.createElement(name), { textContent: text }, members);
const fill = (text, values) => Object.entries(values).reduce((all, [name, value]) => all.replaceAll(`{${name}}`, value), text);

/** Messages that the server has not confirmed, kept across reloads and lost connections. */
class Unsent {
  #key;
  constructor(key) { this.#key = key; }
  all() { try { return JSON.parse(localStorage.getItem(this.#key)) || []; } catch { return []; } }
  #set(list) { try { localStorage.setItem(this.#key, JSON.stringify(list)); } catch { /* they stay in the page */ } }
  add(message) { this.#set([...this.all(), message]); }
  remove(id) { this.#set(this.all().filter((message) => message.id !== id)); }
}

class Talk {
  #isReading = false;
  #isSending = false;
  #isAskedAgain = false;

  constructor(root, signal) {
    Object.assign(this, { root, signal, words: JSON.parse(root.dataset.words), own: root.dataset.own });
    this.address = `/api/v1/me/conversations/${root.dataset.talk}`;
    this.change = Number(root.dataset.change);
    this.list = root.querySelector('.talk-messages');
    this.form = root.querySelector('.talk-form');
    this.state = root.querySelector('.talk-state');
    this.template = root.querySelector('template');
    this.unsent = new Unsent(`antena-unsent:${this.own}:${root.dataset.talk}`);
    this.older = root.dataset.older;
  }

  begin() {
    this.list.scrollTop = this.list.scrollHeight;
    this.unsent.all().forEach((message) => this.#showWaiting(message));
    if (this.form) this.#beginForm();
    this.#beginOlder();
    listen('/api/v1/me/conversations/events', (events) => {
      events.addEventListener('conversations', () => { this.read(); this.send(); });
    }, this.signal);
    window.addEventListener('online', () => { this.read(); this.send(); }, { signal: this.signal });
    window.addEventListener('offline', () => setText(this.state, this.words.offline), { signal: this.signal });
    document.addEventListener('visibilitychange', () => { if (!document.hidden) this.read(); }, { signal: this.signal });
    every(retryTime, () => { if (this.unsent.all().length > 0) this.send(); }, this.signal);
    this.send();
  }

  // Writing

  #beginForm() {
    const text = this.form.elements.text;
    const grow = () => { text.style.height = 'auto'; text.style.height = `${Math.min(text.scrollHeight + 2, innerHeight / 3)}px`; };
    text.addEventListener('input', grow, { signal: this.signal });
    text.addEventListener('keydown', (event) => {
      // On a phone the key makes a new line.
      if (event.key !== 'Enter' || event.shiftKey || event.isComposing || !matchMedia('(pointer: fine)').matches) return;
      event.preventDefault();
      this.form.requestSubmit();
    }, { signal: this.signal });
    this.form.addEventListener('submit', (event) => {
      event.preventDefault();
      event.stopImmediatePropagation();
      const written = text.value.trim();
      if (!written) return;
      const message = { id: newID(), text: written };
      this.unsent.add(message);
      this.#showWaiting(message);
      text.value = '';
      grow();
      text.focus();
      this.send();
    }, { signal: this.signal, capture: true });
    const menu = this.form.querySelector('.talk-emoji');
    emojiMenu(menu, this.words.emojiGroups, (emoji) => {
      text.setRangeText(emoji, text.selectionStart, text.selectionEnd, 'end');
      text.focus();
      grow();
    }, this.signal);
  }

  #showWaiting(message) {
    if (this.list.querySelector(`[data-id="${CSS.escape(message.id)}"]`)) return;
    const item = element('li', '', { className: 'own waiting' });
    item.dataset.id = message.id;
    item.append(element('p', message.text, { className: 'talk-text' }), element('span', this.words.waits, { className: 'talk-facts' }));
    this.list.append(item);
    this.list.scrollTop = this.list.scrollHeight;
  }

  #showRefused(message, reason) {
    const item = this.list.querySelector(`[data-id="${CSS.escape(message.id)}"]`);
    if (!item) return;
    setText(item.querySelector('.talk-facts'), `${this.words.notSent} ${reason}`);
    item.querySelectorAll('button').forEach((button) => button.remove());
    const again = element('button', this.words.again, { type: 'button', className: 'second' });
    const discard = element('button', this.words.discard, { type: 'button', className: 'second' });
    again.addEventListener('click', () => {
      item.remove();
      this.unsent.add(message);
      this.#showWaiting(message);
      this.send();
    });
    discard.addEventListener('click', () => item.remove());
    item.append(again, discard);
  }

  /** Sends what waits, one after the other, so that the order stays. */
  async send() {
    if (this.#isSending) return;
    this.#isSending = true;
    try {
      for (let [next] = this.unsent.all(); next && !this.signal.aborted; [next] = this.unsent.all()) {
        const answer = await fetch(`${this.address}/messages`, {
          method: 'POST', body: JSON.stringify(next),
          headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': this.root.dataset.csrf },
        });
        if (answer.status === 429 || answer.status >= 500) break;
        this.unsent.remove(next.id);
        if (answer.ok) this.#show(await answer.json());
        else this.#showRefused(next, (await answer.json().catch(() => ({}))).detail || '');
      }
    } catch {
      // Without a network it is tried again.
    } finally {
      this.#isSending = false;
    }
  }

  // Reading

  /** Reads everything after the last change that is known, and tells the server what was read. */
  async read() {
    if (this.#isReading) { this.#isAskedAgain = true; return; }
    this.#isReading = true;
    try {
      for (let isComplete = false; !isComplete && !this.signal.aborted;) {
        const changes = await get(`${this.address}/changes?after=${this.change}`);
        changes.items.forEach((message) => this.#show(message));
        const last = changes.items.at(-1);
        this.change = changes.complete ? Math.max(this.change, changes.conversation.lastChange) : last.change;
        isComplete = changes.complete;
        if (isComplete) await this.#mark(changes.conversation);
      }
      await this.#showState();
    } catch (error) {
      if (error.message === 'Not Found') location.reload();
    } finally {
      this.#isReading = false;
      if (this.#isAskedAgain) { this.#isAskedAgain = false; this.read(); }
    }
  }

  async #mark(conversation) {
    const { lastSequence, readThrough, request } = conversation;
    if (request || readThrough >= lastSequence) return;
    await fetch(`${this.address}/marks`, {
      method: 'PUT', body: JSON.stringify(document.hidden ? { delivered: lastSequence } : { read: lastSequence }),
      headers: { 'Content-Type': 'application/json', 'X-CSRF-Token': this.root.dataset.csrf },
    });
  }

  async #showState() {
    const last = [...this.list.querySelectorAll('li[data-sequence]')].at(-1);
    if (this.root.dataset.pair === undefined || !last?.classList.contains('own')) { setText(this.state, ''); return; }
    const { items } = await get(`${this.address}/members`);
    const other = items.find((member) => member.username !== this.own);
    const sequence = Number(last.dataset.sequence);
    if (!other || other.readThrough === null) setText(this.state, '');
    else if (other.readThrough >= sequence) setText(this.state, this.words.read);
    else setText(this.state, other.deliveredThrough >= sequence ? this.words.delivered : this.words.sent);
  }

  #line(message) {
    const { words } = this;
    const about = message.about?.username ?? words.deletedAccount;
    if (message.deleted) return words.deletedMessage;
    if (message.kind === 'place') return message.text ? `${words.place}: ${message.text}` : words.place;
    if (message.kind === 'contact') return `${words.contact}: ${about}`;
    if (!kindsOfEvents.includes(message.kind)) return message.text;
    return fill(words[message.kind], { name: message.from?.username ?? words.deletedAccount, other: about, text: message.text });
  }

  /** Shows a message in its place; one that is there is replaced, whatever has brought it. */
  #show(message) {
    const isOwn = message.from?.username === this.own;
    const isEvent = kindsOfEvents.includes(message.kind);
    const item = this.template.content.firstElementChild.cloneNode(true);
    item.dataset.sequence = message.sequence;
    item.className = [isOwn && 'own', isEvent && 'event', message.deleted && 'deleted'].filter(Boolean).join(' ');
    setText(item.querySelector('.talk-from'), message.from?.username ?? this.words.deletedAccount);
    setText(item.querySelector('.talk-text'), this.#line(message));
    const time = element('time', message.sentAt, { dateTime: message.sentAt });
    time.dataset.local = '';
    item.querySelector('.talk-facts').append(time);
    if (message.latitude !== null) item.querySelector('.talk-text').after(element('span', `${message.latitude.toFixed(5)}, ${message.longitude.toFixed(5)}`, { className: 'sub' }));
    if (isEvent) item.querySelectorAll('.talk-from, .talk-options').forEach((part) => part.remove());
    else item.querySelector('form').action = `/comunidad/mensajes/c/${message.conversation}/mensaje/${message.sequence}`;
    if (!isOwn || message.deleted) item.querySelector('[value=everybody]')?.remove();
    if (isOwn) this.list.querySelector(`[data-id="${CSS.escape(message.id)}"]`)?.remove();
    const isAtEnd = this.list.scrollHeight - this.list.scrollTop - this.list.clientHeight < nearEnd;
    const known = this.list.querySelector(`[data-sequence="${message.sequence}"]`);
    if (known) known.replaceWith(item);
    else this.#insert(item, message.sequence);
    if (isAtEnd || (isOwn && !known)) this.list.scrollTop = this.list.scrollHeight;
  }

  #insert(item, sequence) {
    const after = [...this.list.children].find((other) => !other.dataset.sequence || Number(other.dataset.sequence) > sequence);
    this.list.insertBefore(item, after ?? null);
  }

  #beginOlder() {
    const link = this.root.querySelector('.talk-older a');
    link?.addEventListener('click', async (event) => {
      event.preventDefault();
      event.stopPropagation();
      try {
        const page = await get(`${this.address}/messages?limit=50&cursor=${this.older}`);
        const height = this.list.scrollHeight;
        page.items.forEach((message) => this.#show(message));
        this.list.scrollTop = this.list.scrollHeight - height;
        this.older = page.next;
        if (!page.next) link.parentElement.remove();
      } catch { location.href = link.href; }
    }, { signal: this.signal });
  }
}

export const begin = (signal) => document.querySelectorAll('.talk[data-talk]').forEach((root) => new Talk(root, signal).begin());
