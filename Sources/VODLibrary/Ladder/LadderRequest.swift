import Foundation
import LibAV

/// What is to be made of a title, as it lies beside the work: after a kill it says what to go on with, whatever the
/// configuration says by then.
struct LadderRequest: Codable, Sendable, Hashable {
    /// libav's name.
    var encoder: String
    var rungs: [LadderRung]
    var omitted: [OmittedPreset]
    /// Why it could not be made; it is not tried again by itself.
    var error: String?

    /// Changes whenever a stretch that was made before cannot be gone on with.
    private static let version = 1

    init(encoder: String, selection: LadderSelection) {
        self.encoder = encoder
        rungs = selection.rungs
        omitted = selection.omitted
    }

    /// Tells requests of a title apart.
    var key: String {
        // FNV-1a: nobody gains by forging one.
        var hash: UInt32 = 2_166_136_261
        let text =
            "\(Self.version) \(encoder) "
            + rungs.map { "\($0.name) \($0.width) \($0.height) \($0.frameRate) \($0.bitRate)" }.joined(separator: " ")
        for byte in text.utf8 { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        let digits = String(hash, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// In URLs: no other request's rung has the name, because its segments are cached for ever.
    func renditionName(_ rung: LadderRung) -> String { "\(rung.name)-\(key)" }
}

/// A ladder that is whole, as it lies beside its movies.
struct LadderManifest: Codable, Sendable, Hashable {
    struct Movie: Codable, Sendable, Hashable {
        var rung: LadderRung
        /// When its first picture is shown, on the title's timeline.
        var start: Int64
        var timescale: UInt32
    }

    var request: LadderRequest
    /// Empty where no preset makes sense for the title.
    var movies: [Movie]
}
