import NIOCore

/// Video whose frames come as one run of bytes in packets of one timestamp, the last of them with the marker: VP8, VP9
/// and H.263. They differ in what stands before a packet's part of the frame, and in what a key frame looks like.
///
/// AV1 is none of them: its packets hold OBUs, and whether a loss between two temporal units has hurt the second one
/// shows only in what that begins with.
protocol FrameDepacketizer: Depacketizer {
    var gate: PictureGate { get set }
    /// The frame whose packets are coming.
    var assembly: FrameAssembly { get set }
    /// Whether a frame that ends at a change of timestamp is taken to lack its last packet.
    static var needsMarker: Bool { get }

    /// Adds the packet's part to the frame.
    mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError)

    /// Nothing more of the frame will come; what was noted of it beside its bytes is to be forgotten.
    ///
    /// - Returns: whether it is a key frame; `nil` where some of it is missing.
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
