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

/// A parsed attribute list (rfc8216bis §4.2); quotation marks are removed.
struct AttributeList {
    /// Attribute names in the order of the list.
    private(set) var names: [String] = []
    private var values: [String: (text: String, isQuoted: Bool)] = [:]

    init(_ text: String, line: Int) throws(PlaylistParsingError) {
        var rest = Substring(text)
        while !rest.isEmpty {
            guard let equals = rest.firstIndex(of: "=") else {
                throw PlaylistParsingError(line: line, "an attribute without a value: \(rest)")
            }
            let name = String(rest[..<equals])
            rest = rest[rest.index(after: equals)...]
            let value: Substring
            let isQuoted = rest.first == "\""
            if isQuoted {
                rest = rest.dropFirst()
                guard let end = rest.firstIndex(of: "\"") else {
                    throw PlaylistParsingError(line: line, "\(name) has no closing quotation mark")
                }
                value = rest[..<end]
                rest = rest[rest.index(after: end)...]
            } else {
                value = rest.prefix { $0 != "," }
                rest = rest[value.endIndex...]
            }
            guard values.updateValue((String(value), isQuoted), forKey: name) == nil else {
                throw PlaylistParsingError(line: line, "\(name) occurs twice")
            }
            names.append(name)
            guard rest.isEmpty || rest.first == "," else {
                throw PlaylistParsingError(line: line, "\(name) is not followed by a comma")
            }
            rest = rest.dropFirst()
        }
    }

    subscript(_ name: String) -> String? { values[name]?.text }

    func isQuoted(_ name: String) -> Bool { values[name]?.isQuoted ?? false }

    func required(_ name: String, line: Int) throws(PlaylistParsingError) -> String {
        guard let value = self[name] else { throw PlaylistParsingError(line: line, "\(name) is missing") }
        return value
    }

    /// The attribute as an unsigned integer; `nil` if it is missing.
    func integer(_ name: String, line: Int) throws(PlaylistParsingError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text), value >= 0 else {
            throw PlaylistParsingError(line: line, "\(name) is not a whole number: \(text)")
        }
        return value
    }

    /// The attribute as a number that is not negative; `nil` if it is missing.
    func decimal(_ name: String, line: Int) throws(PlaylistParsingError) -> Double? {
        guard let text = self[name] else { return nil }
        guard let value = Double(text), value.isFinite, value >= 0 else {
            throw PlaylistParsingError(line: line, "\(name) is not a decimal number: \(text)")
        }
        return value
    }

    /// The attribute as a byte range; `nil` if it is missing.
    func byteRange(_ name: String, line: Int) throws(PlaylistParsingError) -> ByteRange? {
        guard let text = self[name] else { return nil }
        guard let range = ByteRange(parsing: text) else {
            throw PlaylistParsingError(line: line, "\(name) is not a byte range: \(text)")
        }
        return range
    }
}
