// Samples of fragmented MP4 that are encrypted by the scheme cbcs (ISO/IEC 23001-7, 10.4): AES-128 in CBC mode, which begins
// with the same vector in each protected range, and of video takes one block of ten. It is decrypted here and not by the
// browser (Encrypted Media Extensions), which does it in secure contexts only, and not everywhere with this scheme.

import { decryptBlocks } from './aes.js';
import { boxes, viewOf } from './mp4.js';

const blockSize = 16;
/** Bytes of a sample entry before the boxes in it. */
const fieldsOfEntries = { encv: 78, enca: 28 };

const rename = (view, content, name) => [...name].forEach((letter, index) => view.setUint8(content - 4 + index, letter.charCodeAt(0)));

/**
 * Turns an initialization section into that of media in the clear, in place; the encryption of its track, or `undefined` if
 * it has none.
 */
export const openInitialization = (bytes) => {
  const view = viewOf(bytes);
  let found;
  const visitProtection = (entry) => (box, from, to) => {
    if (box === 'frma') rename(view, entry, String.fromCharCode(...bytes.subarray(from, from + 4)));
    if (box === 'schi') boxes(view, from, to, visitProtection(entry));
    if (box === 'tenc' && to - from >= 25) {
      const size = view.getUint8(from + 24);
      found = {
        encrypted: view.getUint8(from + 5) >> 4, skipped: view.getUint8(from + 5) & 15, vector: bytes.slice(from + 25, from + 25 + size),
      };
    }
  };
  const visit = (box, from, to) => {
    if (['moov', 'trak', 'mdia', 'minf', 'stbl'].includes(box)) boxes(view, from, to, visit);
    if (box === 'stsd') boxes(view, from + 8, to, visit);
    const fields = fieldsOfEntries[box];
    if (!fields) return;
    boxes(view, from + fields, to, (inner, start, end) => {
      if (inner !== 'sinf') return;
      boxes(view, start, end, visitProtection(from));
      rename(view, start, 'free');
    });
  };
  boxes(view, 0, view.byteLength, visit);
  return found?.vector.byteLength === blockSize ? found : undefined;
};

/** Decrypts the protected ranges of a segment's samples in place. `track` is what its initialization section says. */
export const decryptSamples = (bytes, track, key) => {
  const view = viewOf(bytes);
  boxes(view, 0, view.byteLength, (box, from, to) => {
    if (box !== 'moof') return;
    boxes(view, from, to, (inner, start, end) => {
      if (inner !== 'traf') return;
      let [run, size, ranges] = [undefined, 0, undefined];
      boxes(view, start, end, (part, at, until) => {
        if (part === 'tfhd') size = defaultSize(view, at, until);
        if (part === 'trun') run = readRun(view, at, until, size);
        if (part === 'senc') ranges = readRanges(view, at, until);
        if (['senc', 'saiz', 'saio'].includes(part)) rename(view, at, 'free');
      });
      let position = from - 8 + (run?.offset ?? 0);
      run?.sizes.forEach((length, index) => {
        const sample = bytes.subarray(position, position + length);
        for (const [first, count] of ranges?.[index] || [[0, length]]) decryptRange(sample.subarray(first, first + count), track, key);
        position += length;
      });
    });
  });
  return bytes;
};

const decryptRange = (range, { encrypted, skipped, vector }, key) => {
  const step = encrypted && skipped ? encrypted + skipped : 1;
  const taken = encrypted && skipped ? encrypted : 1;
  const places = [];
  const count = Math.floor(range.byteLength / blockSize);
  for (let block = 0; block < count; block += 1) if (block % step < taken) places.push(block * blockSize);
  if (places.length === 0) return;
  const sealed = new Uint8Array(places.length * blockSize);
  places.forEach((place, index) => sealed.set(range.subarray(place, place + blockSize), index * blockSize));
  const open = decryptBlocks(sealed, key, vector);
  places.forEach((place, index) => range.set(open.subarray(index * blockSize, (index + 1) * blockSize), place));
};

const flagsOf = (view, at) => view.getUint32(at) & 0xffffff;

/** The size of samples that the run does not tell. */
const defaultSize = (view, at, until) => {
  const flags = flagsOf(view, at);
  if (!(flags & 0x10)) return 0;
  const place = at + 8 + (flags & 1 ? 8 : 0) + (flags & 2 ? 4 : 0) + (flags & 8 ? 4 : 0);
  return place + 4 <= until ? view.getUint32(place) : 0;
};

/** The sizes of a run's samples, and where the first one begins from the start of the fragment. */
const readRun = (view, at, until, size) => {
  const flags = flagsOf(view, at);
  const count = view.getUint32(at + 4);
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => flags & flag);
  let place = at + 8;
  let offset = 0;
  if (flags & 1) {
    offset = view.getInt32(place);
    place += 4;
  }
  if (flags & 4) place += 4;
  const before = flags & 0x100 ? 4 : 0;
  const sizes = [];
  for (let index = 0; index < count && place + fields.length * 4 <= until; index += 1, place += fields.length * 4) {
    sizes.push(flags & 0x200 ? view.getUint32(place + before) : size);
  }
  return { offset, sizes };
};

/** The protected ranges of each sample, as starts and lengths. */
const readRanges = (view, at, until) => {
  if (!(flagsOf(view, at) & 2)) return undefined;
  const count = view.getUint32(at + 4);
  const samples = [];
  let place = at + 8;
  for (let index = 0; index < count && place + 2 <= until; index += 1) {
    const pieces = view.getUint16(place);
    place += 2;
    const ranges = [];
    let position = 0;
    for (let piece = 0; piece < pieces && place + 6 <= until; piece += 1, place += 6) {
      position += view.getUint16(place);
      const length = view.getUint32(place + 2);
      if (length) ranges.push([position, length]);
      position += length;
    }
    samples.push(ranges);
  }
  return samples;
};
