import MediaCore
import NIOCore

/// Depacketizes H.263 and H.263+: RFC 4629 (and its predecessor RFC 2429), and the older RFC 2190 (payload type 34).
///
/// libstreaming sends H.263+ by default.
package struct H263Depacketizer: FrameDepacketizer {
    /// The two payload formats of H.263.
    package enum PayloadFormat: Sendable, Hashable {
        /// `H263-1998` and `H263-2000`: a header of two bytes before each fragment.
        case rfc4629
        /// `H263`: modes A, B and C.
        case rfc2190
    }

    private let format: PayloadFormat
    private let limits: DepacketizerLimits
    var gate: PictureGate
    var assembly = FrameAssembly()
    /// Number of bits of the last byte that do not belong to the fragment (RFC 2190 §4.1).
    private var unusedBitCount = 0

    static let needsMarker = false

    /// Creates a depacketizer that is between frames.
    package init(
        format: PayloadFormat, lossPolicy: PacketLossPolicy = .dropUntilRandomAccess,
        limits: DepacketizerLimits = .standard
    ) {
        self.format = format
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    // MARK: Packets

    mutating func readFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        switch format {
        case .rfc4629: try readNewerFragment(packet)
        case .rfc2190: try readOlderFragment(packet)
        }
    }

    /// Reads a fragment with its payload header (RFC 4629 §5.1): P stands for the two zero bytes of a start code; V
    /// and PLEN announce fields to skip.
    private mutating func readNewerFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        guard let header = payload.readInteger(as: UInt16.self) else {
            throw DepacketizationError(.truncated, packet, "the H.263 header is cut off")
        }
        let skipped = (header & 0x0200 != 0 ? 1 : 0) + Int(header >> 3 & 0x3F)
        guard payload.readSlice(length: skipped) != nil else {
            throw DepacketizationError(.truncated, packet, "the H.263 header is cut off")
        }
        if header & 0x0400 != 0 { try append(ByteBuffer(repeating: 0, count: 2), packet) }
        try append(payload, packet)
    }

    /// Reads a fragment with its payload header (RFC 2190 §5): F and P select the mode; fragments may be cut within a
    /// byte.
    private mutating func readOlderFragment(_ packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        let first = payload.getInteger(at: payload.readerIndex, as: UInt8.self) ?? 0
        let headerByteCount = first & 0x80 == 0 ? 4 : first & 0x40 == 0 ? 8 : 12
        guard payload.readSlice(length: headerByteCount) != nil else {
            throw DepacketizationError(.truncated, packet, "the H.263 header is cut off")
        }
        let (startBitCount, endBitCount) = (Int(first >> 3 & 7), Int(first & 7))
        let isContinued = assembly.byteCount > 0
        guard (startBitCount + (isContinued ? unusedBitCount : 0)) % 8 == 0 else {
            throw DepacketizationError(.malformed, packet, "the fragment does not continue the previous one")
        }
        if startBitCount > 0, let shared = payload.readInteger(as: UInt8.self) {
            assembly.mergeIntoLastByte(shared & UInt8(0xFF >> startBitCount))
        }
        unusedBitCount = endBitCount
        guard endBitCount > 0, payload.readableBytes > 0,
            let last = payload.getInteger(at: payload.writerIndex - 1, as: UInt8.self)
        else { return try append(payload, packet) }
        payload.setInteger(last & UInt8(truncatingIfNeeded: 0xFF << endBitCount), at: payload.writerIndex - 1)
        try append(payload, packet)
    }

    private mutating func append(_ bytes: ByteBuffer, _ packet: RTPPacket) throws(DepacketizationError) {
        try assembly.append(bytes, maximumByteCount: limits.maximumAccessUnitByteCount, packet)
    }

    // MARK: Pictures

    mutating func frameEnded(_ frame: inout FrameAssembly) -> Bool? {
        unusedBitCount = 0
        return Self.isIntraPicture(frame.frame)
    }

    /// Whether a picture is intra-coded, according to PTYPE or PLUSPTYPE (ITU-T H.263 §5.1).
    ///
    /// - Returns: `nil` if the picture does not begin with a start code, because its beginning is missing.
    private static func isIntraPicture(_ frame: ByteBuffer) -> Bool? {
        var reader = BitReader(Array(frame.readableBytesView.prefix(16)))
        // Picture start code, temporal reference, then two bits that are always 10.
        guard (try? reader.readBits(22)) == 0x20, (try? reader.skipBits(8)) != nil, (try? reader.readBits(2)) == 2,
            (try? reader.skipBits(3)) != nil, let sourceFormat = try? reader.readBits(3)
        else { return nil }
        guard sourceFormat == 7 else { return (try? reader.readBit()).map { !$0 } }
        guard let isUpdated = try? reader.readBits(3), isUpdated <= 1,
            isUpdated == 0 || (try? reader.skipBits(18)) != nil
        else { return nil }
        return (try? reader.readBits(3)).map { $0 == 0 }
    }
}
