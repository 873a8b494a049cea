// Camera, screen and microphone, as frames of video and of sound with times of one clock.

const WORKLET = new URL('./broadcastworklet.js', import.meta.url);
/** Sound that is ahead or behind of its clock by more than this begins at the clock's time again, in microseconds. */
const DRIFT = 80000;

/** Milliseconds by which a camera's time of capture may lie back; an older one is not of this clock. */
const LONGEST_CAPTURE = 1000;

/** The time of the clock that all frames have, in microseconds. */
export const now = () => Math.round(performance.now() * 1000);

/** The time at which a frame was captured, or now if the browser does not say. */
const captured = ({ captureTime } = {}) => {
  const age = performance.now() - captureTime;
  return age >= 0 && age < LONGEST_CAPTURE ? Math.round(captureTime * 1000) : now();
};

export class Capture {
  constructor(preview, onLevel) {
    this.preview = preview;
    this.onLevel = onLevel;
    this.onVideo = undefined;
    this.onAudio = undefined;
    this.onEnded = undefined;
  }

  get isOpen() { return Boolean(this.videoTrack || this.audioTrack); }

  get isFront() {
    return !this.isScreen && this.videoTrack?.getSettings().facingMode !== 'environment';
  }

  /** Opens what was chosen, in place of what was open. */
  async open({ camera, microphone, isScreen, width, height, frameRate }) {
    const size = { width: { ideal: width }, height: { ideal: height }, frameRate: { ideal: frameRate } };
    const audio = { echoCancellation: !isScreen, noiseSuppression: !isScreen, ...(microphone && { deviceId: { exact: microphone } }) };
    let stream;
    if (isScreen) {
      stream = await navigator.mediaDevices.getDisplayMedia({ video: { frameRate: { ideal: frameRate } }, audio: true });
      const voice = await navigator.mediaDevices.getUserMedia({ audio }).catch(() => undefined);
      if (voice && !stream.getAudioTracks().length) stream.addTrack(voice.getAudioTracks()[0]);
    } else {
      const video = { ...size, ...(camera ? { deviceId: { exact: camera } } : { facingMode: 'user' }) };
      // A camera that is open elsewhere on a phone cannot be opened twice.
      this.videoTrack?.stop();
      stream = await navigator.mediaDevices.getUserMedia({ video, audio })
        // A machine without one of both sends the other.
        .catch((error) => (error.name === 'NotFoundError' ? navigator.mediaDevices.getUserMedia({ video }).catch(() => navigator.mediaDevices.getUserMedia({ audio })) : Promise.reject(error)));
    }
    this.close();
    this.isScreen = isScreen;
    [this.videoTrack] = stream.getVideoTracks();
    [this.audioTrack] = stream.getAudioTracks();
    this.preview.srcObject = stream;
    this.preview.play().catch(() => {});
    this.readVideo();
    await this.readAudio(stream);
    [this.videoTrack, this.audioTrack].forEach((track) => track?.addEventListener('ended', () => this.onEnded?.()));
  }

  /** Frames of video; their receiver closes them. */
  readVideo() {
    const track = this.videoTrack;
    if (!track) return;
    if (window.MediaStreamTrackProcessor) {
      const reader = new MediaStreamTrackProcessor({ track, maxBufferSize: 2 }).readable.getReader();
      const read = async () => {
        const { done, value } = await reader.read();
        if (done || track !== this.videoTrack) {
          value?.close();
          return;
        }
        this.pass(value);
        read();
      };
      read();
      return;
    }
    // Firefox and Safari show the frames of an element.
    const next = (_, metadata) => {
      if (track !== this.videoTrack) return;
      if (this.onVideo && this.preview.videoWidth) this.onVideo(new VideoFrame(this.preview, { timestamp: captured(metadata) }));
      this.preview.requestVideoFrameCallback(next);
    };
    this.preview.requestVideoFrameCallback(next);
  }

  pass(frame) {
    if (this.onVideo) {
      const timed = new VideoFrame(frame, { timestamp: captured(frame.metadata?.()) });
      frame.close();
      this.onVideo(timed);
    } else {
      frame.close();
    }
  }

  /** Blocks of sound from a worklet, which every browser has. */
  async readAudio(stream) {
    if (!this.audioTrack) return;
    const sound = new MediaStream(stream.getAudioTracks());
    let [context, source] = [];
    for (const options of [{ sampleRate: 48000 }, {}]) {
      context = new AudioContext({ latencyHint: 'interactive', ...options });
      try {
        source = context.createMediaStreamSource(sound);
        break;
      } catch {
        // Firefox does not convert between the rates of a microphone and of a context.
        context.close();
      }
    }
    if (!source) return;
    this.audio = context;
    await context.audioWorklet.addModule(WORKLET);
    if (context !== this.audio) return;
    const node = new AudioWorkletNode(context, 'broadcast-tap', { numberOfOutputs: 0, channelCount: 2, channelCountMode: 'explicit' });
    let time;
    node.port.onmessage = ({ data }) => {
      this.onLevel(data.level);
      const arrived = now();
      const length = Math.round((data.frames * 1e6) / context.sampleRate);
      if (time === undefined || Math.abs(arrived - length - time) > DRIFT) time = arrived - length;
      if (this.onAudio) {
        this.onAudio(new AudioData({ format: 'f32-planar', sampleRate: context.sampleRate, numberOfFrames: data.frames, numberOfChannels: 2, timestamp: time, data: data.samples }));
      }
      time += length;
    };
    source.connect(node);
    // Browsers begin with sound after a click.
    if (context.state === 'suspended') {
      const resume = () => context.resume();
      document.addEventListener('click', resume, { once: true });
      resume().catch(() => {});
    }
  }

  /** Samples in a second. */
  get sampleRate() { return this.audio?.sampleRate ?? 48000; }

  /** Sound begins after a click on some browsers. */
  resume() { this.audio?.resume(); }

  close() {
    this.preview.srcObject?.getTracks().forEach((track) => track.stop());
    this.preview.srcObject = null;
    this.audio?.close();
    [this.videoTrack, this.audioTrack, this.audio] = [];
    this.onLevel(0);
  }
}
