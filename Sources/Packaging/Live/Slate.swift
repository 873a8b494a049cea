package import Codecs
package import MediaCore
package import NIOCore

/// The loop that viewers see while the publisher is away: video frames with silent audio.
package struct Slate: Sendable {
    package var video: CodecConfiguration
    /// The clock of ``frames`` and ``duration``.
    package var timescale: Timescale
    /// The frames of one loop in decoding order, starting at time zero; the first is a key frame.
    package var frames: [AccessUnit]
    /// The duration of one loop, in ticks.
    package var duration: Int64
    /// `nil` if the channel has no audio.
    package var silence: Silence?
    /// The identity of the file from which the slate was made; `nil` for a plain card.
    package var source: MediaFile.Identity?

    /// One silent audio frame, which is repeated.
    package struct Silence: Sendable {
        package var audio: CodecConfiguration
        package var timescale: Timescale
        package var frame: ByteBuffer
        /// The duration of the frame, in ticks.
        package var duration: Int64

        package init(audio: CodecConfiguration, timescale: Timescale, frame: ByteBuffer, duration: Int64) {
            self.audio = audio
            self.timescale = timescale
            self.frame = frame
            self.duration = duration
        }
    }

    /// Maximum duration of a loop in seconds. Nobody watches a slate for long, and it stays in memory.
    package static let maximumDuration = Duration.seconds(20)
    /// Maximum size of a loop: 20 s at 12 Mbit/s.
    package static let maximumByteCount = 32 << 20

    package init(
        video: CodecConfiguration, timescale: Timescale, frames: [AccessUnit], duration: Int64, silence: Silence?
    ) {
        self.video = video
        self.timescale = timescale
        self.frames = frames
        self.duration = duration
        self.silence = silence
    }

    /// The memory that the media takes, in bytes.
    package var byteCount: Int { frames.reduce(silence?.frame.readableBytes ?? 0) { $0 + $1.payload.byteCount } }
}

extension Slate {
    /// The reason why a file cannot be used as a slate.
    package enum ReadingError: Error, Hashable, CustomStringConvertible {
        case empty
        case tooLarge
        case notH264
        /// The times do not form a loop. Such times are possible because the worker that made the file read untrusted
        /// input.
        case implausible

        package var description: String {
            switch self {
            case .empty: "the slate has no video frames"
            case .tooLarge: "the slate is larger than \(Slate.maximumByteCount >> 20) MB"
            case .notH264: "the slate is not H.264"
            case .implausible: "the slate's timestamps are not plausible"
            }
        }
    }

    /// Reads a whole movie that was made to be a slate into memory. Blocks the calling thread.
    ///
    /// - Throws: ``ReadingError`` if the movie is not usable as a slate, or the error of the file.
    package init(reading title: PackagedTitle) throws {
        guard let video = title.video else { throw ReadingError.empty }
        guard case .h264 = video.configuration else { throw ReadingError.notH264 }
        var samples: [TimedSample] = []
        var byteCount = 0
        var next = video.syncSample(atOrBefore: 0)
        while let sample = next {
            guard sample.range.byteCount <= Self.maximumByteCount - byteCount,
                samples.count < Self.maximumFrameCount
            else { throw ReadingError.tooLarge }
            byteCount += sample.range.byteCount
            samples.append(sample)
            next = video.sample(after: sample)
        }
        guard let first = samples.first, let last = samples.last else { throw ReadingError.empty }
        var bytes = try Self.read(samples, from: title.file)
        let frames = samples.compactMap { sample in
            bytes.readSlice(length: sample.range.byteCount).map { slice in
                AccessUnit(
                    decodeTime: sample.decodeTime.subtractingSaturating(first.decodeTime),
                    presentationTime: sample.presentationTime.subtractingSaturating(first.decodeTime),
                    isRandomAccessPoint: sample.isSync, payload: .nalUnits(FragmentedNALUnit.units(inSample: slice)))
            }
        }
        self.init(
            video: video.configuration, timescale: video.track.timescale, frames: frames,
            duration: last.decodeTime.subtractingSaturating(first.decodeTime).addingSaturating(last.duration),
            silence: try Self.silence(of: title))
        guard isPlausible else { throw ReadingError.implausible }
    }

    /// True if consecutive loops form one timeline.
    var isPlausible: Bool {
        let longest = (Self.maximumDuration + Self.maximumRounding).components.seconds * Int64(timescale.ticksPerSecond)
        guard (1...longest).contains(duration), frames.first?.isRandomAccessPoint == true else { return false }
        let times = frames.map(\.decodeTime)
        return times.first == 0 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
            && times.allSatisfy { $0 < duration }
            && frames.allSatisfy { (0...longest).contains($0.presentationTime) }
    }

    /// Reads the last full audio frame: by then the start of the encoder's signal cannot be heard any more.
    private static func silence(of title: PackagedTitle) throws -> Silence? {
        guard let audio = title.audio.first, let frameDuration = audio.configuration.audioSamplesPerFrame,
            let sampleRate = audio.configuration.audioSampleRate
        else { return nil }
        var found: TimedSample?
        var next = audio.syncSample(atOrBefore: 0)
        var count = 0
        while let sample = next, count < maximumSilentFrameCount {
            found = sample
            next = audio.sample(after: sample)
            count += 1
        }
        guard let found else { return nil }
        guard found.range.byteCount <= maximumSilentFrameByteCount else { throw ReadingError.tooLarge }
        let ticks = Int64(frameDuration) * Int64(audio.track.timescale.ticksPerSecond) / Int64(max(1, sampleRate))
        return Silence(
            audio: audio.configuration, timescale: audio.track.timescale,
            frame: try read([found], from: title.file), duration: max(1, ticks))
    }

    private static let maximumSilentFrameCount = 64
    /// Maximum size of a silent audio frame. An AAC frame of two channels has at most 1.5 KB.
    private static let maximumSilentFrameByteCount = 16 << 10
    /// Maximum number of frames in a loop: more than 20 s at 60 frames per second.
    private static let maximumFrameCount = 2_048
    /// The time by which a loop may exceed ``maximumDuration``, because it is a whole number of groups of pictures.
    private static let maximumRounding = Duration.seconds(10)

    private static func read(_ samples: [TimedSample], from file: MediaFile) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        _ = try file.appendRanges(samples.map(\.range), to: &bytes, cachedOnly: false)
        return bytes
    }
}
