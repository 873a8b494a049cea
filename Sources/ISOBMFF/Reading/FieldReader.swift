import NIOCore

/// Reads a table of 32-bit fields sequentially, a few thousand at a time, so that only that part of the table is in
/// memory in its file format.
struct FieldReader {
    let entryCount: Int
    private let box: Box
    private var window: [UInt32] = []
    private var position = 0
    /// Position after the window, from the payload's start.
    private var offset: Int
    private var unreadFieldCount: Int

    static let windowFieldCount = 16_384

    /// - Parameters:
    ///   - offset: position of the first entry, from the payload's start.
    ///   - entryCount: number of entries.
    ///   - fieldsPerEntry: number of 32-bit fields in each entry.
    /// - Throws: ``ISOBMFFError`` if the box is too small for its entries.
    init(_ box: Box, at offset: Int, entryCount: Int, fieldsPerEntry: Int) throws(ISOBMFFError) {
        let available = box.payloadByteCount - offset
        guard entryCount * fieldsPerEntry * 4 <= available else {
            throw box.invalid("claims \(entryCount) entries, but has \(max(0, available)) bytes for them")
        }
        self.box = box
        self.offset = offset
        self.entryCount = entryCount
        unreadFieldCount = entryCount * fieldsPerEntry
    }

    /// Reads a full box that begins with the number of its entries.
    init(parsing box: Box, fieldsPerEntry: Int) throws(ISOBMFFError) {
        let count = try box.fields(1, at: 4)[0]
        try self.init(box, at: 8, entryCount: Int(count), fieldsPerEntry: fieldsPerEntry)
    }

    /// The next field; throws if all have been read.
    mutating func next() throws(ISOBMFFError) -> UInt32 {
        if position == window.count { try readWindow() }
        defer { position += 1 }
        return window[position]
    }

    /// All fields that have not been read yet.
    mutating func rest() throws(ISOBMFFError) -> [UInt32] {
        let fields = try Array(capacity: window.count - position + unreadFieldCount) { (fields) throws(ISOBMFFError) in
            for field in window[position...] { fields.append(field) }
            while unreadFieldCount > 0 {
                let count = min(unreadFieldCount, Self.windowFieldCount)
                try box.readFields(count, at: offset, into: &fields)
                offset += count * 4
                unreadFieldCount -= count
            }
        }
        position = window.count
        return fields
    }

    private mutating func readWindow() throws(ISOBMFFError) {
        let count = min(unreadFieldCount, Self.windowFieldCount)
        guard count > 0 else { throw box.invalid("ends too early") }
        window = try box.fields(count, at: offset)
        position = 0
        offset += count * 4
        unreadFieldCount -= count
    }
}

extension Box {
    /// Big-endian 32-bit fields.
    ///
    /// - Parameters:
    ///   - count: number of fields.
    ///   - offset: position of the first field, from the payload's start.
    func fields(_ count: Int, at offset: Int) throws(ISOBMFFError) -> [UInt32] {
        try Array(capacity: count) { (fields) throws(ISOBMFFError) in
            try readFields(count, at: offset, into: &fields)
        }
    }

    /// Appends big-endian 32-bit fields to those already in `fields`.
    fileprivate func readFields(
        _ count: Int, at offset: Int, into fields: inout OutputSpan<UInt32>
    ) throws(ISOBMFFError) {
        let bytes = try bytes(at: offset, count: count * 4)
        let span = bytes.readableBytesSpan
        for index in 0..<count {
            // "Unsafe" only means that any four bytes are read as an integer, which is correct here.
            fields.append(UInt32(bigEndian: span.unsafeLoadUnaligned(fromByteOffset: index * 4, as: UInt32.self)))
        }
    }
}
