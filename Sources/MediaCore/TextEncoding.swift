/// The encoding of a text file that somebody's machine has written.
package enum TextEncoding: Sendable, Hashable {
    case utf8
    case utf16LittleEndian
    case utf16BigEndian
    case singleByte(LegacyEncoding)

    /// The encoding that a document or a header names.
    ///
    /// - Parameter label: a name such as `windows-1252`, in any case. Names follow the WHATWG Encoding Standard §4.2,
    ///   so that `ISO-8859-1` is Windows-1252, which assigns more characters.
    /// - Returns: `nil` for an encoding that is not known.
    package init?(label: some StringProtocol) {
        switch label.lowercased() {
        case "utf-8", "utf8": self = .utf8
        case "utf-16", "utf-16le", "unicode", "ucs-2": self = .utf16LittleEndian
        case "utf-16be": self = .utf16BigEndian
        case "windows-1250", "cp1250": self = .singleByte(.centralEuropean)
        case "windows-1251", "cp1251": self = .singleByte(.cyrillic)
        case "windows-1252", "cp1252", "iso-8859-1", "iso8859-1", "latin1", "latin-1", "us-ascii", "ascii":
            self = .singleByte(.western)
        case "windows-1253", "cp1253": self = .singleByte(.greek)
        case "windows-1254", "cp1254", "iso-8859-9", "latin5": self = .singleByte(.turkish)
        case "windows-1257", "cp1257": self = .singleByte(.baltic)
        default: return nil
        }
    }

    /// The encoding of a whole file.
    ///
    /// A byte order mark is believed first, then the bytes themselves if they are UTF-16 of mostly Latin text or valid
    /// UTF-8, then what was declared.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - declared: the encoding that the file or its sender names; `nil` if none.
    ///   - fallback: the encoding of bytes that are not UTF-8, if none was declared.
    package init(
        of bytes: some RandomAccessCollection<UInt8>, declared: TextEncoding? = nil,
        fallback: LegacyEncoding = .western
    ) {
        if let (encoding, _) = Self.mark(bytes) {
            self = encoding
        } else if let encoding = Self.unmarkedUTF16(bytes) {
            self = encoding
        } else if String(validating: bytes, as: UTF8.self) != nil {
            self = .utf8
        } else if case .singleByte = declared, let declared {
            self = declared
        } else {
            // What is declared as UTF-8 and is not, too.
            self = .singleByte(fallback)
        }
    }

    /// Decodes a whole file.
    ///
    /// - Returns: the text without a byte order mark; damaged places are U+FFFD.
    package func text(_ bytes: some RandomAccessCollection<UInt8>) -> String {
        let mark = Self.mark(bytes)
        let rest = bytes.dropFirst(mark?.byteCount ?? 0)
        switch mark?.encoding ?? self {
        case .utf8: return String(decoding: rest, as: UTF8.self)
        case .utf16LittleEndian: return Self.utf16(rest, isBigEndian: false)
        case .utf16BigEndian: return Self.utf16(rest, isBigEndian: true)
        case .singleByte(let encoding): return String(String.UnicodeScalarView(rest.map(encoding.scalar)))
        }
    }

    // MARK: Detection

    private static func mark(
        _ bytes: some RandomAccessCollection<UInt8>
    ) -> (encoding: TextEncoding, byteCount: Int)? {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16LittleEndian, 2) }
        if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16BigEndian, 2) }
        return nil
    }

    /// The bytes that are looked at for UTF-16 without a mark.
    private static let examinedByteCount = 512

    /// Every second byte of Latin text in UTF-16 is zero, and no text in another encoding has any.
    private static func unmarkedUTF16(_ bytes: some RandomAccessCollection<UInt8>) -> TextEncoding? {
        let beginning = bytes.prefix(examinedByteCount)
        guard bytes.count >= 2, bytes.count.isMultiple(of: 2) else { return nil }
        var zeros = (even: 0, odd: 0)
        for (index, byte) in beginning.enumerated() where byte == 0 {
            if index.isMultiple(of: 2) { zeros.even += 1 } else { zeros.odd += 1 }
        }
        let unitCount = beginning.count / 2
        if zeros.even == 0, zeros.odd * 4 >= unitCount * 3 { return .utf16LittleEndian }
        if zeros.odd == 0, zeros.even * 4 >= unitCount * 3 { return .utf16BigEndian }
        return nil
    }

    private static func utf16(_ bytes: some RandomAccessCollection<UInt8>, isBigEndian: Bool) -> String {
        var units: [UInt16] = []
        units.reserveCapacity(bytes.count / 2)
        var first: UInt8?
        for byte in bytes {
            guard let high = first else {
                first = byte
                continue
            }
            units.append(isBigEndian ? UInt16(high) << 8 | UInt16(byte) : UInt16(byte) << 8 | UInt16(high))
            first = nil
        }
        return String(decoding: units, as: UTF16.self)
    }
}
