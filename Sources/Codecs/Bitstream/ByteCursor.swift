/// Reads whole bytes of a decoder configuration record; every read past the end throws.
struct ByteCursor {
    private var remaining: ArraySlice<UInt8>
    private let structure: String

    init(_ bytes: [UInt8], structure: String) {
        remaining = bytes[...]
        self.structure = structure
    }

    var remainingByteCount: Int { remaining.count }

    mutating func readByte() throws(CodecError) -> UInt8 {
        guard let byte = remaining.popFirst() else { throw truncated }
        return byte
    }

    mutating func readUInt16() throws(CodecError) -> UInt16 {
        UInt16(try readByte()) << 8 | UInt16(try readByte())
    }

    mutating func readBytes(_ count: Int) throws(CodecError) -> [UInt8] {
        guard count <= remaining.count else { throw truncated }
        defer { remaining = remaining.dropFirst(count) }
        return Array(remaining.prefix(count))
    }

    mutating func skip(_ count: Int) throws(CodecError) {
        guard count <= remaining.count else { throw truncated }
        remaining = remaining.dropFirst(count)
    }

    private var truncated: CodecError { CodecError(.truncated, in: structure, "ends too early") }
}
