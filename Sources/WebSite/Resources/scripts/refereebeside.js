// The strategy board beside a match. The address says whether it is open, so that the way back closes it.
const parameter = 'estrategia';

const isWanted = () => new URLSearchParams(location.search).has(parameter);

const courtOf = ({ rules }) => rules.court ?? 'plain';

/** Lets the button of a referee's page open the board, with the court of the sport and the channel of the match. */
export const openBeside = (page, kept, signal) => {
  const place = page.parentElement.querySelector('.beside');
  const button = page.querySelector('[data-action=strategy]');
  let isLoaded = false;
  const show = async () => {
    const isOpen = isWanted();
    place.hidden = !isOpen;
    button.setAttribute('aria-expanded', String(isOpen));
    page.parentElement.classList.toggle('with-strategy', isOpen);
    if (!isOpen || isLoaded) return;
    isLoaded = true;
    const { openStrategies } = await import('./strategy.js');
    const { channel } = kept.match.setup;
    await openStrategies(place.querySelector('.strategy'), {
      channels: [{ name: channel, title: channel }],
      route: { id: undefined, court: courtOf(kept.match.setup), go: () => {} },
    }, signal);
  };
  const toggle = () => {
    const address = new URL(location.href);
    if (isWanted()) address.searchParams.delete(parameter); else address.searchParams.set(parameter, '1');
    history.pushState(null, '', address);
    show();
  };
  button.addEventListener('click', toggle, { signal });
  place.querySelector('.beside-close').addEventListener('click', () => { toggle(); button.focus(); }, { signal });
  addEventListener('popstate', show, { signal });
  show();
};
