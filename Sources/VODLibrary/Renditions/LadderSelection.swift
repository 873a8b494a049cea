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
    }

    /// The renditions to make, best first.
    private(set) var rungs: [LadderRung] = []
    private(set) var omitted: [OmittedPreset] = []

    /// A rendition whose bit rate exceeds this share of the source's or of another rendition's is not worth offering.
    private static let maximumShare = 0.9
    /// Factor by which the frame rate may exceed the preset's. Half of 30 frames per second would be 15 for a preset of
    /// 24, and dropping every fifth frame makes motion jerky.
    private static let frameRateTolerance = 1.3

    init(_ presets: [QualityPreset], for source: Source) {
        for preset in presets.sorted(by: { $0.videoBitRate > $1.videoBitRate }) {
            let rung = Self.rung(preset, source)
            let limit = Int(Double(source.bitRate) * Self.maximumShare)
            if source.isOffered, preset.videoBitRate > limit {
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
