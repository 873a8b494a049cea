package import MediaCore
package import NIOCore

/// The NAL units of one picture of H.264 or HEVC, as samples have them: without parameter sets, which are told apart,
/// and without delimiters and filling.
package struct NALUnitPicture: Sendable {
    private let isHEVC: Bool
    /// The units of the picture.
    package private(set) var units: [FragmentedNALUnit] = []
    /// Whether the picture is an IDR picture, or an IRAP picture of HEVC.
    package private(set) var isRandomAccessPoint = false
    /// Whether the picture has a recovery point, at which decoding can start although frames refer to before.
    package private(set) var isRecoveryPoint = false
    /// Whether the picture is a leading one that is skipped when decoding starts at the random access point before it.
    package private(set) var isSkippedLeading = false
    private var parameterSets: [UInt8: [[UInt8]]] = [:]

    /// Parameter sets of a picture; encoders send three at most of each kind.
    private static let maximumParameterSetCount = 32

    package init(isHEVC: Bool) { self.isHEVC = isHEVC }

    /// Adds a unit with its header; an empty one is nothing.
    package mutating func append(_ unit: ByteBuffer) {
        guard let header = unit.getInteger(at: unit.readerIndex, as: UInt8.self) else { return }
        if isHEVC { append(unit, hevc: HEVCNALUnitType.type(headerByte: header)) } else { append(unit, h264: header) }
    }

    private mutating func append(_ unit: ByteBuffer, h264 header: UInt8) {
        switch H264NALUnitType(headerByte: header) {
        case .idrSlice:
            isRandomAccessPoint = true
            units.append(FragmentedNALUnit(unit))
        case .sequenceParameterSet, .pictureParameterSet: keep(unit, type: header & 0x1F)
        case .accessUnitDelimiter, .fillerData, .endOfSequence, .endOfStream: break
        case .supplementalEnhancementInformation: append(information: FragmentedNALUnit(unit), headerByteCount: 1)
        default: units.append(FragmentedNALUnit(unit))
        }
    }

    private mutating func append(information unit: FragmentedNALUnit, headerByteCount: Int) {
        if SupplementalEnhancementInformation.hasRecoveryPoint(unit, headerByteCount: headerByteCount) {
            isRecoveryPoint = true
        }
        units.append(unit)
    }

    private mutating func append(_ unit: ByteBuffer, hevc type: UInt8) {
        switch type {
        case HEVCNALUnitType.parameterSets: keep(unit, type: type)
        case HEVCNALUnitType.accessUnitDelimiter...HEVCNALUnitType.fillerData: break
        case HEVCNALUnitType.prefixSEI: append(information: FragmentedNALUnit(unit), headerByteCount: 2)
        default:
            if HEVCNALUnitType.randomAccessPoints.contains(type) { isRandomAccessPoint = true }
            if HEVCNALUnitType.skippedLeadingPictures.contains(type) { isSkippedLeading = true }
            units.append(FragmentedNALUnit(unit))
        }
    }

    private mutating func keep(_ unit: ByteBuffer, type: UInt8) {
        guard parameterSets[type, default: []].count < Self.maximumParameterSetCount else { return }
        parameterSets[type, default: []].append(Array(unit.readableBytesView))
    }

    /// The parameters with the sets of this picture, beside known ones of the kinds that it does not have.
    ///
    /// - Parameter known: the parameters so far.
    /// - Returns: `nil` if it has none, or if a kind is missing.
    /// - Throws: `CodecError` if they cannot be used.
    package func configuration(beside known: CodecConfiguration?) throws(CodecError) -> CodecConfiguration? {
        guard !parameterSets.isEmpty else { return nil }
        if isHEVC {
            var other: HEVCConfiguration?
            if case .hevc(let configuration)? = known { other = configuration }
            guard let video = parameterSets[HEVCNALUnitType.videoParameterSet] ?? other?.videoParameterSets,
                let sequence = parameterSets[HEVCNALUnitType.sequenceParameterSet] ?? other?.sequenceParameterSets,
                let pictures = parameterSets[HEVCNALUnitType.pictureParameterSet] ?? other?.pictureParameterSets
            else { return nil }
            return .hevc(
                try HEVCConfiguration(
                    videoParameterSets: video, sequenceParameterSets: sequence, pictureParameterSets: pictures))
        }
        var other: H264Configuration?
        if case .h264(let configuration)? = known { other = configuration }
        guard
            let sequence = parameterSets[H264NALUnitType.sequenceParameterSet.rawValue]
                ?? other?.sequenceParameterSets,
            let pictures = parameterSets[H264NALUnitType.pictureParameterSet.rawValue] ?? other?.pictureParameterSets
        else { return nil }
        return .h264(try H264Configuration(sequenceParameterSets: sequence, pictureParameterSets: pictures))
    }
}
