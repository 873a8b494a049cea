/// The parameter sets of an HEVC stream: the content of `hvcC` (HEVCDecoderConfigurationRecord, ISO/IEC 14496-15
/// §8.3.3.1).
package struct HEVCConfiguration: Sendable, Hashable {
    /// The parameter sets as NAL units, headers included.
    package private(set) var videoParameterSets: [[UInt8]]
    /// Sequence parameter sets, header included. There is at least one; ``sequenceParameterSet`` holds the first one
    /// parsed.
    package private(set) var sequenceParameterSets: [[UInt8]]
    /// The parameter sets as NAL units, headers included.
    package private(set) var pictureParameterSets: [[UInt8]]
    /// The first sequence parameter set, parsed.
    package private(set) var sequenceParameterSet: HEVCSequenceParameterSet

    /// Limit on parameter sets of all kinds, far above what encoders write (a VPS, an SPS, a PPS and occasionally a
    /// second PPS).
    package static let maximumParameterSetCount = 64
    static let structure = "HEVCDecoderConfigurationRecord"

    /// - Throws: ``CodecError`` if a kind of parameter set is missing, if there are too many or too long ones, or if
    ///   the first sequence parameter set cannot be used.
    package init(
        videoParameterSets: [[UInt8]], sequenceParameterSets: [[UInt8]], pictureParameterSets: [[UInt8]]
    ) throws(CodecError) {
        guard let first = sequenceParameterSets.first else {
            throw CodecError(.invalid, in: Self.structure, "has no sequence parameter set")
        }
        guard !videoParameterSets.isEmpty, !pictureParameterSets.isEmpty else {
            throw CodecError(.invalid, in: Self.structure, "has no video parameter set or no picture parameter set")
        }
        let all = videoParameterSets + sequenceParameterSets + pictureParameterSets
        guard all.count <= Self.maximumParameterSetCount, all.allSatisfy({ (1...0xFFFF).contains($0.count) }) else {
            throw CodecError(.invalid, in: Self.structure, "cannot hold so many or so long parameter sets")
        }
        sequenceParameterSet = try HEVCSequenceParameterSet(parsing: first)
        self.videoParameterSets = videoParameterSets
        self.sequenceParameterSets = sequenceParameterSets
        self.pictureParameterSets = pictureParameterSets
    }

    /// - Parameter record: the content of an `hvcC` box.
    package init(parsingRecord record: [UInt8]) throws(CodecError) {
        var cursor = ByteCursor(record, structure: Self.structure)
        guard try cursor.readByte() == 1 else {
            throw CodecError(.unsupported, in: Self.structure, "has a version other than 1")
        }
        try cursor.skip(20)
        let lengthSize = Int(try cursor.readByte() & 3) + 1
        guard lengthSize == 4 else {
            throw CodecError(.unsupported, in: Self.structure, "has NAL unit lengths of \(lengthSize) bytes")
        }
        var sets: [UInt8: [[UInt8]]] = [:]
        var count = 0
        for _ in 0..<(try cursor.readByte()) {
            let type = try cursor.readByte() & 0x3F
            for _ in 0..<(try cursor.readUInt16()) {
                count += 1
                guard count <= Self.maximumParameterSetCount else {
                    throw CodecError(.invalid, in: Self.structure, "has more than \(count - 1) NAL units")
                }
                sets[type, default: []].append(try cursor.readBytes(Int(try cursor.readUInt16())))
            }
        }
        try self.init(
            videoParameterSets: sets[HEVCNALUnitType.videoParameterSet] ?? [],
            sequenceParameterSets: sets[HEVCNALUnitType.sequenceParameterSet] ?? [],
            pictureParameterSets: sets[HEVCNALUnitType.pictureParameterSet] ?? []
        )
    }

    /// The content of an `hvcC` box, which holds all parameter sets (array_completeness 1, as `hvc1` requires).
    package var record: [UInt8] {
        let sps = sequenceParameterSet
        let level = sps.profileTierLevel
        var record: [UInt8] = [
            1, level.profileSpace << 6 | (level.isHighTier ? 0x20 : 0) | level.profileIDC,
        ]
        record += stride(from: 24, through: 0, by: -8).map {
            UInt8(truncatingIfNeeded: level.compatibilityFlags >> UInt32($0))
        }
        record += level.constraintFlags
        record += [level.levelIDC, 0xF0, 0x00, 0xFC]  // no spatial segmentation, parallelism unknown
        record += [0xFC | sps.chromaFormatIDC, 0xF8 | (sps.bitDepthLuma - 8), 0xF8 | (sps.bitDepthChroma - 8)]
        record += [0, 0]  // average frame rate unspecified
        record.append(
            UInt8(sps.maximumSubLayersMinus1 + 1) << 3 | (sps.isTemporalIDNested ? 4 : 0) | 3)
        record.append(3)
        append(videoParameterSets, type: HEVCNALUnitType.videoParameterSet, to: &record)
        append(sequenceParameterSets, type: HEVCNALUnitType.sequenceParameterSet, to: &record)
        append(pictureParameterSets, type: HEVCNALUnitType.pictureParameterSet, to: &record)
        return record
    }

    private func append(_ sets: [[UInt8]], type: UInt8, to record: inout [UInt8]) {
        record.append(0x80 | type)
        record += [UInt8(truncatingIfNeeded: sets.count >> 8), UInt8(truncatingIfNeeded: sets.count)]
        for set in sets { record.appendLengthPrefixed(set) }
    }

    /// CODECS entry (ISO/IEC 14496-15 §E.3) with the sample entry `hvc1`, which the HLS Authoring Specification
    /// prefers (1.10).
    package var rfc6381: String { "hvc1." + sequenceParameterSet.profileTierLevel.rfc6381Suffix }
}
