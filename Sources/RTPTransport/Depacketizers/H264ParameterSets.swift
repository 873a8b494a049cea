package import Codecs
import MediaCore

/// The parameter sets in force, keyed by their identifiers.
///
/// Encoders repeat them with every key frame; only different content makes a new configuration.
package struct H264ParameterSets: Sendable {
    private var sequenceSets = ParameterSetList(maximumCount: maximumSetCount)
    private var pictureSets = ParameterSetList(maximumCount: maximumSetCount)
    private var hasChanged = false
    /// The configuration that the sets form; `nil` until a complete one is known.
    package private(set) var configuration: H264Configuration?

    /// Limit on sets of each kind. Identifiers go up to 31 and 255 (ITU-T H.264 §7.4.2); encoders use one or two, and
    /// each costs memory.
    static let maximumSetCount = 32
    static let maximumSetByteCount = H264SequenceParameterSet.maximumByteCount

    /// - Parameter configuration: parameter sets from the SDP.
    package init(configuration: H264Configuration? = nil) {
        self.configuration = configuration
        for set in configuration?.sequenceParameterSets ?? [] { add(sequenceParameterSet: set) }
        for set in configuration?.pictureParameterSets ?? [] { add(pictureParameterSet: set) }
        hasChanged = false
    }

    /// Adds a set, header byte included. Sets that cannot be parsed are ignored: the stream may go on with the
    /// previous ones.
    package mutating func add(sequenceParameterSet bytes: [UInt8]) {
        // profile_idc, the constraint flags and level_idc precede the identifier (ITU-T H.264 §7.3.2.1.1).
        if Self.insert(bytes, skippingBitCount: 32, into: &sequenceSets) { hasChanged = true }
    }

    /// Adds a set, header byte included. Sets that cannot be parsed are ignored.
    package mutating func add(pictureParameterSet bytes: [UInt8]) {
        if Self.insert(bytes, skippingBitCount: 8, into: &pictureSets) { hasChanged = true }
    }

    /// - Returns: whether the set is new or changed.
    private static func insert(
        _ bytes: [UInt8], skippingBitCount: Int, into sets: inout ParameterSetList
    ) -> Bool {
        if sets.contains(bytes) { return false }
        var reader = BitReader(Array(bytes.prefix(16)))
        guard bytes.count <= maximumSetByteCount, (try? reader.skipBits(skippingBitCount)) != nil,
            let identifier = try? reader.readUnsignedExpGolomb()
        else { return false }
        return sets.insert(bytes, identifier: identifier)
    }

    /// The configuration if it has changed since the last call; otherwise `nil`.
    package mutating func takeChange() -> H264Configuration? {
        guard hasChanged, !sequenceSets.isEmpty, !pictureSets.isEmpty else { return nil }
        hasChanged = false
        guard
            let changed = try? H264Configuration(
                sequenceParameterSets: sequenceSets.sets, pictureParameterSets: pictureSets.sets),
            changed != configuration
        else { return nil }
        configuration = changed
        return changed
    }
}
