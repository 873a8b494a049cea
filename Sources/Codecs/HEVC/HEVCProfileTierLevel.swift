import MediaCore

/// The general part of profile_tier_level (ITU-T H.265 §7.3.3).
package struct HEVCProfileTierLevel: Sendable, Hashable {
    package var profileSpace: UInt8
    package var isHighTier: Bool
    package var profileIDC: UInt8
    /// The 32 compatibility flags, general_profile_compatibility_flag[0] in the highest bit.
    package var compatibilityFlags: UInt32
    /// The 48 bits after the compatibility flags, as six bytes.
    package var constraintFlags: [UInt8]
    package var levelIDC: UInt8

    /// - Parameter maximumSubLayersMinus1: 0 to 6, from the enclosing parameter set.
    init(parsing reader: inout BitReader, maximumSubLayersMinus1: Int) throws {
        profileSpace = UInt8(try reader.readBits(2))
        isHighTier = try reader.readBit()
        profileIDC = UInt8(try reader.readBits(5))
        compatibilityFlags = try reader.readBits(32)
        constraintFlags = []
        for _ in 0..<6 { constraintFlags.append(UInt8(try reader.readBits(8))) }
        levelIDC = UInt8(try reader.readBits(8))
        var presence: [(profile: Bool, level: Bool)] = []
        for _ in 0..<maximumSubLayersMinus1 {
            presence.append((try reader.readBit(), try reader.readBit()))
        }
        if maximumSubLayersMinus1 > 0 { try reader.skipBits((8 - maximumSubLayersMinus1) * 2) }
        for layer in presence {
            try reader.skipBits((layer.profile ? 88 : 0) + (layer.level ? 8 : 0))
        }
    }

    /// The CODECS entry after the sample entry's name (ISO/IEC 14496-15 §E.3): profile, reversed compatibility flags,
    /// tier and level, constraint bytes.
    var rfc6381Suffix: String {
        let space = ["", "A", "B", "C"][Int(profileSpace & 3)]
        var reversed: UInt32 = 0
        for bit in 0..<32 where compatibilityFlags & (1 << UInt32(bit)) != 0 { reversed |= 1 << UInt32(31 - bit) }
        var constraints = constraintFlags
        while constraints.last == 0 { constraints.removeLast() }
        return
            ([
                "\(space)\(profileIDC)", String(reversed, radix: 16, uppercase: true),
                "\(isHighTier ? "H" : "L")\(levelIDC)",
            ] + constraints.map { String($0, radix: 16, uppercase: true) }).joined(separator: ".")
    }
}
