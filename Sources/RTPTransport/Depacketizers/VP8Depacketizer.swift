import MediaCore
import NIOCore

/// RFC 7741: a frame in one or several packets.
package struct VP8Depacketizer: Depacketizer {
    private let limits: DepacketizerLimits
    private var gate: PictureGate
    private var frame = FrameAssembly()

    package init(lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard) {
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        if let begun = frame.rtpTimestamp, begun != packet.rtpTimestamp {
            // Its last packet would have had the marker.
            damage()
            finishFrame(into: &output)
        }
        if frame.isEmpty { frame.begin(rtpTimestamp: packet.rtpTimestamp) }
        defer { if packet.marker { finishFrame(into: &output) } }
        do {
            try readFragment(packet)
        } catch {
            damage()
            throw error
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        if !frame.isEmpty { frame.damage() }
        gate.pictureDamaged()
    }

    private mutating func damage() {
        frame.damage()
        gate.pictureDamaged()
    }

    /// §4.2: the payload descriptor; S with partition 0 begins a frame.
    private mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        let truncated = DepacketizationError(.truncated, packet, "VP8 payload descriptor")
        guard let first = payload.readInteger(as: UInt8.self) else { throw truncated }
        if first & 0x80 != 0 {
            guard let extensions = payload.readInteger(as: UInt8.self) else { throw truncated }
            if extensions & 0x80 != 0 {
                guard let identifier = payload.readInteger(as: UInt8.self),
                    identifier & 0x80 == 0 || payload.readInteger(as: UInt8.self) != nil
                else { throw truncated }
            }
            // TL0PICIDX; TID and KEYIDX share a byte.
            let skipped = (extensions & 0x40 != 0 ? 1 : 0) + (extensions & 0x30 != 0 ? 1 : 0)
            guard payload.readSlice(length: skipped) != nil else { throw truncated }
        }
        guard payload.readableBytes > 0 else { throw truncated }
        let startsFrame = first & 0x17 == 0x10
        guard startsFrame == (frame.byteCount == 0) else {
            // The loss of its start is known already.
            if frame.isDamaged { return }
            throw DepacketizationError(.malformed, packet, "a VP8 frame without its beginning or end")
        }
        try frame.append(payload, maximumByteCount: limits.maximumAccessUnitByteCount, packet)
    }

    /// RFC 6386 §9.1: the first bit of a frame is zero in a key frame.
    private mutating func finishFrame(into output: inout [DepacketizerOutput]) {
        let finished = frame
        frame.clear()
        guard let rtpTimestamp = finished.rtpTimestamp else { return }
        let first = finished.frame.getInteger(at: finished.frame.readerIndex, as: UInt8.self)
        let isKeyFrame = first.map { $0 & 1 == 0 } ?? false
        guard
            let followsGap = gate.pass(
                isRandomAccessPoint: isKeyFrame, isDamaged: finished.isDamaged || first == nil)
        else { return }
        output.append(
            .unit(
                DepacketizedUnit(
                    rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: isKeyFrame,
                    followsGap: followsGap, payload: .frame(finished.frame))))
    }
}
