import MediaCore

/// Writes a document element by element.
struct XMLWriter {
    /// UTF-8. Thousands of segments are numbers, which are written as bytes.
    private var bytes = Array((#"<?xml version="1.0" encoding="UTF-8"?>"# + "\n").utf8)
    private var depth = 0

    var text: String { String(decoding: bytes, as: UTF8.self) }

    mutating func element(_ name: String, _ attributes: [XMLAttribute]) {
        open(name, attributes)
        write("/>\n")
    }

    mutating func element(_ name: String, _ attributes: [XMLAttribute], content: (inout XMLWriter) -> Void) {
        open(name, attributes)
        write(">\n")
        depth += 1
        content(&self)
        depth -= 1
        indent()
        write("</\(name)>\n")
    }

    mutating func element(_ name: String, _ attributes: [XMLAttribute] = [], text content: String) {
        element(name, attributes, escapedText: XMLText.escaped(content)[...])
    }

    mutating func element(_ name: String, _ attributes: [XMLAttribute], escapedText content: Substring) {
        open(name, attributes)
        write(">\(content)</\(name)>\n")
    }

    /// Writes an element of another document as it stands there.
    mutating func copy(_ source: Substring) {
        bytes.append(contentsOf: source.utf8)
        write("\n")
    }

    /// Writes an element without content whose attributes are numbers; `nil` leaves one out.
    mutating func element(
        _ name: StaticString, _ numbers: (name: StaticString, value: Int64?)...
    ) {
        indent()
        bytes.append(UInt8(ascii: "<"))
        write(name)
        for number in numbers {
            guard let value = number.value else { continue }
            bytes.append(UInt8(ascii: " "))
            write(number.name)
            write("=\"")
            write(value)
            bytes.append(UInt8(ascii: "\""))
        }
        write("/>\n")
    }

    private mutating func open(_ name: String, _ attributes: [XMLAttribute]) {
        indent()
        write("<\(name)")
        for attribute in attributes { write(" \(attribute.name)=\"\(XMLText.escaped(attribute.value))\"") }
    }

    private mutating func indent() { bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: depth)) }

    private mutating func write(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func write(_ text: StaticString) {
        bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    private mutating func write(_ number: Int64) {
        if number < 0 { bytes.append(UInt8(ascii: "-")) }
        let first = bytes.count
        var rest = number.magnitude
        repeat {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
            rest /= 10
        } while rest > 0
        bytes[first...].reverse()
    }
}
