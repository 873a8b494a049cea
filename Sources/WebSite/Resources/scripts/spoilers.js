// Results that a visitor wants to watch first. The server remembers the choice of members, the browser those of others.
import { get } from './dom.js';

const [choice, watchedName] = ['antena_results=hidden', 'antena_watched'];
/** The most matches that the browser remembers, the newest. */
const longest = 40;
const year = 365 * 86_400;

const cookies = () => document.cookie.split('; ');
const isMember = () => Boolean(document.body.dataset.csrf);

/** Whether the visitor wants no results before the match has been watched. */
export const hidesResults = async () => {
  if (!isMember()) return cookies().includes(choice);
  // A visitor who is not sure to be told must not be told.
  return get('/api/v1/me/hidden-results').then(({ hidden }) => hidden, () => true);
};

/** Remembers that the end of a match was watched, for lists that have left its result out. */
export const noteWatched = async (match) => {
  if (isMember()) {
    await fetch(`/api/v1/me/watched-matches/${encodeURIComponent(match)}`, {
      method: 'PUT', headers: { 'X-CSRF-Token': document.body.dataset.csrf },
    });
    return;
  }
  const known = cookies().find((cookie) => cookie.startsWith(`${watchedName}=`))?.slice(watchedName.length + 1) ?? '';
  const matches = [...known.split('.').filter((one) => one && one !== match), match].slice(-longest);
  const secure = window.isSecureContext && location.protocol === 'https:' ? '; Secure' : '';
  document.cookie = `${watchedName}=${matches.join('.')}; Path=/; SameSite=Lax; Max-Age=${year}${secure}`;
};
