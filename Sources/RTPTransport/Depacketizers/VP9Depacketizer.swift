import MediaCore
import NIOCore

/// RFC 9628: the layer frames of a picture, in one or several packets each; they leave as one superframe.
package struct VP9Depacketizer: Depacketizer {
    private let limits: DepacketizerLimits
    private var gate: PictureGate
    private var picture = FrameAssembly()
    /// Bytes of the layer frames that are complete.
    private var layerByteCounts: [Int] = []
    private var isInLayerFrame = false
    private var isKeyFrame = false

    package init(lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard) {
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        if let begun = picture.rtpTimestamp, begun != packet.rtpTimestamp {
            // Its last packet would have had the marker.
            damage()
            finishPicture(into: &output)
        }
        if picture.isEmpty { picture.begin(rtpTimestamp: packet.rtpTimestamp) }
        defer { if packet.marker { finishPicture(into: &output) } }
        do {
            try readFragment(packet)
        } catch {
            damage()
            throw error
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        if !picture.isEmpty { picture.damage() }
        gate.pictureDamaged()
    }

    private mutating func damage() {
        picture.damage()
        gate.pictureDamaged()
    }

    private mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        guard let descriptor = VP9PayloadDescriptor(parsing: &payload), payload.readableBytes > 0 else {
            throw DepacketizationError(.truncated, packet, "VP9 payload descriptor")
        }
        guard descriptor.startsLayerFrame != isInLayerFrame else {
            // The loss of its start is known already.
            if picture.isDamaged { return }
            throw DepacketizationError(.malformed, packet, "a VP9 frame without its beginning or end")
        }
        if descriptor.startsLayerFrame {
            guard layerByteCounts.count < limits.maximumLayerFrameCount else {
                throw DepacketizationError(.limitExceeded, packet, "more than \(layerByteCounts.count) layers")
            }
            if layerByteCounts.isEmpty {
                isKeyFrame = !descriptor.isInterPredicted && !descriptor.dependsOnLowerLayer
            }
        }
        try picture.append(payload, maximumByteCount: limits.maximumAccessUnitByteCount, packet)
        isInLayerFrame = !descriptor.endsLayerFrame
        if descriptor.endsLayerFrame {
            layerByteCounts.append(picture.byteCount - layerByteCounts.reduce(0, +))
        }
    }

    private mutating func finishPicture(into output: inout [DepacketizerOutput]) {
        var finished = picture
        let (sizes, isWhole, isKeyFrame) = (layerByteCounts, !isInLayerFrame, isKeyFrame)
        picture.clear()
        layerByteCounts.removeAll(keepingCapacity: true)
        (isInLayerFrame, self.isKeyFrame) = (false, false)
        guard let rtpTimestamp = finished.rtpTimestamp else { return }
        let isDamaged = finished.isDamaged || !isWhole || sizes.isEmpty
        if isDamaged { gate.pictureDamaged() }
        guard let followsGap = gate.pass(isRandomAccessPoint: isKeyFrame, isDamaged: isDamaged) else { return }
        if sizes.count > 1 { finished.appendSuperframeIndex(sizes) }
        output.append(
            .unit(
                DepacketizedUnit(
                    rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: isKeyFrame,
                    followsGap: followsGap, payload: .frame(finished.frame))))
    }
}

extension FrameAssembly {
    /// VP9 bitstream specification annex B: the sizes of the frames in four bytes each, little-endian, between two
    /// marker bytes.
    fileprivate mutating func appendSuperframeIndex(_ sizes: [Int]) {
        let marker = 0b1100_0000 | 3 << 3 | UInt8(truncatingIfNeeded: sizes.count - 1)
        var index = ByteBuffer()
        index.writeInteger(marker)
        for size in sizes { index.writeInteger(UInt32(clamping: size), endianness: .little) }
        index.writeInteger(marker)
        appendTrailer(index)
    }
}
