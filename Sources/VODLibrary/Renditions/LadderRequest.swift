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
