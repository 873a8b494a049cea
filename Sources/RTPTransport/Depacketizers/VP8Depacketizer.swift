import MediaCore
import NIOCore

/// Depacketizes VP8 (RFC 7741): a frame in one or several packets.
package struct VP8Depacketizer: FrameDepacketizer {
    private let limits: DepacketizerLimits
    var gate: PictureGate
    var assembly = FrameAssembly()

    static let needsMarker = true

    /// Creates a depacketizer that is between frames.
    package init(lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard) {
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    /// Reads the payload descriptor (RFC 7741 §4.2); S with partition 0 begins a frame.
    mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        let truncated = DepacketizationError(.truncated, packet, "the VP8 payload descriptor is cut off")
        guard let first = payload.readInteger(as: UInt8.self) else { throw truncated }
        if first & 0x80 != 0 {
            guard let extensions = payload.readInteger(as: UInt8.self) else { throw truncated }
            if extensions & 0x80 != 0 {
                guard let identifier = payload.readInteger(as: UInt8.self),
                    identifier & 0x80 == 0 || payload.readInteger(as: UInt8.self) != nil
                else { throw truncated }
            }
            // Skips TL0PICIDX, and TID and KEYIDX, which share a byte.
            let skipped = (extensions & 0x40 != 0 ? 1 : 0) + (extensions & 0x30 != 0 ? 1 : 0)
            guard payload.readSlice(length: skipped) != nil else { throw truncated }
        }
        guard payload.readableBytes > 0 else { throw truncated }
        let startsFrame = first & 0x17 == 0x10
        guard startsFrame == (assembly.byteCount == 0) else {
            // The loss of the frame's start has already been reported.
            if assembly.isDamaged { return }
            throw DepacketizationError(.malformed, packet, "the VP8 frame lacks its beginning or end")
        }
        try assembly.append(payload, maximumByteCount: limits.maximumAccessUnitByteCount, packet)
    }

    /// The first bit of a key frame is zero (RFC 6386 §9.1).
    mutating func frameEnded(_ frame: inout FrameAssembly) -> Bool? {
        frame.frame.getInteger(at: frame.frame.readerIndex, as: UInt8.self).map { $0 & 1 == 0 }
    }
}
