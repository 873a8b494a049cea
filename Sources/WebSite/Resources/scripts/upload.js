// Sending a video in pieces (tus 1.0): it goes on when the network is back, and after a reload with the same file.
export const begin = (signal) => {
  const sender = document.querySelector('[data-send]');
  if (!sender) return;
  const [input, button, camera, bar, state, link] = ['input', 'button', 'video', 'progress', '[role=status]', 'a']
    .map((selector) => sender.querySelector(selector));
  const { send, page, csrf, waiting, wrong, record, stop, notVideo, noRoom, refused, noCamera } = sender.dataset;
  const pieceSize = 8 * 1024 * 1024;
  const longestWait = 30000;
  const fields = (more) => ({ 'Tus-Resumable': '1.0.0', 'X-CSRF-Token': csrf, ...more });
  const encoded = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));
  const key = (file) => `upload:${file.name}:${file.size}:${file.lastModified}`;
  const remember = (file, address) => {
    try {
      if (address) localStorage.setItem(key(file), address); else localStorage.removeItem(key(file));
    } catch { /* A browser that keeps nothing begins again after a reload. */ }
  };
  const remembered = (file) => { try { return localStorage.getItem(key(file)); } catch { return null; } };
  // What the server refuses once it refuses again; everything else is worth another try.
  const refusal = (status, text) => {
    let detail = '';
    try { detail = JSON.parse(text).detail || ''; } catch { /* Not from Antena. */ }
    const own = { 409: noRoom, 413: noRoom, 415: notVideo, 422: notVideo }[status] || refused;
    return Object.assign(new Error(own || detail), { isFinal: status >= 400 && status < 500 && ![408, 409, 423, 429].includes(status) });
  };
  const begin = async (file) => {
    const type = file.type ? `,filetype ${encoded(file.type.split(';')[0])}` : '';
    const answer = await fetch(send, { method: 'POST', headers: fields({
      'Upload-Length': String(file.size), 'Upload-Metadata': `filename ${encoded(file.name)}${type}`,
    }) });
    if (!answer.ok) throw refusal(answer.status, await answer.text());
    return new URL(answer.headers.get('Location'), location).pathname;
  };
  const position = async (address) => {
    const answer = await fetch(address, { method: 'HEAD', headers: fields({}) });
    if (!answer.ok) throw refusal(answer.status, '');
    return Number(answer.headers.get('Upload-Offset'));
  };
  const sendPiece = (address, file, start) => new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('PATCH', address);
    Object.entries(fields({ 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': String(start) }))
      .forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.addEventListener('progress', (event) => { bar.value = (start + event.loaded) / file.size; });
    request.addEventListener('load', () => {
      if (request.status === 204) resolve(Number(request.getResponseHeader('Upload-Offset')));
      else reject(refusal(request.status, request.responseText));
    });
    request.addEventListener('error', () => reject(new Error()));
    request.send(file.slice(start, start + pieceSize));
  });
  const sendFile = async (file) => {
    let address = remembered(file);
    let sent = address ? await position(address).catch(() => null) : null;
    if (sent === null) {
      address = await begin(file);
      remember(file, address);
      sent = 0;
    }
    const description = page + address.split('/').pop();
    link.href = description;
    link.hidden = false;
    let failures = 0;
    while (sent < file.size) {
      try {
        sent = await sendPiece(address, file, sent);
        failures = 0;
        state.textContent = '';
      } catch (error) {
        if (error.isFinal) throw error;
        state.textContent = waiting;
        const pause = Math.min(longestWait, 1000 * 2 ** failures);
        failures += 1;
        await new Promise((resolve) => setTimeout(resolve, pause));
        const at = sent;
        sent = await position(address).catch((later) => { if (later.isFinal) throw later; return at; });
      }
    }
    remember(file, null);
    removeEventListener('beforeunload', warn);
    delete document.documentElement.dataset.busy;
    location.href = description;
  };
  const warn = (event) => event.preventDefault();
  const start = (file) => {
    [input.disabled, button.disabled, bar.hidden, state.textContent] = [true, true, false, ''];
    addEventListener('beforeunload', warn);
    // Leaving the page would end it, so that links ask as well.
    document.documentElement.dataset.busy = 'yes';
    sendFile(file).catch((error) => {
      removeEventListener('beforeunload', warn);
      delete document.documentElement.dataset.busy;
      remember(file, null);
      state.textContent = `${wrong} ${error.message}`;
      [input.disabled, button.disabled, bar.hidden] = [false, false, true];
    });
  };
  input.addEventListener('change', () => { if (input.files.length > 0) start(input.files[0]); });

  // A video that another app has shared, which the service worker keeps.
  const takeShared = async () => {
    const cache = await caches.open('antena-shared');
    const kept = await cache.match(sender.dataset.shared);
    if (!kept || signal.aborted) return;
    await cache.delete(sender.dataset.shared);
    const type = kept.headers.get('Content-Type') || '';
    start(new File([await kept.blob()], decodeURIComponent(kept.headers.get('X-File-Name') || 'video'), { type }));
  };
  if (window.isSecureContext && window.caches) takeShared().catch(() => {});

  if (!window.MediaRecorder || !navigator.mediaDevices) return;
  button.hidden = false;
  let recorder;
  const capture = async () => {
    const stream = await navigator.mediaDevices.getUserMedia({ video: true, audio: true });
    const type = ['video/mp4', 'video/webm'].find((name) => MediaRecorder.isTypeSupported(name));
    const pieces = [];
    recorder = new MediaRecorder(stream, type ? { mimeType: type } : {});
    recorder.addEventListener('dataavailable', (event) => pieces.push(event.data));
    recorder.addEventListener('stop', () => {
      stream.getTracks().forEach((track) => track.stop());
      [camera.srcObject, camera.hidden, button.textContent, recorder] = [null, true, record, undefined];
      const ending = type === 'video/mp4' ? 'mp4' : 'webm';
      const time = new Date().toISOString().slice(0, 19).replaceAll(':', '-');
      start(new File(pieces, `${time}.${ending}`, { type: type || 'video/webm' }));
    });
    [camera.srcObject, camera.hidden, button.textContent] = [stream, false, stop];
    recorder.start(1000);
    await camera.play();
  };
  button.addEventListener('click', () => {
    if (recorder) { recorder.stop(); return; }
    capture().catch(() => { state.textContent = noCamera; });
  });
};
