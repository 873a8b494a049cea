// Checks of the player's modules, which run in a page of a server: the value is the number of checks; a failed one throws.
// Tests/EndToEndTests/Site/PlayerTests.swift evaluates this file.
(async () => {
  const modules = (name) => import(new URL(`player/${name}.js`, document.querySelector('script[src$="/player/main.js"]').src.replace(/player\/[^/]+$/, '')).href);
  const [playlist, aes, decrypt, texts, adaptation, live, fetching, captions, tester, preview, buffer, queues, renditions, gapless, mp4, cbcs] = await Promise.all(
    ['playlist', 'aes', 'decrypt', 'texttracks', 'adaptation', 'live', 'fetch', 'captions', 'tester', 'preview', 'buffer', 'queue', 'rendition', 'gapless', 'mp4', 'cbcs'].map(modules));
  let count = 0;
  const equal = (value, expected, what) => {
    count += 1;
    const [own, other] = [JSON.stringify(value), JSON.stringify(expected)];
    if (own !== other) throw new Error(`${what}: ${own} is not ${other}`);
  };
  const bytes = (digits) => Uint8Array.from(digits.match(/../g), (pair) => parseInt(pair, 16));
  const digits = (array) => [...array].map((byte) => byte.toString(16).padStart(2, '0')).join('');

  // SP 800-38A, F.2.2: CBC-AES128.Decrypt.
  const key = bytes('2b7e151628aed2a6abf7158809cf4f3c');
  const vector = bytes('000102030405060708090a0b0c0d0e0f');
  const sent = bytes('7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b273bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7');
  const told = '6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710';
  equal(digits(aes.decryptBlocks(sent, key, vector)), told, 'NIST vector of CBC-AES128');
  let refused = false;
  try { aes.decryptCBC(sent, key, vector); } catch { refused = true; }
  equal(refused, true, 'wrong padding is refused');
  equal(digits(decrypt.vectorOf({}, 258)), '00000000000000000000000000000102', 'vector of a segment number');
  equal(digits(decrypt.vectorOf({ vector: '0xFF' }, 1)), '000000000000000000000000000000ff', 'vector of a key');

  // cbcs: the blocks of that vector as an audio sample, and as every tenth block of a video frame.
  {
    const box = (name, ...parts) => {
      const content = parts.map((part) => (typeof part === 'string' ? part.replace(/ /g, '') : digits(part))).join('');
      return bytes((content.length / 2 + 8).toString(16).padStart(8, '0') + digits(new TextEncoder().encode(name)) + content);
    };
    const entry = (name, fields, format, pattern) => box('moov', box('trak', box('mdia', box('minf', box('stbl', box('stsd', '00000000 00000001',
      box(name, '00'.repeat(fields), box('sinf', box('frma', digits(new TextEncoder().encode(format))), box('schi',
        box('tenc', `01000000 00${pattern}0100`, '11'.repeat(16), '10', digits(vector)))))))))));
    const initial = entry('enca', 28, 'mp4a', '00');
    const audio = cbcs.openInitialization(initial);
    equal([audio.encrypted, audio.skipped, digits(audio.vector), mp4.readInitialization(initial).entries], [0, 0, digits(vector), ['mp4a']], 'enca');
    const run = (sizes, ...protection) => box('moof', box('traf', box('tfhd', '00020000 00000001'),
      box('trun', '00000201', sizes.length.toString(16).padStart(8, '0'), '00000000', ...sizes.map((size) => size.toString(16).padStart(8, '0'))), ...protection));
    const segment = (track, sizes, media, ...protection) => {
      const moof = run(sizes, ...protection);
      new DataView(moof.buffer).setUint32(moof.byteLength - [...protection].reduce((sum, part) => sum + part.byteLength, 0) - 4 * sizes.length - 4, moof.byteLength + 8);
      const whole = bytes(digits(moof) + digits(box('mdat', media)));
      return digits(cbcs.decryptSamples(whole, track, key).subarray(moof.byteLength + 8));
    };
    equal(segment(audio, [67, 3], `${digits(sent)}aabbcc ddeeff`), `${told}aabbccddeeff`, 'audio samples of cbcs');
    const video = cbcs.openInitialization(entry('encv', 78, 'avc1', '19'));
    equal([video.encrypted, video.skipped], [1, 9], 'encv');
    const between = '77'.repeat(144);
    const frame = (text) => `0102030405${text.slice(0, 32)}${between}${text.slice(32, 64)}88`;
    equal(segment(video, [5 + 177, 4], `${frame(digits(sent))}99999999`, box('senc', '00000002 00000002 0001 0005 000000b1 0001 0004 00000000')),
      `${frame(told)}99999999`, 'video samples of cbcs');
  }

  const base = 'https://tv.example/live/a/video.m3u8';
  const head = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXT-X-PART-INF:PART-TARGET=0.5\n#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.5,CAN-SKIP-UNTIL=24\n';
  const first = playlist.parseMedia(`${head}#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-DISCONTINUITY-SEQUENCE:2\n#EXT-X-MAP:URI="i.mp4"\n`
    + '#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n#EXTINF:2,\n7.m4s\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="j.mp4",BYTERANGE="100@20"\n#EXT-X-GAP\n#EXTINF:3.5,\n8.m4s\n'
    + '#EXT-X-KEY:METHOD=AES-128,URI="k"\n#EXT-X-PART:DURATION=0.5,URI="9.0.m4s",INDEPENDENT=YES\n#EXT-X-PRELOAD-HINT:TYPE=PART,URI="9.1.m4s"\n#EXT-X-RENDITION-REPORT:URI="audio.m3u8",LAST-MSN=9,LAST-PART=0\n', base);
  equal(first.segments.map((one) => [one.sequence, one.domain, one.duration, one.isGap, one.parts.length, one.address?.split('/').pop()]),
    [[7, 2, 2, false, 0, '7.m4s'], [8, 3, 3.5, true, 0, '8.m4s'], [9, 3, 0.5, false, 1, undefined]], 'segments');
  equal(first.segments[1].map.range, { start: 20, length: 100 }, 'range of an initialization section');
  equal(first.segments[2].key.address, 'https://tv.example/live/a/k', 'key');
  equal(first.hint.address, 'https://tv.example/live/a/9.1.m4s', 'preload hint');
  equal(first.reports[0], { address: 'https://tv.example/live/a/audio.m3u8', sequence: 9, part: 0 }, 'rendition report');
  const delta = playlist.parseMedia(`${head}#EXT-X-MEDIA-SEQUENCE:7\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n#EXTINF:2,\n9.m4s\n`, base, first);
  equal(delta.segments.map((one) => [one.sequence, one.domain, one.map.address.slice(-5)]), [[7, 2, 'i.mp4'], [8, 3, 'j.mp4'], [9, 3, 'j.mp4']], 'delta update');
  equal(playlist.parseMedia(`${head}#EXT-X-MEDIA-SEQUENCE:2\n#EXT-X-SKIP:SKIPPED-SEGMENTS=2\n`, base, first), undefined, 'delta update that does not fit');
  const ranges = playlist.parseMedia('#EXTM3U\n#EXTINF:2,\n#EXT-X-BYTERANGE:10@5\na.mp4\n#EXTINF:2,\n#EXT-X-BYTERANGE:7\na.mp4\n#EXT-X-ENDLIST\n', base);
  equal(ranges.segments.map(({ range }) => range.start), [5, 15], 'ranges that follow each other');

  const master = playlist.parseMultivariant('#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Uno, dos",LANGUAGE="es",DEFAULT=YES,CHANNELS="2",URI="es.m3u8"\n'
    + '#EXT-X-STREAM-INF:BANDWIDTH=900,CODECS="avc1.42c01e,mp4a.40.2",RESOLUTION=640x360,AUDIO="a"\nv.m3u8\n', base);
  equal([master.variants[0].height, master.variants[0].codecs.length, master.audio[0].name, master.audio[0].isDefault], [360, 2, 'Uno, dos', true], 'multivariant playlist');

  const { cues, shift } = texts.parseVTT('WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000\n\nname\n00:01.500 --> 01:00:02.000 line:10% align:start\n<i>Hola</i>\nmundo\n\n00:05.000 --> 00:04.000\nnever\n');
  equal([shift, cues.length, cues[0].start, cues[0].end, cues[0].line, cues[0].align], [10, 1, 1.5, 3602, '10%', 'start'], 'WebVTT');
  const drawn = captions.cueElements('<b onclick=x>a</b><script>b</script> &lt;c&gt;');
  equal([drawn.innerHTML, drawn.querySelector('script')], ['<b>a</b>b &lt;c&gt;', null], 'marks of a cue');
  equal(preview.parseStoryboard('WEBVTT\n\n00:00:00.000 --> 00:00:05.000\ns.jpg#xywh=160,90,160,90\n', base)[0],
    { start: 0, end: 5, address: 'https://tv.example/live/a/s.jpg', x: 160, y: 90, width: 160, height: 90 }, 'storyboard');

  const variants = [400, 1200, 2500, 5000].map((rate, index) => ({ bandwidth: rate * 1000, height: [240, 480, 720, 1080][index], width: [426, 854, 1280, 1920][index] }));
  const chosen = (rate, current, options = {}) => {
    const throughput = new adaptation.Throughput(rate);
    return new adaptation.Adaptation(throughput).choose(variants, current, { ahead: 0, goal: 40, size: { width: 1920, height: 1080 }, ...options }).height;
  };
  const givesUp = (loading) => new adaptation.Adaptation(new adaptation.Throughput(0))
    .givesUp(variants, variants[2], { seconds: 2, expected: 2e6, duration: 6, ahead: 3, ...loading })?.height;
  equal([givesUp({ bytes: 1.9e6 }), givesUp({ bytes: 2e5 }), givesUp({ bytes: 4e5 }), givesUp({ bytes: 2e5, ahead: 60 }), givesUp({ bytes: 2e5, seconds: 0.5 })],
    [undefined, 240, 480, undefined, undefined].map((value) => value ?? null), 'what is given up for a smaller one');
  let time = 0;
  const frames = new adaptation.FrameLimit(() => time);
  let [total, lost] = [0, 0];
  const heights = variants.map(({ height }) => height);
  const after = (seconds, share, current) => {
    time += seconds;
    total += 150;
    lost += 150 * share;
    return [frames.note({ totalVideoFrames: total, droppedVideoFrames: lost }, heights, current), frames.height === Infinity ? 'all' : frames.height];
  };
  equal([after(5, 0.3, 1080), after(5, 0, 720), after(50, 0.1, 720), after(50, 0, 720), after(20, 0, 720), after(5, 0.3, 1080), after(70, 0, 720), after(60, 0, 720)],
    [[true, 720], [false, 720], [false, 720], [false, 720], [true, 'all'], [true, 720], [false, 720], [true, 'all']], 'a machine that drops frames');
  equal([chosen(300e3), chosen(2e6), chosen(10e6)], [240, 480, 1080], 'variants by throughput');
  equal(chosen(50e6, undefined, { size: { width: 640, height: 360 } }), 480, 'no larger than it is shown');
  equal([chosen(1.4e6, variants[1]), chosen(1.4e6, variants[0])], [480, 240], 'a variant is kept more easily than chosen');
  equal(chosen(600e3, variants[3], { ahead: 38 }), 1080, 'BOLA keeps the quality while a lot is buffered');
  const throughput = new adaptation.Throughput(1e6);
  throughput.count({ bytes: 1e6, start: 0, answered: 10, end: 1000, kind: 'video' });
  throughput.count({ bytes: 100, start: 0, answered: 10, end: 9000, kind: 'video' });
  equal(Math.round(throughput.estimate / 1e6), 5, 'the visit before counts until enough was measured');
  for (let index = 0; index < 3; index += 1) throughput.count({ bytes: 1e5, start: 0, answered: 10, end: 4000, kind: 'video' });
  equal(throughput.estimate < 1e6, true, 'a drop counts at once');

  let now = 0;
  const clock = new live.LiveClock(() => now);
  clock.update({ control: { partHoldBack: 1.5 }, partTarget: 0.5, targetDuration: 4 });
  equal([clock.target, clock.nearest], [1.5, 1], 'distances of a playlist with parts');
  equal([clock.rate(1.5).rate, clock.rate(1.7).rate > 1, clock.rate(1.3).rate < 1, clock.rate(3).rate, clock.rate(9).jump], [1, true, true, 1.03, true], 'rates');
  now = 11;
  clock.rate(1.5);
  equal(clock.target < 1.5, true, 'nearer after ten calm seconds');
  for (let index = 0; index < 100; index += 1) { now += 3; clock.rate(1.2); }
  equal(clock.target, 1, 'never nearer than two parts');
  clock.stalled();
  equal(clock.target, 1.5, 'further away after a stall');

  equal([fetching.backOff(1, () => 1), fetching.backOff(3, () => 1), fetching.backOff(99, () => 1), fetching.backOff(1, () => 0)], [300, 1200, 15000, 150], 'pauses between tries');
  equal(tester.checkMedia(first).map(([name]) => name), ['gap'], 'findings of a good playlist');
  const poor = playlist.parseMedia('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PART-INF:PART-TARGET=0.5\n#EXT-X-SERVER-CONTROL:PART-HOLD-BACK=0.6,HOLD-BACK=3\n#EXTINF:4,\na.ts\n', base);
  equal(tester.checkMedia(poor).map(([name]) => name), ['hold-back', 'part-hold-back', 'no-dates', 'too-long', 'no-map'], 'findings of a poor one');
  // iPhones have the managed source only; where both are, it is taken.
  const own = globalThis.ManagedMediaSource;
  globalThis.ManagedMediaSource = class Managed {};
  equal(buffer.mediaSourceClass() === globalThis.ManagedMediaSource, true, 'managed source');
  if (own) globalThis.ManagedMediaSource = own; else delete globalThis.ManagedMediaSource;
  equal([buffer.endOfRange([[0, 5], [5.05, 9], [12, 20]], 2), buffer.endOfRange([[3, 5]], 1)], [9, 1], 'ends of what is buffered');

  equal(buffer.typeOfEntries('audio/mp4; codecs="mp4a.40.2"', ['mp4a']), 'audio/mp4; codecs="mp4a.40.2"', 'a buffer whose codec fits');
  equal(buffer.typeOfEntries('audio/mp4; codecs="opus"', ['mp4a']), 'audio/mp4; codecs="mp4a.40.2"', 'a buffer whose codec changes');
  let lacking;
  try { buffer.typeOfEntries('audio/mp4; codecs="opus"', ['ac-3']); } catch (error) { lacking = error.code; }
  equal(lacking, 'unsupported', 'a codec without a decoder');

  // Dates place a viewer again; a hole of more than ten seconds, or a date range of a programme, begins a programme.
  const dated = playlist.parseMedia('#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z\n#EXTINF:2,\n1.m4s\n'
    + '#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:30.000Z\n#EXTINF:2,\n2.m4s\n#EXTINF:2,\n3.m4s\n', base);
  [0, 2, 4].forEach((start, index) => { dated.segments[index].start = start; });
  const timeline = new renditions.Timeline();
  timeline.note(dated.segments);
  const at = (seconds) => timeline.time(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000);
  equal([at(1), at(31), at(33), at(-5)], [1, 3, 5, -5], 'times of dates');
  equal(live.programmeStart(dated, (date) => timeline.time(date)), 2, 'the start of a programme after an interruption');
  dated.ranges.set('a', { ID: 'a', CLASS: 'org.example.programme', 'START-DATE': '2026-01-01T00:00:33Z', 'X-TITLE': 'Final' });
  dated.ranges.set('b', { ID: 'b', CLASS: 'org.example.ad', 'START-DATE': '2026-01-01T00:00:32Z' });
  equal(live.programmeStart(dated, (date) => timeline.time(date)), 5, 'the start of a programme that has a date range');
  equal(live.namedRanges(dated).map(({ name }) => name), ['Final'], 'named date ranges');

  // An initialization section with a priming of 1,024 of 44,100, and a run whose last frame is short.
  const box = (name, ...parts) => {
    const inside = parts.flatMap((part) => (typeof part === 'string' ? [...bytes(part)] : part));
    return [...bytes((inside.length + 8).toString(16).padStart(8, '0')), ...[...name].map((letter) => letter.charCodeAt(0)), ...inside];
  };
  const zeros = (length) => '00'.repeat(length);
  const initial = Uint8Array.from(box('moov', box('trak', box('tkhd', `00000000${zeros(8)}00000001${zeros(12)}`),
    box('edts', box('elst', `0100000000000001${zeros(8)}000000000000040000010000`)),
    box('mdia', box('mdhd', `00000000${zeros(8)}0000ac44${zeros(8)}`), box('minf', box('stbl', box('stsd', '0000000000000001', box('mp4a', zeros(8)))))))));
  const read = mp4.readInitialization(initial);
  equal([[...read.scales], read.entries], [[[1, 44100]], ['mp4a']], 'an initialization section');
  equal(gapless.primingOf(initial, read.scales), 1024 / 44100, 'priming');
  const fragment = Uint8Array.from(box('moof', box('traf', box('trun', '0000030100000002', zeros(4), '00000400', '00000064', '00000220', '00000064'))));
  gapless.fillLastFrame(fragment);
  equal(digits(fragment.slice(-8)), '0000040000000064', 'the last frame is as long as the others');

  const played = [];
  const queue = new queues.Queue({ play: (item) => played.push(item) });
  Object.assign(queue, { isShuffled: false, repeatsAll: false });
  queue.set(['a', 'b', 'c'], 1);
  queue.ended();
  queue.ended();
  equal([played, queue.next ?? null], [['b', 'c'], null], 'the end of the queue');
  queue.repeatsAll = true;
  queue.ended();
  queue.go(-1);
  equal(played, ['b', 'c', 'a', 'c'], 'a queue that repeats');
  queue.isShuffled = true;
  queue.set(['a', 'b', 'c', 'd'], 2);
  for (let index = 0; index < 3; index += 1) queue.go(1);
  equal([played.at(-4), played.slice(-4).sort()], ['c', ['a', 'b', 'c', 'd']], 'a shuffled queue has each once, the chosen one first');
  return count;
})()
