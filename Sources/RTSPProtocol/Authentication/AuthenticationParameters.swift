/// Parses parameters of the form `name=value, name="quoted value"` (RFC 7235 §2.1). The first value of each name
/// counts.
struct AuthenticationParameters {
    private var values: [String: String] = [:]

    /// Limit on parameters; real headers have about ten.
    static let maximumCount = 32

    /// Parses as many parameters as are well-formed.
    init(parsing text: String) {
        var rest = Substring(text).unicodeScalars
        while values.count < Self.maximumCount {
            rest = rest.drop { $0 == "," || $0 == " " || $0 == "\t" }
            let name = trimmingWhitespace(String(rest.prefix { $0 != "=" && $0 != "," }))
            rest = rest.drop { $0 != "=" && $0 != "," }
            guard rest.first == "=", !name.isEmpty else {
                if rest.isEmpty { return }
                rest.removeFirst()
                continue
            }
            rest = rest.dropFirst().drop { $0 == " " || $0 == "\t" }
            let value = rest.first == "\"" ? Self.readQuotedString(&rest) : Self.readToken(&rest)
            if values[name.lowercased()] == nil { values[name.lowercased()] = value }
        }
    }

    subscript(name: String) -> String? { values[name] }

    private static func readToken(_ rest: inout Substring.UnicodeScalarView) -> String {
        let token = rest.prefix { $0 != "," }
        rest = rest.dropFirst(token.count)
        return trimmingWhitespace(String(token))
    }

    /// Reads a quoted string (RFC 7230 §3.2.6). An unterminated one extends to the end of the header.
    private static func readQuotedString(_ rest: inout Substring.UnicodeScalarView) -> String {
        var value = String.UnicodeScalarView()
        rest.removeFirst()
        while let scalar = rest.popFirst(), scalar != "\"" {
            if scalar == "\\" {
                if let escaped = rest.popFirst() { value.append(escaped) }
            } else {
                value.append(scalar)
            }
        }
        return String(value)
    }
}

/// Decodes base64 (RFC 4648 §4), with or without padding; `nil` if the text contains other characters.
func base64Decoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var accumulator: UInt32 = 0
    var bitCount = 0
    var hasEnded = false
    for character in text.utf8 {
        if character == UInt8(ascii: "=") {
            hasEnded = true
            continue
        }
        guard !hasEnded, let value = base64Value(character) else { return nil }
        accumulator = (accumulator << 6 | UInt32(value)) & 0xFFFFFF
        bitCount += 6
        if bitCount >= 8 {
            bitCount -= 8
            bytes.append(UInt8(truncatingIfNeeded: accumulator >> UInt32(bitCount)))
        }
    }
    return bitCount == 6 ? nil : bytes
}

private func base64Value(_ character: UInt8) -> UInt8? {
    switch character {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
    case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
    case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    default: nil
    }
}
