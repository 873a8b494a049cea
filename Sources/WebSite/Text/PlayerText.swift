import Foundation
import SiteTexts

/// The texts of the player, which its modules use by their names.
struct PlayerText: SiteTextSection {
    static let section = "player"

    let words: [String: String]
    /// The texts as a JSON object for a `script` element, with nothing in it that ends one. Every page has it, so that
    /// it is rendered when the texts are read.
    let json: String

    private enum CodingKeys: CodingKey { case words }

    init(from decoder: any Decoder) throws {
        words = try decoder.container(keyedBy: CodingKeys.self).decode([String: String].self, forKey: .words)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        json = String(decoding: try encoder.encode(words), as: UTF8.self).replacing("<", with: "\\u003c")
    }
}
