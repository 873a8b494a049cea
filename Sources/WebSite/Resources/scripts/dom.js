// What several parts of the site need.

/** A page of the site as a document; the browser says which languages it wants. */
export const fetchPage = async (address) => {
  const answer = await fetch(address, { headers: { Accept: 'text/html' } });
  return new DOMParser().parseFromString(await answer.text(), 'text/html');
};

/** The JSON of a resource. */
export const get = async (path) => {
  const answer = await fetch(path, { headers: { Accept: 'application/json' } });
  if (!answer.ok) throw new Error(answer.statusText);
  return answer.json();
};

export const setText = (element, text) => {
  if (element && element.textContent !== text) element.textContent = text;
};
