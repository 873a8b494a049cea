import LibAV

/// A quality that titles may be offered in, as the operator names it.
package struct LadderPreset: Codable, Sendable, Hashable {
    package var name: String
    /// The picture is to fit into, upright or lying as it is itself.
    package var width: Int
    package var height: Int
    package var frameRate: Double
    /// Bits a second.
    package var videoBitRate: Int

    package init(name: String, width: Int, height: Int, frameRate: Double, videoBitRate: Int) {
        self.name = name
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.videoBitRate = videoBitRate
    }
}

/// A preset that a title is not offered in, and why; for people.
package struct OmittedPreset: Codable, Sendable, Hashable {
    package var preset: String
    package var reason: String
}

/// What of the presets makes sense for a source: never more pixels, pictures or bits than it has.
struct LadderSelection: Sendable, Hashable {
    struct Source: Sendable, Hashable {
        /// As it is shown: upright, with square pixels.
        var size: ShownSize
        /// `nil` where nobody can tell.
        var frameRate: Double?
        /// Bits a second, on average.
        var bitRate: Int
        /// Whether players are offered the source itself, too.
        var isOffered: Bool
    }

    /// The best first.
    private(set) var rungs: [LadderRung] = []
    private(set) var omitted: [OmittedPreset] = []

    /// A rung that takes this much of what the source or another rung takes is no choice for anybody.
    private static let maximumShare = 0.9
    /// Pictures may be this much more frequent than a preset says: every second of 30 would be 15 where it says 24, and
    /// leaving out every fifth makes motion jerk.
    private static let frameRateTolerance = 1.3

    init(_ presets: [LadderPreset], for source: Source) {
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

    private static func rung(_ preset: LadderPreset, _ source: Source) -> LadderRung {
        let isPortrait = source.size.height > source.size.width
        let box = isPortrait ? (preset.height, preset.width) : (preset.width, preset.height)
        let scale = min(
            1, Double(box.0) / Double(max(1, source.size.width)), Double(box.1) / Double(max(1, source.size.height)))
        return LadderRung(
            name: preset.name, width: even(Double(source.size.width) * scale),
            height: even(Double(source.size.height) * scale), frameRate: frameRate(preset, source),
            bitRate: max(1, min(preset.videoBitRate, source.bitRate)))
    }

    /// Every picture, or every second, or every third, …: what is left is as even as it was.
    private static func frameRate(_ preset: LadderPreset, _ source: Source) -> Double {
        guard let rate = source.frameRate, rate.isFinite, rate >= 1 else { return max(1, preset.frameRate) }
        let divisor = max(1, (rate / (preset.frameRate * frameRateTolerance)).rounded(.up))
        return max(1, rate / divisor)
    }

    /// The nearest even number, because chroma has half the lines and columns; never more than there is.
    private static func even(_ side: Double) -> Int {
        let nearest = Int((side / 2).rounded()) * 2
        return max(2, Double(nearest) > side.rounded(.up) ? nearest - 2 : nearest)
    }
}
