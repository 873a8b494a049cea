import Foundation
import LibAV

/// What is to be made of a title: follows from the presets, the title and the encoder.
struct LadderRequest: Codable, Sendable, Hashable {
    /// libav's name.
    var encoder: String
    var rungs: [LadderRung]
    var omitted: [OmittedPreset]

    /// Changes whenever a stretch that was made before cannot be gone on with.
    private static let version = 1

    init(encoder: String, selection: LadderSelection) {
        self.encoder = encoder
        rungs = selection.rungs
        omitted = selection.omitted
    }

    /// Of which nobody knows any more than that.
    init(encoder: String) {
        self.encoder = encoder
        (rungs, omitted) = ([], [])
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

/// What an operator asked for, as it stands in the job.
struct LadderParameters: Codable, Sendable, Hashable {
    var presets: [LadderPreset]

    init(presets: [LadderPreset]) { self.presets = presets }

    init?(_ text: String) {
        guard let value = try? JSONDecoder().decode(Self.self, from: Data(text.utf8)) else { return nil }
        self = value
    }

    /// The same for equal parameters.
    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}

/// A ladder that is whole, as it lies beside its movies; or why there are none.
struct LadderManifest: Codable, Sendable, Hashable {
    enum Ending: String, Codable, Sendable {
        case ready
        case failed
        case cancelled
        /// An operator wants none, whatever the configuration says.
        case dropped
    }

    struct Movie: Codable, Sendable, Hashable {
        var rung: LadderRung
        /// When its first picture is shown, on the title's timeline.
        var start: Int64
        var timescale: UInt32
    }

    var request: LadderRequest
    /// Empty where no preset makes sense for the title.
    var movies: [Movie]
    var ending = Ending.ready
    /// For people.
    var error: String?
}
