import Foundation
import Transcoding

/// The renditions to make of a title; determined by the presets, the title and the encoder.
struct LadderRequest: Codable, Sendable, Hashable {
    /// libav's name of the encoder.
    var encoder: String
    var rungs: [LadderRung]
    var omitted: [OmittedPreset]

    /// Incremented whenever chunks that were made before can no longer be used.
    private static let version = 1

    init(encoder: String, selection: LadderSelection) {
        self.encoder = encoder
        rungs = selection.rungs
        omitted = selection.omitted
    }

    /// A request of which only the encoder is known.
    init(encoder: String) {
        self.encoder = encoder
        (rungs, omitted) = ([], [])
    }

    /// Tells requests for the same title apart.
    var key: String {
        // FNV-1a is sufficient, because nobody gains by forging a hash.
        var hash: UInt32 = 2_166_136_261
        let text =
            "\(Self.version) \(encoder) "
            + rungs.map { "\($0.name) \($0.width) \($0.height) \($0.frameRate) \($0.bitRate)" }.joined(separator: " ")
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The rendition's name in URLs. It is unique to the request, because segments are cached forever.
    func renditionName(_ rung: LadderRung) -> String { "\(rung.name)-\(key)" }
}

/// The parameters that an operator asked for, as the job stores them.
struct LadderParameters: Codable, Sendable, Hashable {
    var presets: [LadderPreset]

    init(presets: [LadderPreset]) { self.presets = presets }

    init?(_ text: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    /// The encoded parameters; equal parameters have equal text.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// The description of a complete ladder, stored beside its movies, or the reason why there is none.
struct LadderManifest: Codable, Sendable, Hashable {
    enum Ending: String, Codable, Sendable {
        case ready
        case failed
        case cancelled
        /// An operator does not want a ladder, whatever the configuration says.
        case dropped
    }

    struct Movie: Codable, Sendable, Hashable {
        var rung: LadderRung
        /// Presentation time of the first frame on the title's timeline, in ticks of ``timescale``.
        var start: Int64
        var timescale: UInt32
    }

    var request: LadderRequest
    /// Empty if no preset makes sense for the title.
    var movies: [Movie]
    var ending = Ending.ready
    /// The human-readable reason of a failure.
    var error: String?
}
