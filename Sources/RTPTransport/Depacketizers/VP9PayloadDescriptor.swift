import NIOCore

/// The payload descriptor of a VP9 packet (RFC 9628 §4.2).
struct VP9PayloadDescriptor: Hashable, Sendable {
    /// P: whether the layer frame refers to earlier pictures.
    var isInterPredicted: Bool
    var startsLayerFrame: Bool
    var endsLayerFrame: Bool
    var spatialLayer: Int
    /// D: whether the layer frame refers to the layer below in the same picture.
    var dependsOnLowerLayer: Bool

    /// Parses the descriptor; `nil` if it is cut off.
    ///
    /// - Parameter payload: positioned after the descriptor on return.
    init?(parsing payload: inout ByteBuffer) {
        guard let first = payload.readInteger(as: UInt8.self) else { return nil }
        isInterPredicted = first & 0x40 != 0
        startsLayerFrame = first & 0x08 != 0
        endsLayerFrame = first & 0x04 != 0
        (spatialLayer, dependsOnLowerLayer) = (0, false)
        let isFlexible = first & 0x10 != 0
        if first & 0x80 != 0 {
            guard let identifier = payload.readInteger(as: UInt8.self),
                identifier & 0x80 == 0 || payload.readInteger(as: UInt8.self) != nil
            else { return nil }
        }
        if first & 0x20 != 0 {
            guard let layers = payload.readInteger(as: UInt8.self),
                isFlexible || payload.readInteger(as: UInt8.self) != nil
            else { return nil }
            spatialLayer = Int(layers >> 1 & 7)
            dependsOnLowerLayer = layers & 1 != 0
        }
        if isFlexible && isInterPredicted {
            guard Self.skipReferences(&payload) else { return nil }
        }
        if first & 0x02 != 0 {
            guard Self.skipScalabilityStructure(&payload) else { return nil }
        }
    }

    /// Skips up to three reference indices; the last one does not have the N bit.
    private static func skipReferences(_ payload: inout ByteBuffer) -> Bool {
        for _ in 0..<3 {
            guard let reference = payload.readInteger(as: UInt8.self) else { return false }
            if reference & 1 == 0 { return true }
        }
        return false
    }

    /// Skips the scalability structure (RFC 9628 §4.2.1): sizes of the layers, then the pictures of a group with
    /// their references.
    private static func skipScalabilityStructure(_ payload: inout ByteBuffer) -> Bool {
        guard let header = payload.readInteger(as: UInt8.self) else { return false }
        if header & 0x10 != 0 {
            guard payload.readSlice(length: (Int(header >> 5) + 1) * 4) != nil else { return false }
        }
        guard header & 0x08 != 0 else { return true }
        guard let pictureCount = payload.readInteger(as: UInt8.self) else { return false }
        for _ in 0..<pictureCount {
            guard let picture = payload.readInteger(as: UInt8.self),
                payload.readSlice(length: Int(picture >> 2 & 3)) != nil
            else { return false }
        }
        return true
    }
}
