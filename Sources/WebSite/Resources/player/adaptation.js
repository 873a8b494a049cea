// Which variant to load: DYNAMIC (Spiteri, Sitaraman and Sparacio, "From Theory to Practice: Improving Bitrate Adaptation in
// the DASH Reference Player", 2019): by the throughput while little is buffered, by BOLA when there is more. The throughput is
// the lower of two exponentially weighted means, a fast and a slow one, so that a drop counts at once and a peak does not.

/** A body of fewer bytes says more about the delay than about the throughput. */
const leastBytes = 16384;
const firstEstimate = 2_000_000;

export class Throughput {
  #fast = { half: 2, value: 0, weight: 0 };
  #slow = { half: 6, value: 0, weight: 0 };

  /** @param initial bits per second, from the visit before. */
  constructor(initial) { this.initial = initial > 0 ? initial : firstEstimate; }

  /**
   * Counts a request. What a server held back until it was there counts from its first byte on.
   */
  count({ bytes, start, answered, end, kind }) {
    const isHeld = kind === 'part' || kind === 'hint';
    const seconds = (end - (isHeld ? answered : start)) / 1000;
    if (bytes < leastBytes || (isHeld && seconds < 0.005)) return;
    const time = Math.max(seconds, 0.001);
    const rate = (bytes * 8) / time;
    for (const mean of [this.#fast, this.#slow]) {
      const kept = 0.5 ** (time / mean.half);
      mean.value = rate * (1 - kept) + mean.value * kept;
      mean.weight = (1 - kept) + mean.weight * kept;
    }
  }

  get isKnown() { return this.#slow.weight > 0; }

  /** Bits per second. */
  get estimate() {
    if (!this.isKnown) return this.initial;
    const measured = Math.min(...[this.#fast, this.#slow].map(({ value, weight }) => value / weight));
    // Until enough has been measured, the visit before counts, too.
    const share = Math.min(1, this.#slow.weight / 0.2);
    return measured * share + Math.min(this.initial, measured) * (1 - share);
  }
}

/** Shares of the throughput that a variant may need to be chosen, and to be kept. */
const [chosenShare, keptShare] = [0.75, 0.9];
/** Before so many seconds nothing is given up. */
const leastTrial = 1;
/** From so many seconds of buffer on, BOLA decides; below so many the throughput does again. */
const [bolaBegins, bolaEnds] = [12, 8];
const bolaMinimum = 10;

export class Adaptation {
  #usesBola = false;

  /** @param throughput the estimate. */
  constructor(throughput) { Object.assign(this, { throughput, limit: Infinity }); }

  /**
   * The variant to load next.
   *
   * @param variants those that can be played, by rising bandwidth.
   * @param current the one that is loaded; `undefined` at the start.
   * @param ahead seconds of buffer.
   * @param goal seconds of buffer that are kept.
   * @param size `{ width, height }` of the element in pixels of the screen.
   */
  choose(variants, current, { ahead, goal, size }) {
    const allowed = this.#fitting(variants, size);
    const byThroughput = this.#byThroughput(allowed, current, ahead);
    if (ahead >= bolaBegins) this.#usesBola = true;
    if (ahead < bolaEnds) this.#usesBola = false;
    if (!this.#usesBola || !current) return byThroughput;
    const wanted = this.#byBola(allowed, ahead, goal);
    // Up only as far as the throughput carries, so that a full buffer does not lead to a switch there and back.
    if (wanted.bandwidth <= current.bandwidth) return wanted;
    return byThroughput.bandwidth > current.bandwidth ? [wanted, byThroughput].sort((a, b) => a.bandwidth - b.bandwidth)[0] : current;
  }

  /** Variants that are not larger than they are shown, and not larger than the machine has kept up with. */
  #fitting(variants, { width, height }) {
    const fits = (variant) => variant.height === 0 || variant.height <= this.limit;
    const kept = variants.filter(fits);
    const pool = kept.length > 0 ? kept : [variants[0]];
    if (!height) return pool;
    const enough = pool.find((variant) => variant.height >= height || variant.width >= width);
    return enough ? pool.filter((variant) => variant.height <= enough.height) : pool;
  }

  #byThroughput(variants, current, ahead) {
    const { estimate } = this.throughput;
    const carried = variants.filter((variant) => {
      const isKept = current && variant.bandwidth <= current.bandwidth;
      return variant.bandwidth <= estimate * (isKept ? keptShare : chosenShare);
    });
    const best = carried.at(-1) || variants[0];
    // Nothing is gained by a drop while a lot is buffered and the line almost carries what is shown.
    return current && best.bandwidth < current.bandwidth && variants.includes(current) && ahead > bolaEnds
      && current.bandwidth <= estimate ? current : best;
  }

  #byBola(variants, ahead, goal) {
    if (variants.length < 2) return variants[0];
    const utilities = variants.map(({ bandwidth }) => Math.log(bandwidth / variants[0].bandwidth) + 1);
    const full = Math.max(goal, bolaMinimum + 2 * variants.length);
    const gain = (utilities.at(-1) - 1) / (full / bolaMinimum - 1) || 1;
    const weight = bolaMinimum / gain;
    const scores = variants.map(({ bandwidth }, index) => (weight * (utilities[index] + gain) - ahead) / bandwidth);
    return variants[scores.indexOf(Math.max(...scores))];
  }

  /**
   * The variant to load instead of a segment that would end later than the buffer; `undefined` to go on.
   *
   * @param loading `ahead` seconds of buffer; `bytes` that came in `seconds`, of `expected`; the segment's `duration`.
   */
  givesUp(variants, current, { ahead, seconds, expected, bytes, duration }) {
    const at = variants.indexOf(current);
    if (at <= 0 || seconds < leastTrial) return undefined;
    const rate = (bytes * 8) / seconds;
    const left = (Math.max(0, expected - bytes) * 8) / rate;
    if (left <= Math.max(ahead, leastTrial)) return undefined;
    const smaller = variants.slice(0, at).findLast(({ bandwidth }) => bandwidth <= rate * chosenShare) || variants[0];
    return (smaller.bandwidth * duration) / rate < left ? smaller : undefined;
  }
}

/** The share of dropped frames from which the picture is too large for the machine, and up to which it is not. */
const [tooMany, few] = [0.2, 0.05];
/** Frames that are judged together. */
const judgedFrames = 120;
/** Seconds with few dropped frames before a larger picture is tried again, at first and at most. */
const [firstPatience, longestPatience] = [60, 960];

/** How tall a picture may be for the machine to keep up with it. */
export class FrameLimit {
  #counted = { shown: 0, dropped: 0 };
  #patience = firstPatience;

  /** @param now seconds of a clock that only goes forward. */
  constructor(now = () => performance.now() / 1000) { Object.assign(this, { now, height: Infinity, calmSince: now() }); }

  /**
   * Counts frames.
   *
   * @param quality what the element says of its frames.
   * @param heights those of the variants.
   * @param current the height that is shown.
   * @returns whether another height is the limit now.
   */
  note({ totalVideoFrames, droppedVideoFrames }, heights, current) {
    const [shown, dropped] = [totalVideoFrames - this.#counted.shown, droppedVideoFrames - this.#counted.dropped];
    if (shown >= 0 && shown < judgedFrames) return false;
    this.#counted = { shown: totalVideoFrames, dropped: droppedVideoFrames };
    // The element has begun to count again.
    if (shown < 0) return false;
    const share = dropped / shown;
    const smaller = heights.filter((height) => height < current);
    if (share > tooMany && smaller.length > 0) {
      this.height = Math.max(...smaller);
    } else if (this.height === Infinity || share > few || this.now() - this.calmSince < this.#patience) {
      if (share > few) this.calmSince = this.now();
      return false;
    } else {
      const larger = heights.filter((height) => height > this.height).sort((a, b) => a - b);
      this.height = larger.length > 1 ? larger[0] : Infinity;
      this.#patience = Math.min(longestPatience, this.#patience * 2);
    }
    this.calmSince = this.now();
    return true;
  }
}
