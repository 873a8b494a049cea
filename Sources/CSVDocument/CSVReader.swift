package import MediaCore

/// Reads comma-separated values (RFC 4180), as spreadsheets write them: separated by commas, semicolons or tabs, or as
/// a first line `sep=;` says, with any line breaks, in UTF-8, UTF-16 or an encoding of Windows.
package struct CSVReader: Sendable {
    /// Why a text cannot be read.
    package struct Failure: Error, Hashable, CustomStringConvertible {
        /// The line, from 1.
        package var line: Int
        /// A sentence without a full stop.
        package var reason: String

        package var description: String { "line \(line): \(reason)" }
    }

    /// A row and the line on which it begins, from 1.
    package struct Row: Sendable, Hashable {
        package var line: Int
        package var fields: [String]
    }

    /// Limit of the rows, with the header.
    package var maximumRowCount: Int
    /// Limit of the fields of a row.
    package var maximumFieldCount: Int

    package init(maximumRowCount: Int, maximumFieldCount: Int) {
        (self.maximumRowCount, self.maximumFieldCount) = (maximumRowCount, maximumFieldCount)
    }

    private static let quote = UInt8(ascii: "\"")

    /// The rows of a table; empty lines are left out.
    ///
    /// - Parameters:
    ///   - bytes: the file.
    ///   - declared: the encoding that its sender names; `nil` if none.
    /// - Throws: ``Failure`` if a quoted field is not closed, or a limit is exceeded.
    package func rows(_ bytes: [UInt8], declared: TextEncoding? = nil) throws(Failure) -> [Row] {
        let text = Array(TextEncoding(of: bytes, declared: declared).text(bytes).utf8)
        var bytes = text[...]
        let statement = Self.separatorStatement(bytes)
        bytes = bytes.dropFirst(statement?.byteCount ?? 0)
        let separator = statement?.separator ?? Self.separator(bytes)
        var rows: [Row] = []
        var line = statement == nil ? 1 : 2
        var rowLine = line
        var fields: [String] = []
        var field: [UInt8] = []
        var (isQuoted, wasQuoted) = (false, false)

        func endField() throws(Failure) {
            guard fields.count < maximumFieldCount else {
                throw Failure(line: rowLine, reason: "a row is limited to \(maximumFieldCount) fields")
            }
            fields.append(Self.plain(String(decoding: field, as: UTF8.self)))
            field = []
            wasQuoted = false
        }
        func endRow() throws(Failure) {
            try endField()
            if fields != [""] {
                guard rows.count < maximumRowCount else {
                    throw Failure(line: rowLine, reason: "the table is limited to \(maximumRowCount) rows")
                }
                rows.append(Row(line: rowLine, fields: fields))
            }
            fields = []
        }

        var index = bytes.startIndex
        while index < bytes.endIndex {
            let byte = bytes[index]
            bytes.formIndex(after: &index)
            if isQuoted {
                if byte == Self.quote {
                    if index < bytes.endIndex, bytes[index] == Self.quote {
                        field.append(byte)
                        bytes.formIndex(after: &index)
                    } else {
                        isQuoted = false
                    }
                } else {
                    if byte == UInt8(ascii: "\n") { line += 1 }
                    field.append(byte)
                }
                continue
            }
            switch byte {
            case Self.quote where field.isEmpty && !wasQuoted: (isQuoted, wasQuoted) = (true, true)
            case separator: try endField()
            case UInt8(ascii: "\r") where index < bytes.endIndex && bytes[index] == UInt8(ascii: "\n"): break
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                try endRow()
                line += 1
                rowLine = line
            default: field.append(byte)
            }
        }
        guard !isQuoted else { throw Failure(line: rowLine, reason: "a quoted field is not closed") }
        if !field.isEmpty || !fields.isEmpty || wasQuoted { try endRow() }
        return rows
    }

    /// A first line `sep=;`, by which Excel lets a file say what separates its fields.
    ///
    /// - Returns: the separator, and the bytes of the line; `nil` if there is no such line.
    private static func separatorStatement(_ bytes: ArraySlice<UInt8>) -> (separator: UInt8, byteCount: Int)? {
        let line = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard line.count == 5, String(decoding: line.prefix(4), as: UTF8.self).lowercased() == "sep=",
            let separator = line.last
        else { return nil }
        let end = bytes.dropFirst(line.count)
        return (separator, line.count + (end.starts(with: "\r\n".utf8) ? 2 : min(end.count, 1)))
    }

    /// The separator of the fields of the first line.
    private static func separator(_ bytes: ArraySlice<UInt8>) -> UInt8 {
        let header = bytes.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        return [UInt8(ascii: ";"), UInt8(ascii: "\t")].first { separator in
            header.contains(separator) && !header.contains(UInt8(ascii: ","))
        } ?? UInt8(ascii: ",")
    }

    /// A field without the apostrophe that ``CSVRow`` puts before formulas.
    private static func plain(_ text: String) -> String {
        let rest = text.unicodeScalars.dropFirst()
        return text.unicodeScalars.first == CSVRow.guardMark && CSVRow.isGuarded(rest) ? String(rest) : text
    }
}
