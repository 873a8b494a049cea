/// Writes the lines of a playlist as UTF-8. It avoids intermediate strings, because a live window writes thousands of
/// lines for each revision.
struct PlaylistWriter {
    private(set) var bytes: [UInt8] = []
    private var isListEmpty = true

    mutating func reserve(_ byteCount: Int) { bytes.reserveCapacity(byteCount) }

    mutating func text(_ text: String) { bytes.append(contentsOf: text.utf8) }

    mutating func text(_ text: some Collection<UInt8>) { bytes.append(contentsOf: text) }

    mutating func endLine() { bytes.append(UInt8(ascii: "\n")) }

    mutating func integer(_ value: some BinaryInteger) { digits(Int64(clamping: value), width: 1) }

    /// Writes a number with leading zeros up to `width` characters.
    mutating func digits(_ value: Int64, width: Int) {
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value.magnitude
        var (unit, count) = (UInt64(1), value < 0 ? 2 : 1)
        while magnitude / unit >= 10 { (unit, count) = (unit * 10, count + 1) }
        for _ in 0..<max(0, width - count) { bytes.append(UInt8(ascii: "0")) }
        while unit > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: magnitude / unit % 10))
            unit /= 10
        }
    }

    mutating func decimal(_ value: DecimalFloatingPoint) {
        if value.microUnits < 0 { bytes.append(UInt8(ascii: "-")) }
        let magnitude = value.microUnits.magnitude
        integer(magnitude / 1_000_000)
        bytes.append(UInt8(ascii: "."))
        digits(Int64(magnitude % 1_000_000), width: 6)
    }

    mutating func byteRange(_ range: ByteRange) {
        integer(range.length)
        if let offset = range.offset {
            bytes.append(UInt8(ascii: "@"))
            integer(offset)
        }
    }

    /// Writes a URI as a line or between quotation marks. Characters that would end it there are percent-encoded, and
    /// so is a leading number sign, which would turn the line into a comment (rfc8216bis §4.1).
    mutating func uri(_ uri: String) {
        let start = bytes.count
        bytes.append(contentsOf: uri.utf8)
        let isSafe = bytes[start...].allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
        guard !isSafe || uri.utf8.first == UInt8(ascii: "#") else { return }
        bytes.removeSubrange(start...)
        for (index, byte) in uri.utf8.enumerated() {
            let isCommentSign = index == 0 && byte == UInt8(ascii: "#")
            if byte > 0x20, byte != 0x22, byte != 0x7F, !isCommentSign {
                bytes.append(byte)
            } else {
                text("%\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))")
            }
        }
    }

    // MARK: Tags

    mutating func tag(_ name: String) {
        text(name)
        endLine()
    }

    mutating func tag(_ name: String, _ value: Int) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
        integer(value)
        endLine()
    }

    /// Writes a tag whose value is an attribute list (rfc8216bis §4.2).
    mutating func tag(_ name: String, list: (inout PlaylistWriter) -> Void) {
        text(name)
        bytes.append(UInt8(ascii: ":"))
        isListEmpty = true
        list(&self)
        endLine()
    }

    // MARK: Attributes

    mutating func attribute(_ name: String, enumerated value: String) {
        begin(name)
        text(value)
    }

    mutating func attribute(_ name: String, integer value: Int) {
        begin(name)
        integer(value)
    }

    mutating func attribute(_ name: String, decimal value: DecimalFloatingPoint) {
        begin(name)
        decimal(value)
    }

    /// Writes a quoted string. It cannot hold quotation marks and control characters (rfc8216bis §4.1, §4.2), which
    /// are replaced by similar characters.
    mutating func attribute(_ name: String, quoted value: String) {
        attribute(name, quotedElements: [value])
    }

    /// Writes a quoted string whose elements are separated by tabs, as in RECENTLY-REMOVED-DATERANGES.
    mutating func attribute(_ name: String, quotedElements elements: [String]) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        for (index, element) in elements.enumerated() {
            if index > 0 { bytes.append(UInt8(ascii: "\t")) }
            text(String(String.UnicodeScalarView(element.unicodeScalars.map(Self.sanitized))))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func attribute(_ name: String, uri value: String) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        uri(value)
        bytes.append(UInt8(ascii: "\""))
    }

    mutating func attribute(_ name: String, byteRange value: ByteRange) {
        begin(name)
        bytes.append(UInt8(ascii: "\""))
        byteRange(value)
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func begin(_ name: String) {
        if !isListEmpty { bytes.append(UInt8(ascii: ",")) }
        isListEmpty = false
        text(name)
        bytes.append(UInt8(ascii: "="))
    }

    private static func sanitized(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar.value {
        case 0x22: "'"
        case 0..<0x20, 0x7F...0x9F: " "
        default: scalar
        }
    }
}
