package import Codecs
package import MediaCore
package import NIOCore

/// What a slate has to look and sound like, so that players go on from a channel's own media without a new decoder.
package struct SlateShape: Sendable, Hashable, Codable {
    /// Pixels, even.
    package var width: Int
    package var height: Int
    /// Pictures a second, as a fraction.
    package var frameRate: Int
    package var frameRateDivisor: Int
    /// Seconds between key frames.
    package var keyFrameInterval: Int
    /// `nil` without sound.
    package var sampleRate: Int?
    package var channelCount: Int?
    /// Written on a card, in canonical decomposition; `nil` for none. Players do not care, so a channel asks for a shape
    /// without one.
    package var title: String?

    /// Rates that cameras and encoders have, in thousandths. Measured ones are near them.
    private static let usualRates = [
        (23_976, 24_000, 1_001), (24_000, 24, 1), (25_000, 25, 1), (29_970, 30_000, 1_001), (30_000, 30, 1),
        (50_000, 50, 1), (59_940, 60_000, 1_001), (60_000, 60, 1),
    ]
    /// Seconds: two groups of pictures, at least, are in a clip's loop.
    private static let maximumKeyFrameInterval = 10
    /// A rate within this share of a usual one is that one.
    private static let tolerance = 0.0004

    /// - Parameters:
    ///   - measuredFrameRate: pictures a second.
    ///   - segmentDuration: seconds, of the channel.
    /// - Returns: `nil` for sizes that no encoder takes.
    package init?(
        video: CodecConfiguration, measuredFrameRate: Double, segmentDuration: Double, audio: CodecConfiguration?
    ) {
        guard let size = video.videoSize, (16...8_192).contains(size.width), (16...8_192).contains(size.height),
            measuredFrameRate.isFinite
        else { return nil }
        width = size.width / 2 * 2
        height = size.height / 2 * 2
        let usual = Self.usualRates.first {
            abs(measuredFrameRate * 1_000 / Double($0.0) - 1) < Self.tolerance
        }
        // hls-rules 1.19
        frameRate = usual?.1 ?? Int(min(60, max(1, measuredFrameRate)).rounded())
        frameRateDivisor = usual?.2 ?? 1
        // A segment is a whole number of them, or it would find none where it has to end.
        let segmentSeconds = Int(max(1, segmentDuration).rounded(.up))
        keyFrameInterval = (1...Self.maximumKeyFrameInterval).last { segmentSeconds % $0 == 0 } ?? 1
        sampleRate = audio?.audioSampleRate
        channelCount = audio?.audioChannelCount
    }
}

/// What viewers see while the publisher is away: a loop of pictures, and silence.
package struct Slate: Sendable {
    package var video: CodecConfiguration
    package var timescale: Timescale
    /// One loop, in decoding order, from time zero; the first one is a key frame.
    package var pictures: [AccessUnit]
    /// Ticks of one loop.
    package var duration: Int64
    /// `nil` where the channel has no sound.
    package var silence: Silence?
    /// Of the file that it was made of; `nil` for a plain card.
    package var source: MediaFile.Identity?

    /// One frame, which is heard again and again.
    package struct Silence: Sendable {
        package var audio: CodecConfiguration
        package var timescale: Timescale
        package var frame: ByteBuffer
        /// Ticks.
        package var duration: Int64

        package init(audio: CodecConfiguration, timescale: Timescale, frame: ByteBuffer, duration: Int64) {
            self.audio = audio
            self.timescale = timescale
            self.frame = frame
            self.duration = duration
        }
    }

    /// Seconds of one loop: nobody watches a slate for its plot, and it stays in memory.
    package static let maximumSeconds = 20
    /// Of one loop: 20 s of 12 Mbit/s.
    package static let maximumByteCount = 32 << 20

    package init(
        video: CodecConfiguration, timescale: Timescale, pictures: [AccessUnit], duration: Int64, silence: Silence?
    ) {
        self.video = video
        self.timescale = timescale
        self.pictures = pictures
        self.duration = duration
        self.silence = silence
    }

    package var byteCount: Int { pictures.reduce(silence?.frame.readableBytes ?? 0) { $0 + $1.payload.byteCount } }
}

extension Slate {
    package enum ReadingError: Error, Hashable, CustomStringConvertible {
        case empty
        case tooLarge
        case notH264
        /// Times that no loop has: the worker that made it read a stranger's file.
        case implausible

        package var description: String {
            switch self {
            case .empty: "the slate has no pictures"
            case .tooLarge: "the slate is larger than \(Slate.maximumByteCount >> 20) MB"
            case .notH264: "the slate is not H.264"
            case .implausible: "the slate's times make no sense"
            }
        }
    }

    /// All of a movie that was made for this, into memory. Blocks.
    package init(reading title: PackagedTitle) throws {
        guard let video = title.video else { throw ReadingError.empty }
        guard case .h264 = video.configuration else { throw ReadingError.notH264 }
        var samples: [TimedSample] = []
        var byteCount = 0
        var next = video.syncSample(atOrBefore: 0)
        while let sample = next {
            guard sample.range.byteCount <= Self.maximumByteCount - byteCount,
                samples.count < Self.maximumPictureCount
            else { throw ReadingError.tooLarge }
            byteCount += sample.range.byteCount
            samples.append(sample)
            next = video.sample(after: sample)
        }
        guard let first = samples.first, let last = samples.last else { throw ReadingError.empty }
        var bytes = try Self.read(samples, from: title.file)
        let pictures = samples.compactMap { sample in
            bytes.readSlice(length: sample.range.byteCount).map { slice in
                AccessUnit(
                    decodeTime: sample.decodeTime.subtractingSaturating(first.decodeTime),
                    presentationTime: sample.presentationTime.subtractingSaturating(first.decodeTime),
                    isRandomAccessPoint: sample.isSync, payload: .nalUnits(FragmentedNALUnit.units(inSample: slice)))
            }
        }
        self.init(
            video: video.configuration, timescale: video.track.timescale, pictures: pictures,
            duration: last.decodeTime.subtractingSaturating(first.decodeTime).addingSaturating(last.duration),
            silence: try Self.silence(of: title))
        guard isPlausible else { throw ReadingError.implausible }
    }

    /// One timeline can be made of loop after loop.
    var isPlausible: Bool {
        let longest = Int64(Self.maximumSeconds + Self.maximumRoundingSeconds) * Int64(timescale.ticksPerSecond)
        guard (1...longest).contains(duration), pictures.first?.isRandomAccessPoint == true else { return false }
        let times = pictures.map(\.decodeTime)
        return times.first == 0 && zip(times, times.dropFirst()).allSatisfy { $0 < $1 }
            && times.allSatisfy { $0 < duration }
            && pictures.allSatisfy { (0...longest).contains($0.presentationTime) }
    }

    /// The last full frame: by then the encoder's beginning cannot be heard any more.
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
    /// Bytes: an AAC frame of two channels is at most 1.5 KB.
    private static let maximumSilentFrameByteCount = 16 << 10
    /// Of one loop: over 20 s of 60 pictures a second.
    private static let maximumPictureCount = 2_048
    /// A loop is a whole number of groups of pictures.
    private static let maximumRoundingSeconds = 10

    private static func read(_ samples: [TimedSample], from file: MediaFile) throws -> ByteBuffer {
        var bytes = ByteBuffer()
        _ = try file.appendRanges(samples.map(\.range), to: &bytes, cachedOnly: false)
        return bytes
    }
}
