/// The parameters of an AV1 stream: the content of `av1C` (AV1 Codec ISO Media File Format Binding §2.3.3).
package struct AV1Configuration: Sendable, Hashable {
    /// OBUs in low-overhead format with their sizes; the first is the sequence header.
    package private(set) var configurationOBUs: [UInt8]
    package private(set) var sequenceHeader: AV1SequenceHeader

    /// Size limit in bytes, which leaves room for a sequence header and some metadata.
    package static let maximumByteCount = 4_096
    static let structure = "AV1CodecConfigurationRecord"

    /// - Parameter payload: the payload of a sequence header OBU, without OBU header and size.
    package init(sequenceHeaderPayload payload: [UInt8]) throws(CodecError) {
        sequenceHeader = try AV1SequenceHeader(parsingPayload: payload)
        configurationOBUs = [AV1OBUType.sequenceHeader << 3 | 2]
        configurationOBUs.appendLittleEndianBase128(payload.count)
        configurationOBUs += payload
    }

    /// - Parameter record: the content of an `av1C` box.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        guard record.count <= Self.maximumByteCount else {
            throw CodecError(.invalid, in: Self.structure, "is \(record.count) bytes long")
        }
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 0x81 else {
            throw CodecError(.unsupported, in: Self.structure, "has a version other than 1")
        }
        try cursor.skip(3)
        configurationOBUs = try cursor.readBytes(cursor.remainingByteCount)
        var found: AV1SequenceHeader?
        var obus = ByteCursor(configurationOBUs, structure: Self.structure)
        while obus.remainingByteCount > 0 {
            let obu = try obus.readOBU()
            if obu.type == AV1OBUType.sequenceHeader { found = try AV1SequenceHeader(parsingPayload: obu.payload) }
        }
        guard let found else { throw CodecError(.unsupported, in: Self.structure, "has no sequence header") }
        sequenceHeader = found
    }

    /// Finds the first sequence header of a temporal unit, whose OBUs have their sizes as in files.
    ///
    /// - Parameter bytes: the beginning of a temporal unit.
    /// - Returns: `nil` if there is none, or none that can be read.
    package init?(findingSequenceHeaderIn bytes: [UInt8]) {
        var obus = ByteCursor(bytes, structure: Self.structure)
        while obus.remainingByteCount > 0, let obu = try? obus.readOBU() {
            guard obu.type == AV1OBUType.sequenceHeader else { continue }
            guard obu.payload.count <= Self.maximumByteCount,
                let found = try? AV1Configuration(sequenceHeaderPayload: obu.payload)
            else { return nil }
            self = found
            return
        }
        return nil
    }

    /// The content of an `av1C` box.
    package var record: [UInt8] {
        let color = sequenceHeader.color
        var third: UInt8 = sequenceHeader.isHighTier ? 0x80 : 0
        if color.bitDepth > 8 { third |= 0x40 }
        if color.bitDepth == 12 { third |= 0x20 }
        if color.isMonochrome { third |= 0x10 }
        if color.isSubsampledHorizontally { third |= 0x08 }
        if color.isSubsampledVertically { third |= 0x04 }
        third |= color.chromaSamplePosition & 3
        return [0x81, sequenceHeader.profile << 5 | sequenceHeader.levelIndex, third, 0] + configurationOBUs
    }

    /// CODECS entry: profile, level with tier, bit depth (AV1 Codec ISO Media File Format Binding §5).
    package var rfc6381: String {
        let header = sequenceHeader
        return
            "av01.\(header.profile).\(twoDigits(header.levelIndex))\(header.isHighTier ? "H" : "M")"
            + ".\(twoDigits(header.color.bitDepth))"
    }
}

private func twoDigits(_ value: UInt8) -> String { value < 10 ? "0\(value)" : "\(value)" }

extension [UInt8] {
    /// Appends leb128() (AV1 bitstream specification §4.10.5).
    mutating func appendLittleEndianBase128(_ value: Int) {
        var rest = value
        repeat {
            append(UInt8(rest & 0x7F) | (rest > 0x7F ? 0x80 : 0))
            rest >>= 7
        } while rest > 0
    }
}

extension ByteCursor {
    /// Reads an OBU that has its size, as in files.
    mutating func readOBU() throws(CodecError) -> (type: UInt8, payload: [UInt8]) {
        let header = try readByte()
        guard header & 2 != 0 else {
            throw CodecError(.invalid, in: AV1Configuration.structure, "has an OBU without a size")
        }
        if header & 4 != 0 { try skip(1) }
        return (AV1OBUType.type(headerByte: header), try readBytes(try readLittleEndianBase128()))
    }

    /// Reads leb128() of at most four bytes, which is enough for any size here.
    mutating func readLittleEndianBase128() throws(CodecError) -> Int {
        var value = 0
        for index in 0..<4 {
            let byte = try readByte()
            value |= Int(byte & 0x7F) << (7 * index)
            if byte & 0x80 == 0 { return value }
        }
        throw CodecError(.invalid, in: AV1Configuration.structure, "has a size of more than four bytes")
    }
}
