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
