// AES-128 segments (RFC 8216bis, 5.2): AES in CBC mode with PKCS7, by WebCrypto where the page is a secure context. Segments
// whose samples are encrypted (SAMPLE-AES) are decrypted by `cbcs.js`.

import { PlayerError } from './fetch.js';

/** The initialization vector of a segment: that of its key, otherwise its number. */
export const vectorOf = (key, sequence) => {
  const vector = new Uint8Array(16);
  if (key.vector) {
    const digits = key.vector.replace(/^0x/i, '').padStart(32, '0');
    for (let index = 0; index < 16; index += 1) vector[index] = parseInt(digits.slice(index * 2, index * 2 + 2), 16);
  } else {
    new DataView(vector.buffer).setBigUint64(8, BigInt(sequence));
  }
  return vector;
};

const isSamples = (key) => key.method === 'SAMPLE-AES';

export class Decryption {
  #keys = new Map();
  #tracks = new Map();

  constructor(requests, subtle = globalThis.crypto?.subtle) { Object.assign(this, { requests, subtle }); }

  /** Whether the player can decrypt what such a key encrypts. */
  static supports(key) { return (key.method === 'AES-128' || isSamples(key)) && (!key.format || key.format === 'identity'); }

  async decrypt(bytes, key, sequence, signal) {
    if (!Decryption.supports(key)) throw new PlayerError('unsupported', { detail: key.method });
    const secret = await this.#key(key, signal);
    try {
      if (isSamples(key)) return await this.#decryptSamples(bytes, key, secret);
      const vector = vectorOf(key, sequence);
      if (this.subtle) return new Uint8Array(await this.subtle.decrypt({ name: 'AES-CBC', iv: vector }, secret, bytes));
      const { decryptCBC } = await import('./aes.js');
      return decryptCBC(bytes, secret, vector);
    } catch (cause) {
      throw new PlayerError('key', { address: key.address, cause });
    }
  }

  /** Decrypts the samples of a segment; of an initialization section it learns how they are encrypted. */
  async #decryptSamples(bytes, key, secret) {
    const { decryptSamples, openInitialization } = await import('./cbcs.js');
    const own = new Uint8Array(bytes);
    const track = openInitialization(own);
    // Each rendition has a vector of its own.
    if (track) this.#tracks.set(key.vector, track);
    const known = this.#tracks.get(key.vector);
    if (!known) throw new RangeError('the initialization section is not encrypted');
    return track ? own : decryptSamples(own, known, secret);
  }

  /** A key is fetched once; one that could not be fetched is asked for again. */
  #key(key, signal) {
    const { address } = key;
    if (!this.#keys.has(address)) {
      const found = this.#fetchKey(key, signal);
      found.catch(() => this.#keys.delete(address));
      this.#keys.set(address, found);
    }
    return this.#keys.get(address);
  }

  async #fetchKey(key, signal) {
    const { address } = key;
    const { body } = await this.requests.bytes(address, { signal, kind: 'key' });
    if (body.byteLength !== 16) throw new PlayerError('key', { address, detail: `${body.byteLength} bytes` });
    return this.subtle && !isSamples(key) ? this.subtle.importKey('raw', body, 'AES-CBC', false, ['decrypt']) : body;
  }
}
