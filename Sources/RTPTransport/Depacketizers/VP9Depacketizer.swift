import MediaCore
import NIOCore

/// Depacketizes VP9 (RFC 9628): the layer frames of a picture, in one or several packets each, are put out as one
/// superframe.
package struct VP9Depacketizer: FrameDepacketizer {
    private let limits: DepacketizerLimits
    var gate: PictureGate
    var assembly = FrameAssembly()
    /// Sizes of the complete layer frames in bytes.
    private var layerByteCounts: [Int] = []
    private var isInLayerFrame = false
    private var isKeyFrame = false

    static let needsMarker = true

    /// Creates a depacketizer that is between frames.
    package init(lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard) {
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        guard let descriptor = VP9PayloadDescriptor(parsing: &payload), payload.readableBytes > 0 else {
            throw DepacketizationError(.truncated, packet, "the VP9 payload descriptor is cut off")
        }
        guard descriptor.startsLayerFrame != isInLayerFrame else {
            // The loss of the frame's start has already been reported.
            if assembly.isDamaged { return }
            throw DepacketizationError(.malformed, packet, "the VP9 frame lacks its beginning or end")
        }
        if descriptor.startsLayerFrame {
            guard layerByteCounts.count < limits.maximumLayerFrameCount else {
                throw DepacketizationError(
                    .limitExceeded, packet, "the picture has more than \(layerByteCounts.count) layers")
            }
            if layerByteCounts.isEmpty {
                isKeyFrame = !descriptor.isInterPredicted && !descriptor.dependsOnLowerLayer
            }
        }
        try assembly.append(payload, maximumByteCount: limits.maximumAccessUnitByteCount, packet)
        isInLayerFrame = !descriptor.endsLayerFrame
        if descriptor.endsLayerFrame {
            layerByteCounts.append(assembly.byteCount - layerByteCounts.reduce(0, +))
        }
    }

    mutating func frameEnded(_ frame: inout FrameAssembly) -> Bool? {
        let (sizes, isWhole, isKeyFrame) = (layerByteCounts, !isInLayerFrame, isKeyFrame)
        layerByteCounts.removeAll(keepingCapacity: true)
        (isInLayerFrame, self.isKeyFrame) = (false, false)
        guard isWhole, !sizes.isEmpty else { return nil }
        if sizes.count > 1 { frame.appendSuperframeIndex(sizes) }
        return isKeyFrame
    }
}

extension FrameAssembly {
    /// Appends a superframe index (VP9 bitstream specification annex B): the sizes of the frames in four bytes each,
    /// little-endian, between two marker bytes.
    fileprivate mutating func appendSuperframeIndex(_ sizes: [Int]) {
        let marker = 0b1100_0000 | 3 << 3 | UInt8(truncatingIfNeeded: sizes.count - 1)
        var index = ByteBuffer()
        index.writeInteger(marker)
        for size in sizes { index.writeInteger(UInt32(clamping: size), endianness: .little) }
        index.writeInteger(marker)
        appendTrailer(index)
    }
}
