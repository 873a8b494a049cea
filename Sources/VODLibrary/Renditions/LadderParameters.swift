import Foundation
import MediaCore

/// The parameters that an operator asked for, as the job stores them.
struct LadderParameters: Sendable, Hashable {
    var presets: [QualityPreset]
    /// The BANDWIDTH below which the lowest rendition has to stay, in bits per second; `nil` for no limit.
    var bandwidthLimit: Int?

    /// The form in the catalogue, which jobs of earlier versions have as well; ladders share the source's audio.
    private struct Stored: Codable {
        struct Preset: Codable {
            var name: String
            var width: Int
            var height: Int
            var frameRate: Double
            var videoBitRate: Int
        }

        var presets: [Preset]
        var bandwidthLimit: Int?
    }

    init(presets: [QualityPreset], bandwidthLimit: Int? = nil) {
        (self.presets, self.bandwidthLimit) = (presets, bandwidthLimit)
    }

    init?(_ text: String) {
        guard let stored = try? JSONDecoder().decode(Stored.self, from: Data(text.utf8)) else { return nil }
        bandwidthLimit = stored.bandwidthLimit
        presets = stored.presets.map {
            QualityPreset(
                name: $0.name, width: $0.width, height: $0.height, frameRate: $0.frameRate,
                videoBitRate: $0.videoBitRate, audioBitRate: 0)
        }
    }

    /// The encoded parameters; equal parameters have equal text.
    func text() throws -> String {
        let stored = Stored(
            presets: presets.map {
                Stored.Preset(
                    name: $0.name, width: $0.width, height: $0.height, frameRate: $0.frameRate,
                    videoBitRate: $0.videoBitRate)
            }, bandwidthLimit: bandwidthLimit)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(stored), as: UTF8.self)
    }
}
