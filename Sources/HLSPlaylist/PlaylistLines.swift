/// The lines of a playlist with their numbers, split into tags and URIs (rfc8216bis §4.1).
struct PlaylistLines {
    enum Line {
        /// A tag's name without `#`, and the text after the colon, which is empty if the tag has no value.
        case tag(name: String, value: String)
        case uri(String)
    }

    let lines: [(number: Int, line: Line)]

    /// Size limit in bytes; a day of two-second segments stays below it.
    static let maximumByteCount = 16 << 20

    init(_ text: String) throws(PlaylistParsingError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw PlaylistParsingError(line: 1, "the playlist is longer than \(Self.maximumByteCount) bytes")
        }
        var lines: [(number: Int, line: Line)] = []
        var number = 0
        // rfc8216bis §4.1: a line ends with LF or CRLF; Unicode's other line terminators are text.
        for raw in text.split(omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" }) {
            number += 1
            if number == 1 {
                guard raw == "#EXTM3U" else { throw PlaylistParsingError(line: 1, "does not start with #EXTM3U") }
                continue
            }
            if raw.isEmpty { continue }
            guard raw.hasPrefix("#") else {
                lines.append((number, .uri(String(raw))))
                continue
            }
            guard raw.hasPrefix("#EXT") else { continue }
            let parts = raw.dropFirst().split(separator: ":", maxSplits: 1)
            lines.append((number, .tag(name: String(parts[0]), value: parts.count > 1 ? String(parts[1]) : "")))
        }
        self.lines = lines
    }
}
