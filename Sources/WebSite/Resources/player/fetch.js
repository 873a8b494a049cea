// Requests of the player: tried again with a growing pause and jitter, measured, and ended by a signal.

/**
 * What went wrong, by a code that the controls have words for: `network`, `login`, `rent`, `forbidden`, `off-air`, `missing`,
 * `too-many`, `server`, `playlist`, `unsupported`, `decode`, `key`.
 */
export class PlayerError extends Error {
  constructor(code, { status, address, detail = '', problem, cause } = {}) {
    super(detail || code, { cause });
    Object.assign(this, { name: 'PlayerError', code, status, address, detail, problem });
  }
}

/** Ends like a request that its signal has ended. */
export const aborted = () => new DOMException('aborted', 'AbortError');
export const isAborted = (error) => error?.name === 'AbortError';

/** Waits; ends early, with an `AbortError`, if the signal does. */
export const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
  if (signal?.aborted) { reject(aborted()); return; }
  const stop = () => { clearTimeout(timer); reject(aborted()); };
  const timer = setTimeout(() => { signal?.removeEventListener('abort', stop); resolve(); }, milliseconds);
  signal?.addEventListener('abort', stop, { once: true });
});

const longestPause = 15000;
const firstPause = 300;

/** The pause before the try after `failures`, in milliseconds: doubled each time, and half of it by chance. */
export const backOff = (failures, random = Math.random) =>
  Math.min(longestPause, firstPause * 2 ** Math.min(failures - 1, 10)) * (0.5 + random() / 2);

const codes = { 401: 'login', 402: 'rent', 403: 'forbidden', 404: 'missing', 410: 'missing', 429: 'too-many' };
const isPassing = (status) => status === 408 || status === 425 || status === 429 || status >= 500;

/** How many requests the log keeps. */
const logLength = 500;

export class Requests {
  /**
   * @param onTransfer is given each request for bytes that has ended, for the estimate of the throughput.
   */
  constructor({ onTransfer = () => {} } = {}) {
    Object.assign(this, { onTransfer, log: [] });
  }

  text(address, options = {}) { return this.#get(address, { ...options, read: 'text' }); }

  bytes(address, options = {}) { return this.#get(address, { ...options, read: 'bytes' }); }

  /**
   * Fetches something.
   *
   * @param options `signal`; `range`; `tries` (1 and more); `seconds` until a try counts as failed; `kind` for the log;
   *   `progress`, an object that is told `bytes` and `total` while a body comes; `isMissingPassing` if something that is missing may come yet.
   * @returns `{ body, address, headers }`, with the address after redirections.
   */
  async #get(address, { signal, tries = 4, isMissingPassing = false, ...options }) {
    for (let failures = 1; ; failures += 1) {
      try {
        return await this.#once(address, signal, options);
      } catch (error) {
        if (isAborted(error) && signal?.aborted) throw error;
        const passes = !error.status || isPassing(error.status) || (isMissingPassing && error.status === 404);
        if (!passes || failures >= tries) throw error;
        const asked = Number(error.retryAfter) * 1000;
        await pause(asked > 0 ? Math.min(asked, longestPause) : backOff(failures), signal);
      }
    }
  }

  async #once(address, signal, { range, seconds = 20, kind = 'other', read, priority, progress = {} }) {
    const own = new AbortController();
    const stop = () => own.abort();
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) own.abort();
    const timer = setTimeout(stop, seconds * 1000);
    const entry = { address, kind, start: performance.now(), answered: 0, end: 0, bytes: 0, status: 0 };
    try {
      const headers = range ? { Range: `bytes=${range.start}-${range.start + range.length - 1}` } : {};
      const answer = await fetch(address, { signal: own.signal, headers, priority });
      entry.answered = performance.now();
      entry.status = answer.status;
      if (!answer.ok) throw await this.#refusal(answer, address);
      const body = read === 'text' ? await answer.text() : await this.#whole(answer, range, progress);
      entry.end = performance.now();
      entry.bytes = body.byteLength ?? body.length;
      if (read === 'bytes') this.onTransfer(entry);
      return { body, address: answer.url || address, headers: answer.headers };
    } catch (error) {
      entry.error = error.code || error.name;
      if (error instanceof PlayerError) throw error;
      if (signal?.aborted) throw aborted();
      throw new PlayerError('network', { address, cause: error });
    } finally {
      entry.end ||= performance.now();
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      this.log.push(entry);
      if (this.log.length > logLength) this.log.splice(0, this.log.length - logLength);
    }
  }

  /** The bytes of a body. A server that ignores the range sends the whole resource. */
  async #whole(answer, range, progress) {
    const bytes = await this.#read(answer, progress);
    return range && answer.status === 200 ? bytes.subarray(range.start, range.start + range.length) : bytes;
  }

  async #read(answer, progress) {
    Object.assign(progress, { bytes: 0, total: Number(answer.headers.get('Content-Length')) || 0, began: performance.now() });
    const pieces = [];
    const reader = answer.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      pieces.push(value);
      progress.bytes += value.byteLength;
    }
    if (pieces.length === 1) return pieces[0];
    const whole = new Uint8Array(progress.bytes);
    let at = 0;
    for (const piece of pieces) {
      whole.set(piece, at);
      at += piece.byteLength;
    }
    return whole;
  }

  async #refusal(answer, address) {
    let problem = {};
    try { problem = JSON.parse(await answer.text()); } catch { /* Not from Antena. */ }
    const code = codes[answer.status] || (answer.status >= 500 ? 'server' : 'forbidden');
    const error = new PlayerError(code, {
      status: answer.status, address, detail: problem.detail || '', problem: problem.type,
    });
    error.retryAfter = answer.headers.get('Retry-After');
    return error;
  }
}
