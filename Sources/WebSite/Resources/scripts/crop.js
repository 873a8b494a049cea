// The part of a photo that is used: a square that is moved and enlarged before the photo is sent, or taken by the camera.
// Without this script the server uses the square in the middle.
const side = 512;
const maximumZoom = 4;
const keyStep = 16;
const quality = 0.92;

const element = (name, members) => Object.assign(document.createElement(name), members);

const follow = (input, words, signal) => {
  const label = input.closest('label') ?? input;
  const place = element('div', { className: 'crop', hidden: true });
  const canvas = element('canvas', { width: side, height: side, tabIndex: 0 });
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', words.cropArea);
  const zoomLabel = element('label', { textContent: words.zoom });
  const zoom = element('input', { type: 'range', min: 1, max: maximumZoom, step: 0.01, value: 1 });
  const video = element('video', { muted: true, playsInline: true, hidden: true });
  const camera = element('button', { type: 'button', className: 'second', textContent: words.useCamera });
  const take = element('button', { type: 'button', textContent: words.takePhoto, hidden: true });
  const cancel = element('button', { type: 'button', className: 'second', textContent: words.cancel, hidden: true });
  const status = element('p', { className: 'wrong' });
  status.setAttribute('role', 'alert');
  zoomLabel.append(zoom);
  place.append(canvas, zoomLabel);
  label.after(place, video, camera, take, cancel, status);
  // Cameras need HTTPS or the server's own machine; telephones offer theirs where files are chosen.
  camera.hidden = !navigator.mediaDevices?.getUserMedia;

  let [image, x, y, stream, isCut, lastX, lastY] = [undefined, 0.5, 0.5, undefined, true, 0, 0];

  const draw = () => {
    const size = Math.min(image.width, image.height) / Number(zoom.value);
    const [halfX, halfY] = [size / 2 / image.width, size / 2 / image.height];
    [x, y] = [Math.min(1 - halfX, Math.max(halfX, x)), Math.min(1 - halfY, Math.max(halfY, y))];
    canvas.getContext('2d').drawImage(image, x * image.width - size / 2, y * image.height - size / 2, size, size, 0, 0, side, side);
    isCut = false;
  };
  const move = (dx, dy) => {
    const size = Math.min(image.width, image.height) / Number(zoom.value);
    [x, y] = [x - (dx * size) / side / image.width, y - (dy * size) / side / image.height];
    draw();
  };
  const show = (made) => {
    [image, x, y, zoom.value] = [made, 0.5, 0.5, 1];
    place.hidden = false;
    draw();
  };
  const cut = async () => {
    const blob = await new Promise((resolve) => { canvas.toBlob(resolve, 'image/jpeg', quality); });
    const files = new DataTransfer();
    files.items.add(new File([blob], 'photo.jpg', { type: 'image/jpeg' }));
    input.files = files.files;
    isCut = true;
  };
  const stop = () => {
    stream?.getTracks().forEach((track) => track.stop());
    [stream, video.srcObject] = [undefined, null];
    [video.hidden, take.hidden, cancel.hidden, camera.hidden] = [true, true, true, !navigator.mediaDevices?.getUserMedia];
  };

  input.addEventListener('change', async (event) => {
    // The form's own script would show the whole image.
    event.stopPropagation();
    const [file] = input.files;
    [place.hidden, isCut] = [true, true];
    if (!file) return;
    try { show(await createImageBitmap(file)); } catch { /* The server says what is wrong with it. */ }
  }, { signal });
  zoom.addEventListener('input', draw, { signal });
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId);
    [lastX, lastY] = [event.clientX, event.clientY];
  }, { signal });
  canvas.addEventListener('pointermove', (event) => {
    if (!canvas.hasPointerCapture(event.pointerId)) return;
    const scale = side / canvas.clientWidth;
    move((event.clientX - lastX) * scale, (event.clientY - lastY) * scale);
    [lastX, lastY] = [event.clientX, event.clientY];
  }, { signal });
  canvas.addEventListener('keydown', (event) => {
    const step = { ArrowLeft: [keyStep, 0], ArrowRight: [-keyStep, 0], ArrowUp: [0, keyStep], ArrowDown: [0, -keyStep] }[event.key];
    if (!step) return;
    event.preventDefault();
    move(...step);
  }, { signal });
  camera.addEventListener('click', async () => {
    status.textContent = '';
    // A second click while the browser asks for permission would open a second stream.
    camera.disabled = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'environment', width: 1280, height: 720 } });
      if (signal.aborted) { stop(); return; }
      video.srcObject = stream;
      [video.hidden, take.hidden, cancel.hidden, camera.hidden] = [false, false, false, true];
      await video.play();
    } catch {
      stop();
      status.textContent = words.noCamera;
    } finally {
      camera.disabled = false;
    }
  }, { signal });
  take.addEventListener('click', async () => {
    if (!video.videoWidth) return;
    show(await createImageBitmap(video));
    stop();
    // A field that needs a file has one.
    await cut();
  }, { signal });
  cancel.addEventListener('click', stop, { signal });
  input.form.addEventListener('submit', async (event) => {
    if (isCut) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    await cut();
    input.form.requestSubmit(event.submitter);
  }, { signal, capture: true });
  signal.addEventListener('abort', stop, { once: true });
};

export const begin = (signal) => {
  for (const input of document.querySelectorAll('input[data-crop]')) follow(input, JSON.parse(input.dataset.crop), signal);
};
