import Foundation
import Transcoding

/// The renditions to make of a title; determined by the presets, the title and the encoder.
struct LadderRequest: Codable, Sendable, Hashable {
    /// libav's name of the encoder.
    var encoder: String
    var rungs: [LadderRung]
    var omitted: [OmittedPreset]
    /// The audio to encode for the renditions with a limited bandwidth: for each movie the names of the title's
    /// renditions in whose place it is played. `nil` if they are played with the title's own.
    var audio: [[String]]?

    /// Incremented whenever chunks that were made before can no longer be used.
    private static let version = 1

    init(encoder: String, selection: LadderSelection) {
        self.encoder = encoder
        rungs = selection.rungs
        omitted = selection.omitted
        audio = selection.audio.isEmpty ? nil : selection.audio
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
            + rungs.compactMap(\.bandwidthLimit).map { " below \($0)" }.joined()
            + (audio ?? []).map { " audio \($0.joined(separator: " "))" }.joined()
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// The rendition's name in URLs. It is unique to the request, because segments are cached forever.
    func renditionName(_ rung: LadderRung) -> String { "\(rung.name)-\(key)" }

    /// The name in URLs of audio that was encoded for the ladder.
    ///
    /// - Parameter number: an index of ``audio``.
    func audioName(_ number: Int) -> String { "low-audio-\(number + 1)-\(key)" }
}
