// Going from page to page without leaving the document, so that what plays goes on. Pages work without this, too.

const stateKey = 'antena';
/** Pages that are kept for the back button. */
const keptPages = 12;
/** What waits for less than this shows no sign of it, in milliseconds. */
const signDelay = 300;

/** Parts of the page beside its content that may differ. */
const parts = ['header.bar', 'aside.announcement', 'footer'];

export class Navigation {
  #turn = 0;
  #places = new Map();
  #stop;

  /** @param hooks `before(next)` for what has to be kept, `after(address)`. */
  constructor(hooks) {
    this.hooks = hooks;
    history.scrollRestoration = 'manual';
    this.key = history.state?.[stateKey] ?? this.#newKey();
    history.replaceState({ ...history.state, [stateKey]: this.key }, '');
    const place = this.#storedPlace(this.key);
    if (place) scrollTo(0, place);
    addEventListener('pagehide', () => this.#storePlace());
    document.addEventListener('click', (event) => this.#click(event));
    document.addEventListener('submit', (event) => this.#submit(event));
    addEventListener('popstate', (event) => this.#pop(event));
  }

  #newKey() { return `${Date.now().toString(36)}${Math.random().toString(36).slice(2, 6)}`; }

  #storedPlace(key) {
    try { return Number(sessionStorage.getItem(`place:${key}`)) || 0; } catch { return 0; }
  }

  #storePlace() {
    this.#places.set(this.key, scrollY);
    if (this.#places.size > keptPages) this.#places.delete(this.#places.keys().next().value);
    try { sessionStorage.setItem(`place:${this.key}`, String(Math.round(scrollY))); } catch { /* As without a store. */ }
  }

  /** Whether a link leads to a page of the site that can be shown here. */
  static leads(address) {
    const target = new URL(address, location);
    if (target.origin !== location.origin) return false;
    return !/^\/(api|site|live|vod|radio\/.+\/(file|playlist|cover))(\/|$)|\.(m3u8|mp4|zip|csv|json|jpg|png|svg|ics|txt|xml)$/.test(target.pathname);
  }

  #click(event) {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = event.target.closest?.('a[href]');
    if (!link || link.target || link.hasAttribute('download') || !Navigation.leads(link.href)) return;
    const target = new URL(link.href);
    const isHere = target.pathname === location.pathname && target.search === location.search;
    if (isHere && target.hash) return;
    if (document.documentElement.dataset.busy) return;
    event.preventDefault();
    this.go(target.href, { link });
  }

  #submit(event) {
    const form = event.target;
    if (event.defaultPrevented || form.method !== 'get' || form.target || !Navigation.leads(form.action)) return;
    event.preventDefault();
    const address = new URL(form.action);
    address.search = new URLSearchParams([...new FormData(form, event.submitter)].filter(([, value]) => value !== '')).toString();
    this.go(address.href, { link: form });
  }

  #pop(event) {
    const key = event.state?.[stateKey];
    // The same page, on which a dialog was open.
    if (key === undefined || key === this.key) return;
    this.#storePlace();
    this.key = key;
    this.#show(location.href, { isBack: true, place: this.#places.get(key) ?? this.#storedPlace(key) });
  }

  /** Shows a page, whose address may be relative. */
  go(address, { link, replaces = false } = {}) {
    this.#storePlace();
    return this.#show(new URL(address, location.href).href, { link, replaces });
  }

  async #show(address, { link, isBack = false, replaces = false, place = 0 }) {
    const turn = ++this.#turn;
    this.#stop?.abort();
    this.#stop = new AbortController();
    const sign = setTimeout(() => document.documentElement.classList.add('p-turning'), signDelay);
    try {
      const answer = await fetch(address, { headers: { Accept: 'text/html' }, signal: this.#stop.signal });
      const isPage = answer.headers.get('Content-Type')?.startsWith('text/html');
      const policy = answer.headers.get('Content-Security-Policy') || '';
      // A page with images of another server needs its own policy.
      const fits = isPage && !/img-src [^;]*https?:/.test(policy);
      const page = fits ? new DOMParser().parseFromString(await answer.text(), 'text/html') : undefined;
      if (turn !== this.#turn) return;
      if (!page || !this.#isOfThisVersion(page) || !page.querySelector('main')) { location.href = address; return; }
      const shown = new URL(answer.url);
      shown.hash = new URL(address).hash;
      if (!isBack) {
        this.key = this.#newKey();
        history[replaces ? 'replaceState' : 'pushState']({ [stateKey]: this.key }, '', shown.href);
      }
      this.hooks.before(page, { link, isBack });
      this.#replace(page);
      document.dispatchEvent(new CustomEvent('antena:page'));
      this.hooks.after({ link, isBack });
      this.#settle(shown.hash, place, isBack);
    } catch (error) {
      if (error.name === 'AbortError' || turn !== this.#turn) return;
      location.href = address;
    } finally {
      clearTimeout(sign);
      if (turn === this.#turn) document.documentElement.classList.remove('p-turning');
    }
  }

  /** A server that was upgraded has other scripts and styles. */
  #isOfThisVersion(page) {
    const versions = (root) => [...root.querySelectorAll('head script[src], head link[rel=stylesheet]')]
      .map((element) => element.getAttribute('src') ?? element.getAttribute('href')).join();
    return versions(page) === versions(document) && page.documentElement.lang === document.documentElement.lang;
  }

  #replace(page) {
    document.title = page.title;
    const take = (selector) => {
      const [own, other] = [[...document.querySelectorAll(selector)], [...page.querySelectorAll(selector)]];
      if (own.length === 1 && other.length === 1) { own[0].replaceWith(document.importNode(other[0], true)); return; }
      own.forEach((element) => element.remove());
      const main = document.querySelector('main');
      other.forEach((element) => main.before(document.importNode(element, true)));
    };
    parts.forEach(take);
    document.querySelector('main').replaceWith(document.importNode(page.querySelector('main'), true));
    document.querySelectorAll('head link[rel=alternate], head meta[property]').forEach((element) => element.remove());
    page.querySelectorAll('head link[rel=alternate], head meta[property]').forEach((element) => document.head.append(document.importNode(element, true)));
  }

  /** Scrolls and focuses as a browser does. */
  #settle(hash, place, isBack) {
    const target = hash ? document.getElementById(decodeURIComponent(hash.slice(1))) : undefined;
    if (isBack) scrollTo(0, place); else if (target) target.scrollIntoView(); else scrollTo(0, 0);
    const main = document.querySelector('main');
    main.tabIndex = -1;
    main.focus({ preventScroll: true });
  }
}
