// The sound at the end of a game or a match, made by the browser.
let context;

const tone = (frequency, start, length) => {
  const [oscillator, volume] = [context.createOscillator(), context.createGain()];
  oscillator.frequency.value = frequency;
  volume.gain.setValueAtTime(0.3, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(start);
  oscillator.stop(start + length);
};

/** Two tones for a game, four for a match. */
export const soundEnd = (isMatch) => {
  if (!globalThis.AudioContext) return;
  context ??= new AudioContext();
  context.resume().catch(() => {});
  const notes = isMatch ? [660, 880, 990, 1320] : [660, 880];
  notes.forEach((frequency, index) => tone(frequency, context.currentTime + index * 0.22, 0.4));
  // For tests, which hear nothing.
  document.dispatchEvent(new CustomEvent('antena:sound', { detail: notes.length }));
};
