import Foundation

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
