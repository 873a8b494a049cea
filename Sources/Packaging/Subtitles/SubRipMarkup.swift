import ISOBMFF

/// Converts SubRip's tags, which are those of HTML, to WebVTT cue text.
enum SubRipMarkup {
    private static let kept: Set<String> = ["b", "i", "u", "/b", "/i", "/u"]

    /// The longest tag, that of a font; a search to the end of the line from each of ten thousand brackets would take
    /// minutes.
    private static let maximumTagCharacterCount = 256

    /// Escapes text without markup.
    static func escaped(_ line: Substring) -> String {
        String(line.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;"))
    }

    /// Converts a line. Bold, italics and underlining are kept; colours, fonts and positions of other formats are
    /// dropped.
    static func converted(_ line: Substring) -> String {
        var result = ""
        var rest = line
        while let character = rest.first {
            switch character {
            case "<":
                guard let end = rest.prefix(maximumTagCharacterCount).firstIndex(of: ">") else {
                    result += "&lt;"
                    rest = rest.dropFirst()
                    continue
                }
                let tag = rest[rest.index(after: rest.startIndex)..<end].lowercased()
                let name = tag.prefix { !$0.isWhitespace }
                if kept.contains(String(name)) {
                    result += "<\(name)>"
                } else if !["font", "/font", "c", "/c", "s", "/s"].contains(String(name)) {
                    // "x < y > z" is not a tag.
                    result += "&lt;"
                    rest = rest.dropFirst()
                    continue
                }
                rest = rest[rest.index(after: end)...]
            case "{" where rest.dropFirst().first == "\\":
                rest = rest.firstIndex(of: "}").map { rest[rest.index(after: $0)...] } ?? ""
            case "&":
                result += "&amp;"
                rest = rest.dropFirst()
            case ">":
                result += "&gt;"
                rest = rest.dropFirst()
            default:
                result.append(character)
                rest = rest.dropFirst()
            }
        }
        return String(result[...].trimmed)
    }
}
