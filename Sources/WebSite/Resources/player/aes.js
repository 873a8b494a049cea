// AES-128 decryption in CBC mode (FIPS 197, SP 800-38A) with tables, for pages without WebCrypto, which is only there in
// secure contexts. The keys are known to the page anyway, so that it need not take the same time for each.

const [box, inverseBox] = [new Uint8Array(256), new Uint8Array(256)];
const tables = [0, 1, 2, 3].map(() => new Uint32Array(256));

const times = (left, right) => {
  let [product, factor] = [0, left];
  for (let bits = right; bits; bits >>= 1) {
    if (bits & 1) product ^= factor;
    factor = (factor << 1) ^ (factor & 0x80 ? 0x11b : 0);
  }
  return product;
};

// The S-box: the inverse in GF(2⁸), found by walking a generator (3) and its inverse (0xf6) beside each other.
let [power, inverse] = [1, 1];
do {
  power = times(power, 3);
  inverse = times(inverse, 0xf6);
  const turned = inverse ^ (inverse << 1) ^ (inverse << 2) ^ (inverse << 3) ^ (inverse << 4);
  box[power] = (turned ^ (turned >> 8) ^ 0x63) & 0xff;
} while (power !== 1);
box[0] = 0x63;
for (let byte = 0; byte < 256; byte += 1) inverseBox[box[byte]] = byte;
for (let byte = 0; byte < 256; byte += 1) {
  const value = inverseBox[byte];
  const column = ((times(value, 14) << 24) | (times(value, 9) << 16) | (times(value, 13) << 8) | times(value, 11)) >>> 0;
  for (let turn = 0; turn < 4; turn += 1) tables[turn][byte] = ((column >>> (8 * turn)) | (column << (32 - 8 * turn))) >>> 0;
}

const rounds = 10;

/** The round keys of the equivalent inverse cipher, in the order in which decryption uses them. */
const expand = (key) => {
  const view = new DataView(key.buffer, key.byteOffset, 16);
  const words = new Uint32Array(4 * (rounds + 1));
  for (let index = 0; index < 4; index += 1) words[index] = view.getUint32(index * 4);
  let constant = 1;
  for (let index = 4; index < words.length; index += 1) {
    let word = words[index - 1];
    if (index % 4 === 0) {
      word = (word << 8) | (word >>> 24);
      word = (box[word >>> 24] << 24) | (box[(word >>> 16) & 255] << 16) | (box[(word >>> 8) & 255] << 8) | box[word & 255];
      word ^= constant << 24;
      constant = times(constant, 2);
    }
    words[index] = words[index - 4] ^ word;
  }
  const turned = new Uint32Array(words.length);
  for (let round = 0; round <= rounds; round += 1) {
    for (let column = 0; column < 4; column += 1) {
      const word = words[(rounds - round) * 4 + column];
      turned[round * 4 + column] = round === 0 || round === rounds ? word
        : tables[0][box[word >>> 24]] ^ tables[1][box[(word >>> 16) & 255]] ^ tables[2][box[(word >>> 8) & 255]] ^ tables[3][box[word & 255]];
    }
  }
  return turned;
};

/** Decrypts whole blocks, without taking padding off. */
export const decryptBlocks = (bytes, key, vector) => {
  if (bytes.byteLength % 16) throw new RangeError('not whole blocks');
  const schedule = expand(key);
  const input = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const result = new Uint8Array(bytes.byteLength);
  const output = new DataView(result.buffer);
  const chain = new DataView(vector.buffer, vector.byteOffset, 16);
  const before = [0, 4, 8, 12].map((at) => chain.getUint32(at));
  const [first, second, third, fourth] = tables;
  for (let block = 0; block < bytes.byteLength; block += 16) {
    const sent = [input.getUint32(block), input.getUint32(block + 4), input.getUint32(block + 8), input.getUint32(block + 12)];
    let [a, b, c, d] = [sent[0] ^ schedule[0], sent[1] ^ schedule[1], sent[2] ^ schedule[2], sent[3] ^ schedule[3]];
    for (let round = 1; round < rounds; round += 1) {
      const at = round * 4;
      const e = first[a >>> 24] ^ second[(d >>> 16) & 255] ^ third[(c >>> 8) & 255] ^ fourth[b & 255] ^ schedule[at];
      const f = first[b >>> 24] ^ second[(a >>> 16) & 255] ^ third[(d >>> 8) & 255] ^ fourth[c & 255] ^ schedule[at + 1];
      const g = first[c >>> 24] ^ second[(b >>> 16) & 255] ^ third[(a >>> 8) & 255] ^ fourth[d & 255] ^ schedule[at + 2];
      const h = first[d >>> 24] ^ second[(c >>> 16) & 255] ^ third[(b >>> 8) & 255] ^ fourth[a & 255] ^ schedule[at + 3];
      [a, b, c, d] = [e, f, g, h];
    }
    const state = [a, b, c, d];
    for (let column = 0; column < 4; column += 1) {
      const word = (inverseBox[state[column] >>> 24] << 24) | (inverseBox[(state[(column + 3) & 3] >>> 16) & 255] << 16)
        | (inverseBox[(state[(column + 2) & 3] >>> 8) & 255] << 8) | inverseBox[state[(column + 1) & 3] & 255];
      output.setUint32(block + column * 4, (word ^ schedule[rounds * 4 + column] ^ before[column]) >>> 0);
      before[column] = sent[column];
    }
  }
  return result;
};

/** Decrypts, and takes the padding of PKCS7 off. */
export const decryptCBC = (bytes, key, vector) => {
  const result = decryptBlocks(bytes, key, vector);
  const padding = result.at(-1);
  const isValid = padding >= 1 && padding <= 16 && result.subarray(-padding).every((byte) => byte === padding);
  if (!isValid) throw new RangeError('the padding is wrong');
  return result.subarray(0, result.byteLength - padding);
};
