// Finds out how the next track goes on in the buffer of the one before, so that nothing is heard of the change.

import { mediaSourceClass } from './buffer.js';
import { boxes, viewOf } from './mp4.js';
import { isMultivariant, isPlaylist, parseMultivariant } from './playlist.js';
import { Rendition, Timeline } from './rendition.js';

/**
 * What the buffer needs to go on with another track; `undefined` if that needs another buffer.
 *
 * @param engine the engine, which has loaded its own track to the end.
 * @param address the playlist of the next one.
 * @param base the time at which it begins.
 * @param signal ends the requests.
 */
export const continuation = async (engine, address, base, signal) => {
  const { requests } = engine;
  const { body, address: final } = await requests.text(address, { signal, kind: 'playlist', tries: 2 });
  if (!isPlaylist(body)) return undefined;
  const own = engine.variant;
  const master = isMultivariant(body) ? parseMultivariant(body, final) : { address: final, variants: [{ ...own, address: final }] };
  const family = ({ codecs }) => codecs.map((codec) => codec.split('.')[0]).join();
  const type = ({ codecs }) => `audio/mp4; codecs="${codecs.join(',')}"`;
  const alike = master.variants.filter((one) => family(one) === family(own) && mediaSourceClass().isTypeSupported(type(one)));
  if (alike.length < master.variants.length || alike.length === 0) return undefined;
  const variants = alike.map((one) => ({ ...one, videoCodecs: [], audioCodecs: one.codecs })).sort((a, b) => a.bandwidth - b.bandwidth);
  const variant = variants.findLast(({ bandwidth }) => bandwidth <= Math.max(own.bandwidth, variants[0].bandwidth));
  const timeline = new Timeline();
  const rendition = new Rendition({ address: variant.address, requests, timeline, isMain: true, base });
  await rendition.load(signal);
  if (rendition.isLive || !rendition.segments[0]?.map) return undefined;
  return {
    address, master, variants, variant, base, end: rendition.end, rendition, type: type(variant),
    more: { timeline, window: { start: base, end: rendition.end } },
  };
};

/** The seconds at the beginning of an audio track that are decoded and not heard: the media time of its edit list. */
export const primingOf = (bytes, scales) => {
  const view = viewOf(bytes);
  let time = 0;
  const visit = (box, from, to) => {
    if (['moov', 'trak', 'edts'].includes(box)) boxes(view, from, to, visit);
    if (box !== 'elst' || to - from < 20) return;
    // The last edit: one before it is empty, for a late start.
    const isLong = view.getUint8(from) === 1;
    const at = from + 8 + (view.getUint32(from + 4) - 1) * (isLong ? 20 : 12);
    if (at < from + 8 || at + (isLong ? 16 : 8) > to) return;
    time = isLong ? Number(view.getBigInt64(at + 8)) : view.getInt32(at + 4);
  };
  boxes(view, 0, view.byteLength, visit);
  const [scale] = scales.values();
  return scales.size === 1 && time > 0 ? time / scale : 0;
};

/**
 * Gives the last frame of a segment the length of the others. A decoder makes a whole frame of it in any case, and only what
 * reaches over the end of the buffer's window is cut.
 */
export const fillLastFrame = (bytes) => {
  const view = viewOf(bytes);
  boxes(view, 0, view.byteLength, (box, from, to) => {
    if (box !== 'moof') return;
    boxes(view, from, to, (inner, start, end) => {
      if (inner !== 'traf') return;
      boxes(view, start, end, (part, at, until) => {
        if (part !== 'trun') return;
        const [flags, count] = [view.getUint32(at) & 0xffffff, view.getUint32(at + 4)];
        const first = at + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0);
        const size = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag).length * 4;
        const last = first + (count - 1) * size;
        if (!(flags & 0x100) || count < 2 || last + size > until) return;
        view.setUint32(last, Math.max(view.getUint32(first), view.getUint32(last)));
      });
    });
  });
};
