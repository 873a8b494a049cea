// Encodes what is captured, and sends it by WebSocket (docs/ingest.md). Bit rate and frame rate follow the line before
// frames are dropped, and a line that breaks is made again without an end of the broadcast.
import { now } from './broadcastcapture.js';
import { askForTime, contactOf } from './tabletclock.js';

const VIDEO = 0;
const AUDIO = 1;
const HEADER = 16;
const CONFIGURATION = 1;
const FRAME = 2;
/** Codecs by preference. What the server has to convert comes last. */
const VIDEO_CODECS = ['avc1.64001f', 'avc1.4d401f', 'avc1.42e01f', 'avc1.640028', 'vp8', 'vp09.00.31.08'];
const AUDIO_CODECS = ['mp4a.40.2', 'opus'];
/** Microseconds between key frames: segments take 2 s, and a camera's frames are not spaced evenly. */
const KEY_FRAME_INTERVAL = 1.95e6;
/** Seconds of media that wait to be sent: fewer bits from the first on, no frames from the second on. */
const SLOW = 0.4;
const STUCK = 1.5;
const LOWEST_BIT_RATE = 150000;
/** Frames that wait for the encoder of a slow machine. */
const ENCODER_BACKLOG = 3;
/** Milliseconds without a word of the server after which the line counts as broken. */
const SILENCE = 5000;
const LONGEST_PAUSE = 5000;
/** Milliseconds between two measurements of the server's time. */
const CLOCK_INTERVAL = 30000;
/** Codes of close frames after which trying again is of no use. */
const FINAL = [1000, 1003, 1008, 1009, 4403];

export const isAble = () => 'VideoEncoder' in window && 'AudioEncoder' in window && 'AudioWorkletNode' in window
  && ('MediaStreamTrackProcessor' in window || 'requestVideoFrameCallback' in HTMLVideoElement.prototype);

const supported = async (Encoder, configurations) => {
  for (const configuration of configurations) {
    try {
      const { supported: isSupported } = await Encoder.isConfigSupported(configuration);
      if (isSupported) return configuration;
    } catch { /* An old browser does not know a member. */ }
  }
  return undefined;
};

export class Sender {
  constructor({ address, token, preset, settings, capture, onState }) {
    Object.assign(this, { address, token, preset, settings, capture, onState });
    this.startedAt = performance.now();
    this.isStopped = false;
    this.attempts = 0;
    this.dropped = 0;
    this.viewers = 0;
    this.sentBytes = 0;
    this.rates = [];
    this.bitRate = settings.videoBitrate;
    this.needsKeyFrame = true;
    this.keyFrameAt = 0;
    this.videoFrameAt = 0;
    this.turn = 0;
  }

  async start() {
    this.capture.resume();
    if (!await this.prepare()) {
      this.onState('refused', '');
      return;
    }
    this.timer = setInterval(() => this.adapt(), 500);
    this.clockTimer = setInterval(() => this.measureClock(), CLOCK_INTERVAL);
    this.measureClock();
    this.connect();
  }

  /** Makes encoders for what is captured. */
  async prepare() {
    const turn = ++this.turn;
    this.closeEncoders();
    const { videoTrack, audioTrack } = this.capture;
    this.video = videoTrack ? await this.videoConfiguration(videoTrack) : undefined;
    this.audio = audioTrack ? await this.audioConfiguration() : undefined;
    if (turn !== this.turn || this.isStopped || !(this.video || this.audio)) return false;
    if (this.video) {
      this.videoEncoder = new VideoEncoder({ output: (chunk, details) => this.send(VIDEO, chunk, details), error: () => this.restart() });
      this.videoEncoder.configure(this.video);
      this.capture.onVideo = (frame) => this.encode(frame);
    }
    if (this.audio) {
      this.audioEncoder = new AudioEncoder({ output: (chunk, details) => this.send(AUDIO, chunk, details), error: () => this.restart() });
      this.audioEncoder.configure(this.audio);
      this.capture.onAudio = (data) => this.encodeSound(data);
    }
    this.needsKeyFrame = true;
    return true;
  }

  videoConfiguration(track) {
    const { width: trackWidth = 0, height: trackHeight = 0 } = track.getSettings();
    const { width, height, frameRate } = this.settings;
    // A phone that is held upright sends an upright picture of the same size.
    const isUpright = (this.size ? this.size.height > this.size.width : trackHeight > trackWidth);
    const [w, h] = isUpright ? [height, width] : [width, height];
    const scale = this.size ? Math.min(1, w / this.size.width, h / this.size.height) : 1;
    const even = (value) => Math.max(16, Math.round(value / 2) * 2);
    const [w2, h2] = this.size ? [even(this.size.width * scale), even(this.size.height * scale)] : [w, h];
    return supported(VideoEncoder, VIDEO_CODECS.map((codec) => ({
      codec, width: w2, height: h2, framerate: frameRate, bitrate: this.bitRate, latencyMode: 'realtime',
      ...(codec.startsWith('avc1') && { avc: { format: 'avc' } }),
    })));
  }

  audioConfiguration() {
    return supported(AudioEncoder, AUDIO_CODECS.map((codec) => ({ codec, sampleRate: this.capture.sampleRate, numberOfChannels: 2, bitrate: this.settings.audioBitrate })));
  }

  closeEncoders() {
    this.capture.onVideo = undefined;
    this.capture.onAudio = undefined;
    [this.videoEncoder, this.audioEncoder].forEach((encoder) => encoder && encoder.state !== 'closed' && encoder.close());
    [this.videoEncoder, this.audioEncoder, this.videoDescription, this.audioDescription] = [];
  }

  // Encoding

  encode(frame) {
    const encoder = this.videoEncoder;
    const size = { width: frame.displayWidth, height: frame.displayHeight };
    const hasTurned = this.size && (size.width > size.height) !== (this.size.width > this.size.height);
    const isFirst = !this.size || this.size.width !== size.width || this.size.height !== size.height;
    this.size = size;
    if (isFirst || hasTurned) {
      frame.close();
      this.restart();
      return;
    }
    const time = frame.timestamp;
    const interval = 1e6 / (this.frameRate ?? this.settings.frameRate);
    const isEarly = time - this.videoFrameAt < interval * 0.7;
    if (isEarly || encoder.state !== 'configured') {
      frame.close();
      return;
    }
    if (!this.isReady || this.isStuck || encoder.encodeQueueSize > ENCODER_BACKLOG) {
      if (this.isReady) this.dropped += 1;
      if (this.isStuck || !this.isReady) this.needsKeyFrame = true;
      frame.close();
      return;
    }
    this.videoFrameAt = time;
    const keyFrame = this.needsKeyFrame || time - this.keyFrameAt >= KEY_FRAME_INTERVAL;
    if (keyFrame) [this.keyFrameAt, this.needsKeyFrame] = [time, false];
    encoder.encode(frame, { keyFrame });
    frame.close();
  }

  encodeSound(data) {
    if (this.isReady && this.audioEncoder.state === 'configured') this.audioEncoder.encode(data);
    data.close();
  }

  /** Starts with new sound: the encoder holds a piece of what was heard before the line broke, with its time. */
  forgetSound() {
    if (this.audioEncoder?.state !== 'configured') return;
    this.audioEncoder.reset();
    this.audioEncoder.configure(this.audio);
  }

  // Sending

  send(track, chunk, details) {
    if (!this.isReady) return;
    const key = track === VIDEO ? 'videoDescription' : 'audioDescription';
    const description = details?.decoderConfig?.description;
    if (description) this[key] = new Uint8Array(ArrayBuffer.isView(description) ? description.buffer : description).slice();
    if (this[key] && this.described !== this.socket) this.describe();
    else if (description) this.write(CONFIGURATION, track, 0, 0, 0, this[key]);
    const bytes = new Uint8Array(chunk.byteLength);
    chunk.copyTo(bytes);
    this.write(FRAME, track, chunk.type === 'key' ? 1 : 0, chunk.timestamp, chunk.duration ?? 0, bytes);
  }

  /** Sends the parameters that are known, on a new line. */
  describe() {
    this.described = this.socket;
    if (this.videoDescription) this.write(CONFIGURATION, VIDEO, 0, 0, 0, this.videoDescription);
    if (this.audioDescription) this.write(CONFIGURATION, AUDIO, 0, 0, 0, this.audioDescription);
  }

  write(kind, track, flags, time, length, content) {
    const message = new Uint8Array(HEADER + content.length);
    const view = new DataView(message.buffer);
    view.setUint8(0, kind);
    view.setUint8(1, track);
    view.setUint8(2, flags);
    view.setBigInt64(4, BigInt(Math.max(0, Math.round(time))));
    view.setUint32(12, Math.min(0xFFFFFFFF, Math.round(length)));
    message.set(content, HEADER);
    this.socket.send(message);
    this.sentBytes += message.length;
  }

  get isReady() { return this.isGranted && this.socket?.readyState === WebSocket.OPEN; }

  // The line

  connect() {
    if (this.isStopped) return;
    const socket = new WebSocket(new URL(this.address, location.href.replace(/^http/, 'ws')));
    socket.binaryType = 'arraybuffer';
    this.socket = socket;
    this.isGranted = false;
    this.heardAt = performance.now();
    socket.onopen = () => socket.send(JSON.stringify({
      type: 'hello', token: this.token, preset: this.preset, program: navigator.userAgent,
      tracks: [
        ...(this.video ? [{ id: VIDEO, codec: this.video.codec }] : []),
        ...(this.audio ? [{ id: AUDIO, codec: this.audio.codec, sampleRate: this.audio.sampleRate, channels: 2 }] : []),
      ],
    }));
    socket.onmessage = ({ data }) => this.hear(JSON.parse(data));
    socket.onclose = ({ code, reason }) => {
      if (socket !== this.socket) return;
      this.isGranted = false;
      if (this.isStopped) return;
      if (FINAL.includes(code)) {
        this.onState('refused', this.reason ?? reason);
        return;
      }
      this.onState('reconnecting');
      this.retry();
    };
  }

  hear(message) {
    this.heardAt = performance.now();
    switch (message.type) {
      case 'ready':
        this.isGranted = true;
        this.attempts = 0;
        this.needsKeyFrame = true;
        this.forgetSound();
        this.tellClock();
        break;
      case 'refused': this.reason = message.reason; break;
      case 'state':
        this.viewers = message.viewers;
        if (message.isLive) this.onState('live');
        break;
      default:
    }
  }

  /** Measures how far the server's clock is from that of the frames, which it dates by it. */
  async measureClock() {
    const samples = await askForTime();
    if (!samples || this.isStopped) return;
    this.clockOffset = contactOf(samples).steady;
    this.tellClock();
  }

  tellClock() {
    if (!this.isReady || this.clockOffset === undefined) return;
    const time = now();
    this.socket.send(JSON.stringify({ type: 'clock', time, date: Math.round(performance.timeOrigin + time / 1000 + this.clockOffset) }));
  }

  retry() {
    clearTimeout(this.retryTimer);
    const pause = Math.min(LONGEST_PAUSE, 300 * 2 ** this.attempts);
    this.attempts += 1;
    this.retryTimer = setTimeout(() => this.connect(), pause);
  }

  /** The network has changed: the old line would only be noticed after a while. */
  lineChanged() {
    if (this.isStopped || performance.now() - this.heardAt < 1500) return;
    this.abandon();
    this.attempts = 0;
    this.retry();
  }

  /** Leaves a line without waiting for its end. */
  abandon() {
    const { socket } = this;
    this.socket = undefined;
    this.isGranted = false;
    if (!socket) return;
    socket.onclose = null;
    socket.onmessage = null;
    socket.close();
  }

  /** What is captured has changed, or an encoder has failed: the broadcast goes on with other parameters. */
  async restart() {
    if (this.isStopped || this.isRestarting) return;
    this.isRestarting = true;
    const before = JSON.stringify([this.video?.codec, this.audio?.codec]);
    const isPrepared = await this.prepare();
    this.isRestarting = false;
    // Other codecs have to be announced.
    if (isPrepared && JSON.stringify([this.video?.codec, this.audio?.codec]) !== before && this.socket) {
      this.abandon();
      this.connect();
    }
  }

  tracksChanged() {
    this.size = undefined;
    this.restart();
  }

  // Adaptation

  /** Seconds of media that wait to be sent. */
  get backlog() { return this.socket ? (this.socket.bufferedAmount * 8) / (this.bitRate + this.settings.audioBitrate) : 0; }

  adapt() {
    this.rates.push([performance.now(), this.sentBytes - (this.socket?.bufferedAmount ?? 0)]);
    this.rates = this.rates.slice(-5);
    if (!this.isGranted) return;
    if (performance.now() - this.heardAt > SILENCE) {
      this.onState('reconnecting');
      this.abandon();
      this.retry();
      return;
    }
    const { backlog } = this;
    this.isStuck = backlog > STUCK;
    const highest = this.settings.videoBitrate;
    if (backlog > SLOW) {
      this.calmSince = undefined;
      this.setRate(Math.max(LOWEST_BIT_RATE, this.bitRate * 0.7));
    } else if (backlog < SLOW / 4 && this.bitRate < highest) {
      this.calmSince ??= performance.now();
      if (performance.now() - this.calmSince > 4000) {
        this.calmSince = undefined;
        this.setRate(Math.min(highest, this.bitRate * 1.2));
      }
    }
  }

  setRate(bitRate) {
    if (Math.abs(bitRate - this.bitRate) < 1000) return;
    this.bitRate = Math.round(bitRate);
    // Fewer frames look better than bad ones.
    this.frameRate = this.bitRate < this.settings.videoBitrate * 0.4 ? Math.max(10, this.settings.frameRate / 2) : undefined;
    if (this.video && this.videoEncoder?.state === 'configured') {
      this.video = { ...this.video, bitrate: this.bitRate };
      this.videoEncoder.configure(this.video);
    }
  }

  figures() {
    const [first, last] = [this.rates[0], this.rates.at(-1)];
    const milliseconds = first && last ? last[0] - first[0] : 0;
    return {
      seconds: (performance.now() - this.startedAt) / 1000,
      bitRate: milliseconds > 0 ? Math.max(0, ((last[1] - first[1]) * 8000) / milliseconds) : 0,
      dropped: this.dropped,
      viewers: this.viewers,
      backlog: this.backlog,
      clock: now(),
    };
  }

  stop() {
    this.isStopped = true;
    clearInterval(this.timer);
    clearInterval(this.clockTimer);
    clearTimeout(this.retryTimer);
    this.closeEncoders();
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify({ type: 'end' }));
    this.abandon();
  }
}
