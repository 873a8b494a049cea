// HLS playlists (RFC 8216bis): text in, plain objects out. Nothing is fetched here, and times stay those of the playlist.

const attributePattern = /([A-Z0-9-]+)=("[^"]*"|[^,]*)/g;

/** The attributes of a tag by their names; quoted strings without their quotes. */
export const attributes = (text) => {
  const found = {};
  for (const [, name, value] of text.matchAll(attributePattern)) {
    found[name] = value.startsWith('"') ? value.slice(1, -1) : value;
  }
  return found;
};

const number = (text) => (text === undefined || text === '' || Number.isNaN(Number(text)) ? undefined : Number(text));
const isYes = (text) => text === 'YES';

/** `LENGTH@START` of a resource; without a start it begins where the one before it in the same resource has ended. */
const byteRange = (text, end) => {
  if (!text) return undefined;
  const [length, start] = text.split('@').map(Number);
  return { start: start ?? end ?? 0, length };
};

export const isPlaylist = (text) => text.startsWith('#EXTM3U');
export const isMultivariant = (text) => /^#EXT-X-STREAM-INF:/m.test(text);

/**
 * A multivariant playlist: variants, renditions of audio and subtitles, and variants of I-frames, with absolute addresses.
 */
export const parseMultivariant = (text, address) => {
  const playlist = { address, variants: [], audio: [], subtitles: [], imageVariants: [], sessionData: {}, start: undefined };
  const absolute = (uri) => new URL(uri, address).href;
  let stream;
  for (const line of text.split(/\r?\n/)) {
    if (stream && line && !line.startsWith('#')) {
      playlist.variants.push(variant(stream, absolute(line)));
      stream = undefined;
    } else if (line.startsWith('#EXT-X-STREAM-INF:')) {
      stream = attributes(line.slice(18));
    } else if (line.startsWith('#EXT-X-I-FRAME-STREAM-INF:')) {
      const found = attributes(line.slice(26));
      if (found.URI) playlist.imageVariants.push(variant(found, absolute(found.URI)));
    } else if (line.startsWith('#EXT-X-MEDIA:')) {
      const found = attributes(line.slice(13));
      const list = { AUDIO: playlist.audio, SUBTITLES: playlist.subtitles }[found.TYPE];
      if (list) {
        list.push({
          group: found['GROUP-ID'], name: found.NAME || found.LANGUAGE || '', language: found.LANGUAGE || '',
          isDefault: isYes(found.DEFAULT), isSelectedByItself: isYes(found.AUTOSELECT), isForced: isYes(found.FORCED),
          channels: number((found.CHANNELS || '').split('/')[0]), characteristics: (found.CHARACTERISTICS || '').split(','),
          address: found.URI ? absolute(found.URI) : undefined,
        });
      }
    } else if (line.startsWith('#EXT-X-SESSION-DATA:')) {
      const found = attributes(line.slice(20));
      playlist.sessionData[found['DATA-ID']] = found.URI ? absolute(found.URI) : found.VALUE;
    } else if (line.startsWith('#EXT-X-START:')) {
      playlist.start = startPoint(attributes(line.slice(13)));
    }
  }
  return playlist;
};

const variant = (found, address) => {
  const [width, height] = (found.RESOLUTION || '').split('x').map(Number);
  return {
    address, bandwidth: number(found.BANDWIDTH) || 0, averageBandwidth: number(found['AVERAGE-BANDWIDTH']),
    codecs: (found.CODECS || '').split(',').map((codec) => codec.trim()).filter(Boolean),
    width: width || 0, height: height || 0, frameRate: number(found['FRAME-RATE']), range: found['VIDEO-RANGE'] || 'SDR',
    audioGroup: found.AUDIO, subtitleGroup: found.SUBTITLES,
  };
};

const startPoint = (found) => ({ offset: number(found['TIME-OFFSET']) || 0, isPrecise: isYes(found.PRECISE) });

/**
 * A media playlist.
 *
 * Segments have: `sequence`, `address`, `duration`, `range`, `map` (initialization section), `key`, `domain` (the number of
 * discontinuities before it), `date` (milliseconds), `isGap`, `parts`. The segment that is still being made is the last one,
 * with `address` undefined. `previous` fills what a delta update leaves out; the playlist is `undefined` if it cannot.
 */
export const parseMedia = (text, address, previous) => {
  const playlist = {
    address, targetDuration: 6, partTarget: undefined, sequence: 0, domain: 0, isEnded: false, segments: [],
    hint: undefined, reports: [], ranges: new Map(), start: undefined, skipped: 0,
    control: { canBlock: false, holdBack: undefined, partHoldBack: undefined, skipUntil: undefined },
  };
  const absolute = (uri) => new URL(uri, address).href;
  const ends = new Map();
  const ranged = (uri, text_) => {
    const range = byteRange(text_, ends.get(uri));
    if (range) ends.set(uri, range.start + range.length);
    return range;
  };
  let [map, key, domain, date, next, hasDomain] = [undefined, undefined, 0, undefined, {}, false];
  const open = () => {
    next.parts ??= [];
    return next;
  };
  const close = (fields) => {
    const last = playlist.segments.at(-1);
    const sequence = last ? last.sequence + 1 : playlist.sequence;
    if (!hasDomain && playlist.segments.length === 0) domain += playlist.domain;
    hasDomain = true;
    const parts = next.parts || [];
    const duration = fields.duration ?? parts.reduce((sum, part) => sum + part.duration, 0);
    const own = next.date ?? date;
    playlist.segments.push({
      sequence, map, key, domain, isGap: Boolean(next.isGap), parts, date: own, ...fields, duration,
    });
    parts.forEach((part, index) => Object.assign(part, { sequence, index, map, key, domain }));
    date = own === undefined ? undefined : own + duration * 1000;
    next = {};
  };
  let [duration, pending] = [undefined, undefined];
  for (const line of text.split(/\r?\n/)) {
    if (!line) continue;
    if (!line.startsWith('#')) {
      close({ address: absolute(line), duration: duration ?? 0, range: ranged(line, pending) });
      [duration, pending] = [undefined, undefined];
      continue;
    }
    const colon = line.indexOf(':');
    const [tag, rest] = colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1)];
    switch (tag) {
      case '#EXTINF': duration = parseFloat(rest) || 0; break;
      case '#EXT-X-BYTERANGE': pending = rest; break;
      case '#EXT-X-TARGETDURATION': playlist.targetDuration = number(rest) || 6; break;
      case '#EXT-X-MEDIA-SEQUENCE': playlist.sequence = number(rest) || 0; break;
      case '#EXT-X-DISCONTINUITY-SEQUENCE': playlist.domain = number(rest) || 0; break;
      case '#EXT-X-ENDLIST': playlist.isEnded = true; break;
      case '#EXT-X-DISCONTINUITY': domain += 1; [date, next.date] = [undefined, undefined]; break;
      case '#EXT-X-GAP': next.isGap = true; break;
      case '#EXT-X-PROGRAM-DATE-TIME': next.date = Date.parse(rest) || undefined; break;
      case '#EXT-X-START': playlist.start = startPoint(attributes(rest)); break;
      case '#EXT-X-PART-INF': playlist.partTarget = number(attributes(rest)['PART-TARGET']); break;
      case '#EXT-X-SERVER-CONTROL': {
        const found = attributes(rest);
        playlist.control = {
          canBlock: isYes(found['CAN-BLOCK-RELOAD']), holdBack: number(found['HOLD-BACK']),
          partHoldBack: number(found['PART-HOLD-BACK']), skipUntil: number(found['CAN-SKIP-UNTIL']),
        };
        break;
      }
      case '#EXT-X-MAP': {
        const found = attributes(rest);
        map = { address: absolute(found.URI), range: byteRange(found.BYTERANGE), key };
        break;
      }
      case '#EXT-X-KEY': {
        const found = attributes(rest);
        key = found.METHOD === 'NONE' ? undefined
          : { method: found.METHOD, address: found.URI && absolute(found.URI), vector: found.IV, format: found.KEYFORMAT };
        break;
      }
      case '#EXT-X-PART': {
        const found = attributes(rest);
        open().parts.push({
          address: absolute(found.URI), duration: number(found.DURATION) || 0, isIndependent: isYes(found.INDEPENDENT),
          isGap: isYes(found.GAP), range: ranged(found.URI, found.BYTERANGE),
        });
        break;
      }
      case '#EXT-X-PRELOAD-HINT': {
        const found = attributes(rest);
        if (found.TYPE === 'PART') {
          playlist.hint = { address: absolute(found.URI), start: number(found['BYTERANGE-START']), length: number(found['BYTERANGE-LENGTH']) };
        }
        break;
      }
      case '#EXT-X-RENDITION-REPORT': {
        const found = attributes(rest);
        playlist.reports.push({ address: absolute(found.URI), sequence: number(found['LAST-MSN']), part: number(found['LAST-PART']) });
        break;
      }
      case '#EXT-X-DATERANGE': {
        const found = attributes(rest);
        if (found.ID) playlist.ranges.set(found.ID, found);
        break;
      }
      case '#EXT-X-SKIP': {
        const count = number(attributes(rest)['SKIPPED-SEGMENTS']) || 0;
        const kept = takeOver(playlist, previous, count);
        if (!kept) return undefined;
        ({ map, key } = kept);
        [domain, hasDomain] = [kept.domain, true];
        date = kept.date === undefined ? undefined : kept.date + kept.duration * 1000;
        break;
      }
      default: break;
    }
  }
  if (next.parts?.length) close({ address: undefined });
  playlist.duration = playlist.segments.reduce((sum, segment) => sum + segment.duration, 0);
  playlist.hasDates = playlist.segments.some((segment) => segment.date !== undefined);
  return playlist;
};

/** Copies the segments that a delta update skips from the playlist before it; the last one, or `undefined`. */
const takeOver = (playlist, previous, count) => {
  const first = previous?.segments.findIndex((segment) => segment.sequence === playlist.sequence) ?? -1;
  if (first < 0 || previous.segments.length < first + count || count < 1) return undefined;
  const kept = previous.segments.slice(first, first + count);
  if (kept.some((segment) => segment.address === undefined)) return undefined;
  playlist.segments.push(...kept.map((segment) => ({ ...segment })));
  playlist.skipped = count;
  for (const [id, range] of previous.ranges) playlist.ranges.set(id, range);
  return kept.at(-1);
};
