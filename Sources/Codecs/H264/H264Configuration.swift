/// The parameter sets of an H.264 stream: the content of `avcC` (AVCDecoderConfigurationRecord, ISO/IEC 14496-15
/// §5.3.3.1).
package struct H264Configuration: Sendable, Hashable {
    /// Sequence parameter sets, header byte included. There is at least one; ``sequenceParameterSet`` holds the first
    /// one parsed.
    package private(set) var sequenceParameterSets: [[UInt8]]
    /// The parameter sets as NAL units, headers included.
    package private(set) var pictureParameterSets: [[UInt8]]
    /// The first sequence parameter set, parsed.
    package private(set) var sequenceParameterSet: H264SequenceParameterSet

    /// The record counts sequence parameter sets in five bits.
    package static let maximumSequenceParameterSetCount = 31
    /// The record counts picture parameter sets in eight bits.
    package static let maximumPictureParameterSetCount = 255

    static let structure = "AVCDecoderConfigurationRecord"

    /// - Throws: ``CodecError`` if there is no sequence or no picture parameter set, if there are too many, or if the
    ///   first sequence parameter set cannot be used.
    package init(sequenceParameterSets: [[UInt8]], pictureParameterSets: [[UInt8]]) throws(CodecError) {
        guard let first = sequenceParameterSets.first else {
            throw CodecError(.invalid, in: Self.structure, "has no sequence parameter set")
        }
        guard !pictureParameterSets.isEmpty else {
            throw CodecError(.invalid, in: Self.structure, "has no picture parameter set")
        }
        guard sequenceParameterSets.count <= Self.maximumSequenceParameterSetCount,
            pictureParameterSets.count <= Self.maximumPictureParameterSetCount,
            (sequenceParameterSets + pictureParameterSets).allSatisfy({ (1...0xFFFF).contains($0.count) })
        else {
            throw CodecError(.invalid, in: Self.structure, "cannot hold so many or so long parameter sets")
        }
        sequenceParameterSet = try H264SequenceParameterSet(parsing: first)
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
    }

    /// - Parameter record: the content of an `avcC` box.
    /// - Throws: ``CodecError`` as ``init(sequenceParameterSets:pictureParameterSets:)`` does, and if NAL unit
    ///   lengths do not have four bytes. Such files are not seen in practice, and just-in-time packaging could not
    ///   pass their samples through.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 1 else {
            throw CodecError(.unsupported, in: Self.structure, "has a version other than 1")
        }
        try cursor.skip(3)
        let lengthSize = Int(try cursor.readByte() & 3) + 1
        guard lengthSize == 4 else {
            throw CodecError(.unsupported, in: Self.structure, "has NAL unit lengths of \(lengthSize) bytes")
        }
        var sequenceParameterSets: [[UInt8]] = []
        for _ in 0..<(try cursor.readByte() & 0x1F) {
            sequenceParameterSets.append(try cursor.readBytes(Int(try cursor.readUInt16())))
        }
        var pictureParameterSets: [[UInt8]] = []
        for _ in 0..<(try cursor.readByte()) {
            pictureParameterSets.append(try cursor.readBytes(Int(try cursor.readUInt16())))
        }
        try self.init(sequenceParameterSets: sequenceParameterSets, pictureParameterSets: pictureParameterSets)
    }

    /// The content of an `avcC` box.
    package var record: [UInt8] {
        let sps = sequenceParameterSet
        var record: [UInt8] = [1, sps.profileIDC, sps.constraintFlags, sps.levelIDC, 0xFF]
        record.append(0xE0 | UInt8(sequenceParameterSets.count))
        for set in sequenceParameterSets { record.appendLengthPrefixed(set) }
        record.append(UInt8(pictureParameterSets.count))
        for set in pictureParameterSets { record.appendLengthPrefixed(set) }
        if [100, 110, 122, 144, 244].contains(sps.profileIDC) {
            record += [
                0xFC | sps.chromaFormatIDC, 0xF8 | (sps.bitDepthLuma - 8), 0xF8 | (sps.bitDepthChroma - 8), 0,
            ]
        }
        return record
    }

    /// The configuration with another frame duration in its timing information; unchanged if a sequence parameter set
    /// cannot be read to its end.
    package func retimed(frameMilliseconds milliseconds: UInt32) -> H264Configuration {
        let sets = sequenceParameterSets.map {
            H264SequenceParameterSet.retimed($0, frameMilliseconds: milliseconds) ?? $0
        }
        let retimed = try? H264Configuration(sequenceParameterSets: sets, pictureParameterSets: pictureParameterSets)
        return retimed ?? self
    }

    /// CODECS entry (RFC 6381 §3.3): `avc1.` and the profile, constraint and level bytes in hexadecimal.
    package var rfc6381: String {
        let sps = sequenceParameterSet
        return "avc1." + [sps.profileIDC, sps.constraintFlags, sps.levelIDC].map(hexadecimal).joined()
    }
}

/// Formats a byte as two lower-case hexadecimal digits.
func hexadecimal(_ byte: UInt8) -> String {
    let digits = String(byte, radix: 16)
    return digits.count == 1 ? "0" + digits : digits
}

extension [UInt8] {
    /// Appends a 16-bit length and the bytes. The decoder configuration records of H.264 and HEVC store parameter
    /// sets this way.
    mutating func appendLengthPrefixed(_ bytes: [UInt8]) {
        append(UInt8(truncatingIfNeeded: bytes.count >> 8))
        append(UInt8(truncatingIfNeeded: bytes.count))
        append(contentsOf: bytes)
    }
}
