import Foundation
import SiteTexts

/// The texts of the player, which its modules use by their names.
struct PlayerText: SiteTextSection {
    static let section = "player"

    let words: [String: String]
    /// The texts as a script that the player's modules read. Every page names it, so that it is rendered when the texts
    /// are read.
    let script: CompressedAsset
    /// The version of the script.
    let version: String

    private enum CodingKeys: CodingKey { case words }

    init(from decoder: any Decoder) throws {
        words = try decoder.container(keyedBy: CodingKeys.self).decode([String: String].self, forKey: .words)
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        let text = "self.antenaWords = \(String(decoding: try encoder.encode(words), as: UTF8.self));\n"
        script = CompressedAsset(text, "text/javascript; charset=utf-8")
        version = SiteAssets.version(of: text)
    }
}
