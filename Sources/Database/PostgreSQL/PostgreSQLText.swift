import MediaCore

/// PostgreSQL's text format of values (PostgreSQL documentation, chapter 8).
enum PostgreSQLText {
    /// A parameter as text; `nil` for `NULL`.
    static func text(_ value: SQLValue) -> String? {
        switch value.storable {
        case .null: nil
        case .integer(let number): String(number)
        case .real(let number): String(number)
        case .text(let text): text
        case .blob(let bytes): "\\x" + bytes.hexadecimalDigits
        }
    }

    /// Parses a value of a result. A value that is not of the type is given as text, which the reader refuses.
    static func value(_ bytes: UnsafeRawBufferPointer, as type: SQLColumnType) -> SQLValue {
        let text = String(decoding: bytes, as: UTF8.self)
        let parsed: SQLValue? =
            switch type {
            case .text: .text(text)
            case .integer: Int64(text).map(SQLValue.integer)
            case .real: Double(text).map(SQLValue.real)
            case .blob: blob(bytes).map(SQLValue.blob)
            }
        return parsed ?? .text(text)
    }

    private static func blob(_ bytes: UnsafeRawBufferPointer) -> [UInt8]? {
        guard bytes.count >= 2, bytes.count % 2 == 0, bytes[0] == UInt8(ascii: "\\"), bytes[1] == UInt8(ascii: "x")
        else {
            return nil
        }
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count / 2 - 1)
        for index in stride(from: 2, to: bytes.count, by: 2) {
            guard let high = digit(bytes[index]), let low = digit(bytes[index + 1]) else { return nil }
            result.append(high << 4 | low)
        }
        return result
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        default: nil
        }
    }
}
