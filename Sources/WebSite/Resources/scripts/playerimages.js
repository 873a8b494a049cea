// Photos and flags of players. A player without a photo has a coloured letter, a country without a drawing its code.
const placeholderColours = 12;
/** Addresses of photos that could not be loaded: a drawing that is made again and again must not ask for them again. */
const failed = new Set();
let names;

/** The name of a country in the language of the page. */
export const countryName = (code) => {
  try {
    names ??= new Intl.DisplayNames([document.documentElement.lang], { type: 'region' });
    return names.of(code) ?? code;
  } catch { return code; }
};

/** The flag of a country; `words.flags` is the beginning of the addresses of flags. */
export const flagOf = (code, words) => Object.assign(document.createElement('img'), {
  className: 'flag', src: `${words.flags}${encodeURIComponent(code)}.svg`, alt: countryName(code), width: 32, height: 24,
});

const letterOf = (name) => {
  const letter = [...name].find((character) => /[\p{L}\p{N}]/u.test(character)) ?? '·';
  const hue = new TextEncoder().encode(name).reduce((sum, byte) => (sum + byte) % placeholderColours, 0);
  const element = Object.assign(document.createElement('span'), { className: `avatar letter h${hue}`, textContent: letter.toUpperCase() });
  element.setAttribute('aria-hidden', 'true');
  return element;
};

/** Whether a board shows photos: if one player has one, the others have a letter in its place. */
export const showsPhotos = ({ sides }) => sides.some(({ players }) => players.some(({ photo }) => photo));

/** The photo of a player with a `name`, and perhaps the address of a `photo`. */
export const photoOf = ({ name, photo }) => {
  if (!photo || failed.has(photo)) return letterOf(name);
  const image = Object.assign(document.createElement('img'), { className: 'avatar', src: photo, alt: '', width: 40, height: 40 });
  image.addEventListener('error', () => {
    failed.add(photo);
    image.replaceWith(letterOf(name));
  }, { once: true });
  return image;
};
