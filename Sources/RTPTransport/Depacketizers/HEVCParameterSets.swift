package import Codecs
import MediaCore

/// The parameter sets that hold at the moment; only other content makes another configuration.
package struct HEVCParameterSets: Sendable {
    private var videoSets = ParameterSetList(maximumCount: maximumSetCount)
    private var sequenceSets = ParameterSetList(maximumCount: maximumSetCount)
    private var pictureSets = ParameterSetList(maximumCount: maximumSetCount)
    private var hasChanged = false
    package private(set) var configuration: HEVCConfiguration?

    /// Identifiers go to 15, 15 and 63 (ITU-T H.265 §7.4.3); three times this fills a configuration record.
    static let maximumSetCount = 16
    static let maximumSetByteCount = HEVCSequenceParameterSet.maximumByteCount

    /// - Parameter configuration: from the SDP.
    package init(configuration: HEVCConfiguration? = nil) {
        self.configuration = configuration
        guard let configuration else { return }
        let all =
            configuration.videoParameterSets + configuration.sequenceParameterSets + configuration.pictureParameterSets
        for set in all { add(set) }
        hasChanged = false
    }

    /// Header bytes included. Sets that cannot be read are ignored: the stream may go on with those before.
    package mutating func add(_ bytes: [UInt8]) {
        guard let header = bytes.first, bytes.count <= Self.maximumSetByteCount else { return }
        var isNew = false
        switch HEVCNALUnitType.type(headerByte: header) {
        case HEVCNALUnitType.videoParameterSet where !videoSets.contains(bytes):
            // vps_video_parameter_set_id has four bits (§7.3.2.1).
            guard bytes.count > 2 else { return }
            isNew = videoSets.insert(bytes, identifier: UInt32(bytes[2] >> 4))
        case HEVCNALUnitType.sequenceParameterSet where !sequenceSets.contains(bytes):
            guard let parsed = try? HEVCSequenceParameterSet(parsing: bytes) else { return }
            isNew = sequenceSets.insert(bytes, identifier: parsed.identifier)
        case HEVCNALUnitType.pictureParameterSet where !pictureSets.contains(bytes):
            var reader = BitReader(Array(bytes.dropFirst(2).prefix(8)))
            guard let identifier = try? reader.readUnsignedExpGolomb() else { return }
            isNew = pictureSets.insert(bytes, identifier: identifier)
        default: break
        }
        if isNew { hasChanged = true }
    }

    /// The configuration, where it is another than at the last call.
    package mutating func takeChange() -> HEVCConfiguration? {
        guard hasChanged, !videoSets.isEmpty, !sequenceSets.isEmpty, !pictureSets.isEmpty else { return nil }
        hasChanged = false
        guard
            let changed = try? HEVCConfiguration(
                videoParameterSets: videoSets.sets, sequenceParameterSets: sequenceSets.sets,
                pictureParameterSets: pictureSets.sets),
            changed != configuration
        else { return nil }
        configuration = changed
        return changed
    }
}
