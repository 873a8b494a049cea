// What the player has to know of fragmented MP4 (ISO/IEC 14496-12): timescales of tracks, and when a fragment begins.

const name = (view, at) => String.fromCharCode(view.getUint8(at), view.getUint8(at + 1), view.getUint8(at + 2), view.getUint8(at + 3));

/** Calls `visit` with each box of a range: its name and the bounds of what is in it. Stops at a box that does not fit. */
export const boxes = (view, start, end, visit) => {
  for (let at = start; at + 8 <= end;) {
    let [size, header] = [view.getUint32(at), 8];
    if (size === 1 && at + 16 <= end) [size, header] = [Number(view.getBigUint64(at + 8)), 16];
    if (size === 0) size = end - at;
    if (size < header || at + size > end) return;
    visit(name(view, at + 4), at + header, at + size);
    at += size;
  }
};

export const viewOf = (bytes) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** What an initialization section says: `scales`, timescales by the IDs of tracks, and `entries`, the names of sample entries. */
export const readInitialization = (bytes) => {
  const view = viewOf(bytes);
  const found = { scales: new Map(), entries: [] };
  boxes(view, 0, view.byteLength, (box, from, to) => {
    if (box !== 'moov') return;
    boxes(view, from, to, (inner, start, end) => {
      if (inner !== 'trak') return;
      let [track, scale] = [0, 0];
      boxes(view, start, end, (part, at, until) => {
        if (part === 'tkhd' && until - at >= 24) track = view.getUint32(at + (view.getUint8(at) === 1 ? 20 : 12));
        if (part !== 'mdia') return;
        const visit = (media, head, tail) => {
          if (media === 'mdhd' && tail - head >= 24) scale = view.getUint32(head + (view.getUint8(head) === 1 ? 20 : 12));
          if (media === 'minf' || media === 'stbl') boxes(view, head, tail, visit);
          if (media === 'stsd' && tail - head >= 16) found.entries.push(name(view, head + 12));
        };
        boxes(view, at, until, visit);
      });
      if (track && scale) found.scales.set(track, scale);
    });
  });
  return found;
};

/** When the first frame of a segment is shown, in seconds of its own timeline; `undefined` if it does not say. */
export const firstTime = (bytes, scales) => {
  const view = viewOf(bytes);
  let earliest;
  boxes(view, 0, view.byteLength, (box, from, to) => {
    if (box !== 'moof' || earliest !== undefined) return;
    boxes(view, from, to, (inner, start, end) => {
      if (inner !== 'traf') return;
      let [track, decoded, shift] = [0, undefined, 0];
      boxes(view, start, end, (part, at, until) => {
        if (part === 'tfhd' && until - at >= 8) track = view.getUint32(at + 4);
        if (part === 'tfdt' && until - at >= 8) {
          decoded = view.getUint8(at) === 1 && until - at >= 12 ? Number(view.getBigUint64(at + 4)) : view.getUint32(at + 4);
        }
        if (part === 'trun') shift = firstOffset(view, at, until);
      });
      const scale = scales.get(track);
      if (decoded === undefined || !scale) return;
      const time = (decoded + shift) / scale;
      if (earliest === undefined || time < earliest) earliest = time;
    });
  });
  return earliest;
};

/** The composition offset of the first sample of a run. */
const firstOffset = (view, at, until) => {
  const flags = view.getUint32(at) & 0xffffff;
  if (!(flags & 0x800)) return 0;
  const place = at + 8 + (flags & 1 ? 4 : 0) + (flags & 4 ? 4 : 0) + (flags & 0x100 ? 4 : 0) + (flags & 0x200 ? 4 : 0) + (flags & 0x400 ? 4 : 0);
  if (place + 4 > until) return 0;
  return view.getUint8(at) === 0 ? view.getUint32(place) : view.getInt32(place);
};
