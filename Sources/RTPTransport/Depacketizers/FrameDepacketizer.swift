import NIOCore

/// Depacketizes video whose frames are one run of bytes in packets with the same timestamp, the last of which has the
/// marker: VP8, VP9 and H.263. The formats differ in the payload header and in the recognition of key frames.
///
/// AV1 does not use this protocol: its packets hold OBUs, and only the first OBU of a temporal unit shows whether a
/// loss before it has damaged it.
protocol FrameDepacketizer: Depacketizer {
    var gate: PictureGate { get set }
    /// The frame whose packets are arriving.
    var assembly: FrameAssembly { get set }
    /// Whether a frame that ends by a change of timestamp, without a marker, counts as lacking its last packet.
    static var needsMarker: Bool { get }

    /// Adds the packet's fragment to the frame.
    mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError)

    /// Called at the end of a frame; discards state that belongs to it.
    ///
    /// - Returns: whether the frame is a key frame; `nil` if some of it is missing.
    mutating func frameEnded(_ frame: inout FrameAssembly) -> Bool?
}

extension FrameDepacketizer {
    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        if let begun = assembly.rtpTimestamp, begun != packet.rtpTimestamp {
            if Self.needsMarker { damage() }
            finishFrame(into: &output)
        }
        if assembly.isEmpty { assembly.begin(rtpTimestamp: packet.rtpTimestamp) }
        defer { if packet.marker { finishFrame(into: &output) } }
        do {
            try readFragment(packet)
        } catch {
            damage()
            throw error
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        if !assembly.isEmpty { assembly.damage() }
        gate.pictureDamaged()
    }

    private mutating func damage() {
        assembly.damage()
        gate.pictureDamaged()
    }

    private mutating func finishFrame(into output: inout [DepacketizerOutput]) {
        var finished = assembly
        assembly.clear()
        let isKeyFrame = frameEnded(&finished)
        guard let rtpTimestamp = finished.rtpTimestamp else { return }
        let isDamaged = finished.isDamaged || isKeyFrame == nil
        if isDamaged { gate.pictureDamaged() }
        let unit = gate.pass(
            finished.frame, rtpTimestamp: rtpTimestamp, isRandomAccessPoint: isKeyFrame ?? false, isDamaged: isDamaged)
        if let unit { output.append(.unit(unit)) }
    }
}
