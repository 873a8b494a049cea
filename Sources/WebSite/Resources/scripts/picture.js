// The picture of a video: the time at which its preview stands.
export const begin = (signal) => {
  const preview = document.querySelector('video[data-picture]');
  const time = document.querySelector('input[name=at]');
  if (!preview || !time) return;
  const note = () => { time.value = preview.currentTime.toFixed(2); };
  ['pause', 'seeked'].forEach((name) => preview.addEventListener(name, note));
};
