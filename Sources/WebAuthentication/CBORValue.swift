/// A data item of CBOR (RFC 8949), as far as authenticators use it: the canonical form of CTAP 2 without tags, floating
/// point and indefinite lengths.
package indirect enum CBORValue: Sendable, Hashable {
    case unsigned(UInt64)
    /// The number -1 - n.
    case negative(UInt64)
    case bytes([UInt8])
    case text(String)
    case array([CBORValue])
    case map([CBORValue: CBORValue])
    case boolean(Bool)
    case null

    /// Nesting of arrays and maps; an attestation needs 4.
    private static let maximumDepth = 8
    /// Items of the whole text, so that a few bytes do not stand for many items.
    private static let maximumItemCount = 1_000

    /// Parses the item at the beginning of a text, and removes it from the text.
    ///
    /// - Returns: `nil` if there is no item of the supported kinds, or the text ends early.
    package init?(parsing text: inout ArraySlice<UInt8>) {
        var itemCount = 0
        self.init(&text, depth: 0, &itemCount)
    }

    private init?(_ text: inout ArraySlice<UInt8>, depth: Int, _ itemCount: inout Int) {
        itemCount += 1
        guard depth <= Self.maximumDepth, itemCount <= Self.maximumItemCount, let first = text.popFirst() else {
            return nil
        }
        let (major, minor) = (first >> 5, first & 0x1F)
        if major == 7 {
            switch minor {
            case 20: self = .boolean(false)
            case 21: self = .boolean(true)
            case 22: self = .null
            default: return nil
            }
            return
        }
        guard let number = Self.number(minor, &text) else { return nil }
        switch major {
        case 0: self = .unsigned(number)
        case 1: self = .negative(number)
        case 2:
            guard let bytes = Self.take(number, &text) else { return nil }
            self = .bytes(Array(bytes))
        case 3:
            guard let bytes = Self.take(number, &text), let string = String(validating: bytes, as: UTF8.self) else {
                return nil
            }
            self = .text(string)
        case 4:
            guard let items = Self.items(number, &text, depth, &itemCount) else { return nil }
            self = .array(items)
        case 5:
            guard let map = Self.entries(number, &text, depth, &itemCount) else { return nil }
            self = .map(map)
        default: return nil
        }
    }

    /// RFC 8949 §3: the argument of an item's first byte.
    private static func number(_ minor: UInt8, _ text: inout ArraySlice<UInt8>) -> UInt64? {
        switch minor {
        case 0..<24: return UInt64(minor)
        case 24...27:
            guard let bytes = take(1 << UInt64(minor - 24), &text) else { return nil }
            return bytes.reduce(0) { $0 << 8 | UInt64($1) }
        default: return nil
        }
    }

    private static func take(_ count: UInt64, _ text: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard let count = Int(exactly: count), count <= text.count else { return nil }
        defer { text = text.dropFirst(count) }
        return text.prefix(count)
    }

    private static func items(
        _ count: UInt64, _ text: inout ArraySlice<UInt8>, _ depth: Int, _ itemCount: inout Int
    ) -> [CBORValue]? {
        // An item has at least one byte.
        guard count <= UInt64(text.count) else { return nil }
        var items: [CBORValue] = []
        for _ in 0..<count {
            guard let item = CBORValue(&text, depth: depth + 1, &itemCount) else { return nil }
            items.append(item)
        }
        return items
    }

    private static func entries(
        _ count: UInt64, _ text: inout ArraySlice<UInt8>, _ depth: Int, _ itemCount: inout Int
    ) -> [CBORValue: CBORValue]? {
        guard count <= UInt64(text.count) else { return nil }
        var map: [CBORValue: CBORValue] = [:]
        for _ in 0..<count {
            // Two entries with one key are read differently by different programs.
            guard let key = CBORValue(&text, depth: depth + 1, &itemCount), map[key] == nil,
                let value = CBORValue(&text, depth: depth + 1, &itemCount)
            else { return nil }
            map[key] = value
        }
        return map
    }

    /// The value of a key that is a number, such as in a key of COSE.
    package subscript(_ key: Int) -> CBORValue? {
        guard case .map(let map) = self else { return nil }
        return map[key < 0 ? .negative(UInt64(-1 - key)) : .unsigned(UInt64(key))]
    }

    /// The value of a key that is text.
    package subscript(_ key: String) -> CBORValue? {
        guard case .map(let map) = self else { return nil }
        return map[.text(key)]
    }

    package var integer: Int? {
        switch self {
        case .unsigned(let number): Int(exactly: number)
        case .negative(let number): Int(exactly: number).map { -1 - $0 }
        default: nil
        }
    }

    package var byteString: [UInt8]? {
        if case .bytes(let bytes) = self { bytes } else { nil }
    }
}
