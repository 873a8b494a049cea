// Work for each page: it begins again when the player shows another page in this document, and what it has started ends.
let stop = new AbortController();
document.addEventListener('antena:page', () => {
  stop.abort();
  stop = new AbortController();
}, { capture: true });

/** Does something for each page; what it starts ends when its signal is aborted. */
export const page = (work) => {
  const begin = () => work(stop.signal);
  begin();
  document.addEventListener('antena:page', begin);
};

/** Does something again and again, in milliseconds, while the page is shown. */
export const every = (milliseconds, work, signal) => {
  const timer = setInterval(work, milliseconds);
  signal.addEventListener('abort', () => clearInterval(timer), { once: true });
};

/**
 * Listens to a stream of events of the server. The streams are limited: a hidden page does not listen, and a refused one
 * retries later.
 */
export const listen = (address, begin, signal) => {
  let events;
  const open = () => {
    if (document.hidden || (events && events.readyState !== EventSource.CLOSED)) return;
    events = new EventSource(address);
    begin(events);
  };
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) events?.close();
    open();
  }, { signal });
  signal.addEventListener('abort', () => events?.close(), { once: true });
  every(20000, open, signal);
  open();
};
