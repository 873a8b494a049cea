// The operator's dashboard: the server sends the part that changes. A hidden page does not listen.
export const begin = (signal) => {
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
};
