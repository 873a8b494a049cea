// The draw of the side that serves first. Anybody can repeat it: if the hexadecimal digits of the seed add up to an even
// number, side A serves. The server draws in the same way.
const byteCount = 8;
const [stepCount, firstStep, lastStep] = [14, 70, 320];

export const newSeed = () => [...crypto.getRandomValues(new Uint8Array(byteCount))].map((byte) => byte.toString(16).padStart(2, '0')).join('');

export const sumOf = (seed) => [...seed].reduce((sum, digit) => sum + Number.parseInt(digit, 16), 0);

/** `a` or `b`. */
export const sideOf = (seed) => (sumOf(seed) % 2 === 0 ? 'a' : 'b');

/** Lets a light go from side to side, ever slower, until it stays on the side that is drawn. `light` is told of each. */
export const animate = async (seed, light, signal) => {
  const drawn = sideOf(seed);
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches) {
    for (let step = 0; step < stepCount && !signal.aborted; step += 1) {
      // The last step but one is on the other side.
      light((stepCount - step) % 2 === 0 ? drawn : (drawn === 'a' ? 'b' : 'a'));
      await new Promise((resolve) => { setTimeout(resolve, firstStep + ((lastStep - firstStep) * step) / stepCount); });
    }
  }
  if (!signal.aborted) light(drawn);
  return drawn;
};
