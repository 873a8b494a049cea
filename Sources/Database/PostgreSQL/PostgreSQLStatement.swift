/// A statement in PostgreSQL's spelling.
enum PostgreSQLStatement {
    /// Replaces parameters `?1` by `$1`, except in quoted text.
    static func translated(_ sql: String) -> String {
        var result: [UInt8] = []
        result.reserveCapacity(sql.utf8.count)
        var quotation: UInt8?
        for byte in sql.utf8 {
            if let open = quotation {
                // A doubled quotation mark ends the text and begins it again.
                if byte == open { quotation = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quotation = byte
            } else if byte == UInt8(ascii: "?") {
                result.append(UInt8(ascii: "$"))
                continue
            }
            result.append(byte)
        }
        return String(decoding: result, as: UTF8.self)
    }

    /// A name in quotation marks.
    static func quoted(_ name: String) -> String { "\"" + name.replacing("\"", with: "\"\"") + "\"" }
}
