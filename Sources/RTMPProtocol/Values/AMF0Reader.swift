package import NIOCore

/// Reads values in AMF 0 from a message. References to earlier values, which no encoder sends, are refused: a few bytes
/// could stand for any number of values.
package struct AMF0Reader: Sendable {
    /// Objects and arrays within each other.
    package static let maximumDepth = 16
    /// Values of a message, those within others included.
    package static let maximumValueCount = 4_096

    private var bytes: ByteBuffer
    private var valueCount = 0

    package init(_ bytes: ByteBuffer) { self.bytes = bytes }

    /// All values of a message.
    ///
    /// - Throws: `RTMPError` for damaged values, and beyond the limits.
    package static func values(_ bytes: ByteBuffer) throws(RTMPError) -> [AMF0Value] {
        var reader = AMF0Reader(bytes)
        var values: [AMF0Value] = []
        while let value = try reader.next() { values.append(value) }
        return values
    }

    /// The next value; `nil` at the end.
    package mutating func next() throws(RTMPError) -> AMF0Value? {
        guard bytes.readableBytes > 0 else { return nil }
        return try value(depth: 0)
    }

    private mutating func value(depth: Int) throws(RTMPError) -> AMF0Value {
        guard depth < Self.maximumDepth else {
            throw RTMPError("values are nested deeper than \(Self.maximumDepth)")
        }
        valueCount += 1
        guard valueCount <= Self.maximumValueCount else {
            throw RTMPError("a message has more than \(Self.maximumValueCount) values")
        }
        let number: UInt8 = try integer()
        guard let marker = AMF0Marker(rawValue: number) else {
            throw RTMPError("a value has the type \(number), which AMF 0 does not have or Antena does not take")
        }
        switch marker {
        case .number: return .number(Double(bitPattern: try integer()))
        case .boolean: return .boolean(try integer(UInt8.self) != 0)
        case .string: return .string(try text(byteCount: Int(try integer(UInt16.self))))
        case .longString, .xmlDocument: return .string(try text(byteCount: Int(try integer(UInt32.self))))
        case .object: return .object(try properties(depth: depth))
        case .typedObject:
            _ = try text(byteCount: Int(try integer(UInt16.self)))
            return .object(try properties(depth: depth))
        case .ecmaArray:
            // The number of properties is a hint; an end follows anyway.
            _ = try integer(UInt32.self)
            return .ecmaArray(try properties(depth: depth))
        case .strictArray: return .strictArray(try elements(depth: depth))
        case .date:
            let milliseconds = Double(bitPattern: try integer())
            // The time zone is reserved (§2.13).
            _ = try integer(UInt16.self)
            return .date(milliseconds)
        case .null: return .null
        case .undefined, .unsupported: return .undefined
        case .objectEnd: throw RTMPError("an object ends that has not begun")
        }
    }

    private mutating func properties(depth: Int) throws(RTMPError) -> [AMF0Value.Property] {
        var properties: [AMF0Value.Property] = []
        while true {
            let name = try text(byteCount: Int(try integer(UInt16.self)))
            if bytes.getInteger(at: bytes.readerIndex, as: UInt8.self) == AMF0Marker.objectEnd.rawValue {
                bytes.moveReaderIndex(forwardBy: 1)
                return properties
            }
            properties.append(.init(name, try value(depth: depth + 1)))
        }
    }

    private mutating func elements(depth: Int) throws(RTMPError) -> [AMF0Value] {
        let count = try integer(UInt32.self)
        // Each element takes a byte at least, so that a large number does not make a large array.
        guard count <= bytes.readableBytes else { throw RTMPError("an array is longer than its message") }
        var elements: [AMF0Value] = []
        for _ in 0..<count { elements.append(try value(depth: depth + 1)) }
        return elements
    }

    private mutating func integer<Integer: FixedWidthInteger>(
        _ type: Integer.Type = Integer.self
    ) throws(RTMPError) -> Integer {
        guard let integer = bytes.readInteger(as: Integer.self) else { throw Self.isCutOff }
        return integer
    }

    private mutating func text(byteCount: Int) throws(RTMPError) -> String {
        guard let text = bytes.readString(length: byteCount) else { throw Self.isCutOff }
        return text
    }

    private static let isCutOff = RTMPError("a value is longer than its message")
}
