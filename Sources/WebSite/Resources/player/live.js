// How far behind a live programme the player is, and how it keeps that: by the playback rate, within 3 %.

const [slowest, fastest] = [0.97, 1.03];
/** A difference that the rate leaves alone, in seconds. */
const deadBand = 0.04;
/** After so many seconds without a stall the player goes nearer, a step at a time. */
const calm = 10;
const step = 0.1;
/** What a stall adds to the distance, in seconds. */
const retreat = 0.5;
/** A player that is further behind than this jumps, because the rate would take minutes. */
const jumpFrom = 4;

export class LiveClock {
  /** @param now seconds of a clock that only goes forward. */
  constructor(now = () => performance.now() / 1000) {
    Object.assign(this, { now, follows: true, target: undefined, nearest: undefined, calmSince: now(), patience: calm });
  }

  /** Takes over what a playlist says of its distances. */
  update({ control, partTarget, targetDuration }) {
    const base = partTarget ? control.partHoldBack ?? 3 * partTarget : control.holdBack ?? 3 * targetDuration;
    if (base === this.base) return;
    Object.assign(this, { base, target: base, nearest: partTarget ? Math.min(base, 2 * partTarget) : base });
    this.calmSince = this.now();
  }

  /**
   * Seconds behind the programme: the end of the playlist moves on between its updates as time does.
   *
   * @param rendition the main rendition.
   * @param time the playing time.
   */
  latency(rendition, time) {
    const since = Math.min((performance.now() - rendition.movedAt) / 1000, 2 * rendition.playlist.targetDuration);
    return rendition.end + Math.max(0, since) - time;
  }

  /** The time at which a player that starts, or goes live, begins. */
  startTime(rendition) { return Math.max(rendition.start, rendition.end - this.target); }

  stalled() {
    if (!this.follows || this.target === undefined) return;
    this.target = Math.min(this.target + retreat, this.base * 2 + 2);
    this.patience = Math.min(this.patience * 2, 300);
    this.calmSince = this.now();
  }

  /** The playback rate that brings the player to its distance; `jump` where it should seek to the live edge. */
  rate(latency) {
    if (!this.follows || this.target === undefined) return { rate: 1, jump: false };
    if (this.now() - this.calmSince >= this.patience && this.target > this.nearest) {
      this.target = Math.max(this.nearest, this.target - step);
      this.calmSince = this.now() - this.patience + 2;
    }
    const difference = latency - this.target;
    if (difference > jumpFrom) return { rate: 1, jump: true };
    if (Math.abs(difference) <= deadBand) return { rate: 1, jump: false };
    return { rate: Math.min(fastest, Math.max(slowest, 1 + difference * 0.1)), jump: false };
  }
}

/** A hole in the dates of this length, in seconds, divides a programme from the one before it. */
const interruption = 10;
/** Date ranges of this class, or of one that ends with it, are programmes. */
const programmeClass = /(^|\.)program(me)?$/i;

const dated = ({ ranges }) => [...ranges.values()].map((range) => ({ range, date: Date.parse(range['START-DATE']) })).filter(({ date }) => date);

/** The date ranges that have a name (X-TITLE), by their dates: `[{ date, name }]`. */
export const namedRanges = (playlist) => dated(playlist).filter(({ range }) => range['X-TITLE'])
  .map(({ range, date }) => ({ date, name: range['X-TITLE'] })).sort((a, b) => a.date - b.date);

/**
 * Where the programme begins that is on at the end of a playlist: at the last date range of a programme, else after the last
 * interruption of what was published.
 *
 * @param timeOf the time at a date.
 */
export const programmeStart = (playlist, timeOf) => {
  const { segments } = playlist;
  const last = segments.at(-1);
  const known = dated(playlist).filter(({ range, date }) => programmeClass.test(range.CLASS || '') && date <= (last?.date === undefined ? Infinity : last.date + last.duration * 1000));
  if (known.length > 0) return timeOf(Math.max(...known.map(({ date }) => date)));
  let first = segments[0];
  segments.forEach((segment, index) => {
    const before = segments[index - 1];
    if (before?.date && segment.date && segment.date - before.date > (before.duration + interruption) * 1000) first = segment;
  });
  return first?.start ?? 0;
};
