// Collects sound in blocks of 1,024 samples, and measures how loud it is.
const BLOCK = 1024;

class BroadcastTap extends AudioWorkletProcessor {
  constructor() {
    super();
    this.samples = new Float32Array(2 * BLOCK);
    this.count = 0;
  }

  process([input]) {
    const [left, right] = [input[0], input[1] ?? input[0]];
    if (!left) return true;
    for (let index = 0; index < left.length; index += 1) {
      this.samples[this.count] = left[index];
      this.samples[BLOCK + this.count] = right[index];
      this.count += 1;
      if (this.count === BLOCK) this.send();
    }
    return true;
  }

  send() {
    let sum = 0;
    for (const sample of this.samples) sum += sample * sample;
    // The square root makes quiet speech visible.
    const level = Math.min(1, Math.sqrt(Math.sqrt(sum / this.samples.length)));
    this.port.postMessage({ samples: this.samples, frames: BLOCK, level }, [this.samples.buffer]);
    this.samples = new Float32Array(2 * BLOCK);
    this.count = 0;
  }
}

registerProcessor('broadcast-tap', BroadcastTap);
