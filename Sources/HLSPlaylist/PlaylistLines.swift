/// The lines of a playlist with their numbers, tags apart from URIs (draft-pantos-hls-rfc8216bis §4.1).
struct PlaylistLines {
    enum Line {
        /// Without `#`; the value is what stands behind the colon, empty where there is none.
        case tag(name: String, value: String)
        case uri(String)
    }

    let lines: [(number: Int, line: Line)]

    /// Playlists of a day of two-second segments stay below it.
    static let maximumByteCount = 16 << 20

    init(_ text: String) throws(PlaylistParsingError) {
        guard text.utf8.count <= Self.maximumByteCount else {
            throw PlaylistParsingError(line: 1, "longer than \(Self.maximumByteCount) bytes")
        }
        var lines: [(number: Int, line: Line)] = []
        var number = 0
        // §4.1: a line ends with a line feed, or carriage return and line feed; Unicode's other line ends are text.
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

/// An attribute list taken apart (§4.2); quotation marks are removed.
struct AttributeList {
    /// In the order of the list.
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
                throw PlaylistParsingError(line: line, "\(name) stands twice")
            }
            names.append(name)
            guard rest.isEmpty || rest.first == "," else {
                throw PlaylistParsingError(line: line, "something other than a comma behind \(name)")
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

    /// `nil` where it is missing.
    func integer(_ name: String, line: Int) throws(PlaylistParsingError) -> Int? {
        guard let text = self[name] else { return nil }
        guard let value = Int(text), value >= 0 else {
            throw PlaylistParsingError(line: line, "\(name) is not a whole number: \(text)")
        }
        return value
    }

    /// `nil` where it is missing.
    func decimal(_ name: String, line: Int) throws(PlaylistParsingError) -> Double? {
        guard let text = self[name] else { return nil }
        guard let value = Double(text), value.isFinite, value >= 0 else {
            throw PlaylistParsingError(line: line, "\(name) is not a decimal number: \(text)")
        }
        return value
    }

    /// `nil` where it is missing.
    func byteRange(_ name: String, line: Int) throws(PlaylistParsingError) -> ByteRange? {
        guard let text = self[name] else { return nil }
        guard let range = ByteRange(parsing: text) else {
            throw PlaylistParsingError(line: line, "\(name) is not a byte range: \(text)")
        }
        return range
    }
}
