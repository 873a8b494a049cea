// Plays a title that is encrypted with cbcs as a player of DASH with Encrypted Media Extensions does: the segments and the
// license are those of the manifest. The value is the time that the video has reached. The address of the manifest stands in
// window.antenaManifest. Tests/EndToEndTests/Titles/TitleFeatureTests.swift evaluates this file.
(async () => {
  const address = new URL(window.antenaManifest, location.href).href;
  const manifest = new DOMParser().parseFromString(await (await fetch(address)).text(), 'application/xml');
  const set = [...manifest.getElementsByTagName('AdaptationSet')].find((one) => one.getAttribute('contentType') === 'video');
  const [common, clearKey] = set.getElementsByTagName('ContentProtection');
  const kid = common.getAttribute('cenc:default_KID').replaceAll('-', '');
  const encoded = btoa(String.fromCharCode(...kid.match(/../g).map((pair) => parseInt(pair, 16))))
    .replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
  const [representation] = set.getElementsByTagName('Representation');
  const [template] = set.getElementsByTagName('SegmentTemplate');
  const type = `${set.getAttribute('mimeType')}; codecs="${representation.getAttribute('codecs')}"`;
  const configuration = { initDataTypes: ['keyids'], videoCapabilities: [{ contentType: type, encryptionScheme: common.getAttribute('value') }] };
  const access = await navigator.requestMediaKeySystemAccess('org.w3.clearkey', [configuration]);
  const video = Object.assign(document.createElement('video'), { muted: true });
  await video.setMediaKeys(await access.createMediaKeys());
  const session = video.mediaKeys.createSession();
  const licensed = new Promise((resolve, reject) => {
    session.addEventListener('message', async ({ message }) => {
      try {
        const license = clearKey.getElementsByTagName('dashif:Laurl')[0].textContent;
        const answer = await fetch(license, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: message });
        if (!answer.ok) throw new Error(await answer.text());
        await session.update(await answer.arrayBuffer());
        resolve();
      } catch (error) { reject(error); }
    });
  });
  await session.generateRequest('keyids', new TextEncoder().encode(JSON.stringify({ kids: [encoded] })));
  await licensed;
  const source = new MediaSource();
  const opened = new Promise((resolve) => { source.addEventListener('sourceopen', resolve, { once: true }); });
  video.src = URL.createObjectURL(source);
  await opened;
  const buffer = source.addSourceBuffer(type);
  const append = async (name) => {
    const bytes = await (await fetch(new URL(name, address))).arrayBuffer();
    const done = new Promise((resolve, reject) => { buffer.onupdateend = resolve; buffer.onerror = reject; });
    buffer.appendBuffer(bytes);
    await done;
  };
  await append(template.getAttribute('initialization'));
  await append(template.getAttribute('media').replace('$Number$', template.getAttribute('startNumber')));
  await video.play();
  for (let tries = 0; video.currentTime < 1 && tries < 200; tries += 1) await new Promise((resolve) => { setTimeout(resolve, 50); });
  const quality = video.getVideoPlaybackQuality();
  if (video.currentTime < 1 || video.videoWidth === 0 || video.error) throw new Error(`${video.currentTime} ${video.error?.message} ${quality.totalVideoFrames}`);
  return video.currentTime;
})();
