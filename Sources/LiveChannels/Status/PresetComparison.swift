import MediaCore

/// Compares what a preset promises with what a push delivers. The names are those of the preset in `channels.json`.
package struct PresetComparison: Sendable, Codable, Hashable {
    /// The relation of a measured value to its promise: within the tolerance, below it, or above it.
    package enum Verdict: String, Sendable, Codable {
        case kept, below, above
    }

    /// A promised quantity with its measured value.
    package struct Quantity<Value: Sendable & Codable & Hashable>: Sendable, Codable, Hashable {
        package var promised: Value
        /// Absent if the push has no such track, or has not been measured long enough.
        package var measured: Value?
        /// Absent if nothing was measured.
        package var verdict: Verdict?
    }

    /// The size of a video frame.
    package struct Resolution: Sendable, Codable, Hashable {
        /// Width in pixels.
        package var width: Int
        /// Pixels.
        package var height: Int
    }

    package var resolution: Quantity<Resolution>
    /// Frames per second.
    package var frameRate: Quantity<Double>
    /// Bits per second, as the publisher sends them.
    package var videoBitrate: Quantity<Int>
    package var audioBitrate: Quantity<Int>

    /// Share by which a quantity may deviate from its promise in either direction. Encoders round sizes to whole
    /// macroblocks, and their bit rate varies around the target.
    package static let tolerance = 0.1
    /// Share by which a bit rate may fall short of its promise: a still scene or a quiet room needs less.
    package static let bitRateShortfallTolerance = 0.5

    /// Measured values of one track, as far as they are known.
    struct Measurement: Sendable {
        var size: Resolution?
        var rates: RateMeter.Rates?
    }

    init(of video: Measurement?, _ audio: Measurement?, against preset: QualityPreset) {
        let promised = Resolution(width: preset.width, height: preset.height)
        resolution = Quantity(
            promised: promised, measured: video?.size,
            verdict: video?.size.map { Self.verdict(on: $0.ratio(to: promised)) })
        frameRate = Quantity(
            promised: preset.frameRate, measured: video?.rates?.frameRate,
            verdict: video?.rates.map { Self.verdict(on: $0.frameRate / preset.frameRate) })
        videoBitrate = Self.bitRate(video, promised: preset.videoBitRate)
        audioBitrate = Self.bitRate(audio, promised: preset.audioBitRate)
    }

    /// True if everything that was measured is as promised.
    package var isKept: Bool {
        [resolution.verdict, frameRate.verdict, videoBitrate.verdict, audioBitrate.verdict]
            .allSatisfy { $0 == nil || $0 == .kept }
    }

    private static func bitRate(_ track: Measurement?, promised: Int) -> Quantity<Int> {
        Quantity(
            promised: promised, measured: track?.rates?.bitRate,
            verdict: track?.rates.map {
                verdict(on: Double($0.bitRate) / Double(promised), shortfall: bitRateShortfallTolerance)
            })
    }

    private static func verdict(on ratio: Double, shortfall: Double = tolerance) -> Verdict {
        if ratio > 1 + tolerance { return .above }
        return ratio < 1 - shortfall ? .below : .kept
    }

    /// Each quantity's measured value as a multiple of the promised one.
    var ratios: [(name: QuantityName, ratio: Double)] {
        var ratios: [(name: QuantityName, ratio: Double)] = []
        if let size = resolution.measured { ratios.append((.resolution, size.ratio(to: resolution.promised))) }
        if let rate = frameRate.measured { ratios.append((.frameRate, rate / frameRate.promised)) }
        if let rate = videoBitrate.measured {
            ratios.append((.videoBitrate, Double(rate) / Double(videoBitrate.promised)))
        }
        if let rate = audioBitrate.measured {
            ratios.append((.audioBitrate, Double(rate) / Double(audioBitrate.promised)))
        }
        return ratios
    }

    enum QuantityName: Sendable, Hashable {
        case resolution, frameRate, videoBitrate, audioBitrate
    }

    /// Describes a deviation, for example `its frame rate is 60/s, but 30/s is promised`.
    func description(of name: QuantityName) -> String {
        switch name {
        case .resolution: Self.describe("resolution", resolution.measured.map { "\($0)" }, "\(resolution.promised)")
        case .frameRate:
            Self.describe("frame rate", frameRate.measured.map(Self.text), Self.text(frameRate.promised))
        case .videoBitrate:
            Self.describe("video bit rate", videoBitrate.measured.map { "\($0) bit/s" }, "\(videoBitrate.promised)")
        case .audioBitrate:
            Self.describe("audio bit rate", audioBitrate.measured.map { "\($0) bit/s" }, "\(audioBitrate.promised)")
        }
    }

    private static func text(_ frameRate: Double) -> String {
        "\(Int(exactly: frameRate).map { "\($0)" } ?? "\(frameRate)")/s"
    }

    private static func describe(_ what: String, _ measured: String?, _ promised: String) -> String {
        "its \(what) is \(measured ?? "unknown"), but \(promised) is promised"
    }
}

extension PresetComparison.Resolution: CustomStringConvertible {
    package var description: String { "\(width)x\(height)" }

    /// The larger of the ratios of the sides to the other's, long side to long and short to short: a telephone held
    /// upright keeps its promise.
    func ratio(to other: Self) -> Double {
        max(
            Double(max(width, height)) / Double(max(1, other.width, other.height)),
            Double(min(width, height)) / Double(max(1, min(other.width, other.height))))
    }
}
