package import Codecs
import MediaCore

/// The parameter sets in force. Only different content makes a new configuration.
package struct HEVCParameterSets: Sendable {
    private var videoSets = ParameterSetList(maximumCount: maximumSetCount)
    private var sequenceSets = ParameterSetList(maximumCount: maximumSetCount)
    private var pictureSets = ParameterSetList(maximumCount: maximumSetCount)
    private var hasChanged = false
    /// The configuration that the sets form; `nil` until a complete one is known.
    package private(set) var configuration: HEVCConfiguration?

    /// Limit on sets of each kind. Identifiers go up to 15, 15 and 63 (ITU-T H.265 §7.4.3); three times this limit
    /// fits into a configuration record.
    static let maximumSetCount = 16
    static let maximumSetByteCount = HEVCSequenceParameterSet.maximumByteCount

    /// - Parameter configuration: parameter sets from the SDP.
    package init(configuration: HEVCConfiguration? = nil) {
        self.configuration = configuration
        guard let configuration else { return }
        let all =
            configuration.videoParameterSets + configuration.sequenceParameterSets + configuration.pictureParameterSets
        for set in all { add(set) }
        hasChanged = false
    }

    /// Adds a set, header bytes included. Sets that cannot be parsed are ignored: the stream may go on with the
    /// previous ones.
    package mutating func add(_ bytes: [UInt8]) {
        guard let header = bytes.first, bytes.count <= Self.maximumSetByteCount else { return }
        var isNew = false
        switch HEVCNALUnitType.type(headerByte: header) {
        case HEVCNALUnitType.videoParameterSet where !videoSets.contains(bytes):
            // vps_video_parameter_set_id has four bits (ITU-T H.265 §7.3.2.1).
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

    /// The configuration if it has changed since the last call; otherwise `nil`.
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
