import Foundation
import SiteTexts

/// The texts of the player, which its modules use by their names.
struct PlayerText: SiteTextSection {
    static let section = "player"

    let words: [String: String]

    /// The texts as a JSON object for a `script` element, with nothing in it that ends one.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = (try? encoder.encode(words)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        return text.replacing("<", with: "\\u003c")
    }
}
