import LibAV
import MediaCore
import Transcoding

/// The renditions that make sense for a source: never more pixels, frames per second or bits per second than it has.
struct LadderSelection: Sendable, Hashable {
    struct Source: Sendable, Hashable {
        /// Size as it is displayed: upright, with square pixels.
        var size: ShownSize
        /// Frames per second; `nil` if it is not known.
        var frameRate: Double?
        /// Average bits per second.
        var bitRate: Int
        /// True if the source itself is offered to players, too.
        var isOffered: Bool
        /// The largest peak among the source's audio renditions, in bits per second.
        var audioPeak = 0
        /// The largest BANDWIDTH that a player of the source needs, in bits per second.
        var bandwidth = 0
        /// The names of the audio renditions between which a listener chooses; see `PackagedTitle.audioMembers`.
        var audioMembers: [[String]] = []
    }

    /// The renditions to make, best first.
    private(set) var rungs: [LadderRung] = []
    private(set) var omitted: [OmittedPreset] = []
    /// The audio to encode for the lowest rendition, in the form of ``LadderRequest/audio``; empty if the title's own
    /// is small enough.
    private(set) var audio: [[String]] = []

    /// A rendition whose bit rate exceeds this share of the source's or of another rendition's is not worth offering.
    private static let maximumShare = 0.9
    /// Factor by which the frame rate may exceed the preset's. Half of 30 frames per second would be 15 for a preset of
    /// 24, and dropping every fifth frame makes motion jerky.
    private static let frameRateTolerance = 1.3

    /// The largest peak of audio that a rendition with a limited bandwidth is played with, in bits per second: that of
    /// ``LadderAudioEncoding`` stays below it, and leaves three quarters of a limit of 0.4 Mbit/s to the video.
    private static let maximumAudioPeak = 100_000
    /// The largest number of languages and commentaries that are encoded for such a rendition; discs have eight.
    private static let maximumAudioCount = 16

    /// - Parameters:
    ///   - presets: the presets to choose from.
    ///   - source: the title.
    ///   - bandwidthLimit: the BANDWIDTH below which the lowest rendition has to stay, in bits per second. It is made
    ///     unless the source itself stays below. `nil` for no limit.
    init(_ presets: [QualityPreset], for source: Source, bandwidthLimit: Int? = nil) {
        let sorted = presets.sorted { $0.videoBitRate > $1.videoBitRate }
        for (position, preset) in sorted.enumerated() {
            let rung = Self.rung(preset, source)
            let limit = Int(Double(source.bitRate) * Self.maximumShare)
            if let bandwidthLimit, position == sorted.count - 1 {
                chooseLowest(rung, for: source, bandwidthLimit: bandwidthLimit)
            } else if source.isOffered, preset.videoBitRate > limit {
                omitted.append(
                    OmittedPreset(
                        preset: preset.name,
                        reason:
                            "at \(preset.videoBitRate / 1000) kbit/s it would not be much smaller than the film itself "
                            + "(\(source.bitRate / 1000) kbit/s)"))
            } else if let other = rungs.last, Double(rung.bitRate) > Double(other.bitRate) * Self.maximumShare {
                omitted.append(
                    OmittedPreset(preset: preset.name, reason: "it would take nearly as much as \(other.name)"))
            } else {
                rungs.append(rung)
            }
        }
    }

    private mutating func chooseLowest(_ rung: LadderRung, for source: Source, bandwidthLimit: Int) {
        guard !source.isOffered || source.bandwidth >= bandwidthLimit else {
            omitted.append(
                OmittedPreset(
                    preset: rung.name,
                    reason: "the film itself needs no more than \(source.bandwidth / 1000) kbit/s with its audio"))
            return
        }
        if let other = rungs.last, Double(rung.bitRate) > Double(other.bitRate) * Self.maximumShare {
            omitted.append(OmittedPreset(preset: other.name, reason: "it would be hardly larger than \(rung.name)"))
            rungs.removeLast()
        }
        var lowest = rung
        lowest.bandwidthLimit = bandwidthLimit
        rungs.append(lowest)
        if source.audioPeak > Self.maximumAudioPeak {
            audio = Array(source.audioMembers.prefix(Self.maximumAudioCount))
        }
    }

    private static func rung(_ preset: QualityPreset, _ source: Source) -> LadderRung {
        let isPortrait = source.size.height > source.size.width
        let box = isPortrait ? (preset.height, preset.width) : (preset.width, preset.height)
        let scale = min(
            1, Double(box.0) / Double(max(1, source.size.width)), Double(box.1) / Double(max(1, source.size.height)))
        return LadderRung(
            name: preset.name, width: even(Double(source.size.width) * scale),
            height: even(Double(source.size.height) * scale), frameRate: frameRate(preset, source),
            bitRate: max(1, min(preset.videoBitRate, source.bitRate)))
    }

    /// The source's frame rate divided by an integer, so that the remaining frames are as evenly spaced as before.
    private static func frameRate(_ preset: QualityPreset, _ source: Source) -> Double {
        guard let rate = source.frameRate, rate.isFinite, rate >= 1 else { return max(1, preset.frameRate) }
        let divisor = max(1, (rate / (preset.frameRate * frameRateTolerance)).rounded(.up))
        return max(1, rate / divisor)
    }

    /// The nearest even number, because chroma has half the lines and columns; never larger than the source.
    private static func even(_ side: Double) -> Int {
        let nearest = Int((side / 2).rounded()) * 2
        return max(2, Double(nearest) > side.rounded(.up) ? nearest - 2 : nearest)
    }
}
