package import NIOCore

extension ByteBuffer {
    /// Writes a value in AMF 0.
    package mutating func write(_ value: AMF0Value) {
        switch value {
        case .number(let number):
            writeMarker(.number)
            writeInteger(number.bitPattern)
        case .boolean(let isTrue):
            writeMarker(.boolean)
            writeInteger(isTrue ? 1 : 0, as: UInt8.self)
        case .string(let text):
            if let count = UInt16(exactly: text.utf8.count) {
                writeMarker(.string)
                writeInteger(count)
            } else {
                writeMarker(.longString)
                writeInteger(UInt32(clamping: text.utf8.count))
            }
            writeString(text)
        case .object(let properties):
            writeMarker(.object)
            write(properties)
        case .ecmaArray(let properties):
            writeMarker(.ecmaArray)
            writeInteger(UInt32(clamping: properties.count))
            write(properties)
        case .strictArray(let values):
            writeMarker(.strictArray)
            writeInteger(UInt32(clamping: values.count))
            for value in values { write(value) }
        case .date(let milliseconds):
            writeMarker(.date)
            writeInteger(milliseconds.bitPattern)
            writeInteger(0, as: UInt16.self)
        case .null: writeMarker(.null)
        case .undefined: writeMarker(.undefined)
        }
    }

    /// Properties whose names are longer than AMF 0 allows are left out.
    private mutating func write(_ properties: [AMF0Value.Property]) {
        for property in properties {
            guard let count = UInt16(exactly: property.name.utf8.count) else { continue }
            writeInteger(count)
            writeString(property.name)
            write(property.value)
        }
        writeInteger(0, as: UInt16.self)
        writeMarker(.objectEnd)
    }

    private mutating func writeMarker(_ marker: AMF0Marker) { writeInteger(marker.rawValue) }
}
