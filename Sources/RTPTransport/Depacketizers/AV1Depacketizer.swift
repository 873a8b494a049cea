import Codecs
import MediaCore
import NIOCore

/// Depacketizes AV1 (RTP Payload Format For AV1, version 1.0, AOM). Temporal units are put out in the low-overhead
/// format of `av01` samples: each OBU with its size, without temporal delimiters.
package struct AV1Depacketizer: Depacketizer {
    private let limits: DepacketizerLimits
    private var gate: PictureGate
    private var unit = TemporalUnit()
    /// An OBU whose last fragment has not arrived.
    private var openOBU: ByteBuffer?
    private var configuration: AV1Configuration?
    private var sequenceHeader: [UInt8] = []

    private struct TemporalUnit {
        var rtpTimestamp: UInt32?
        /// The unit's OBUs. Bytes are copied here, because each OBU gets a size.
        var bytes = ByteBuffer()
        var obuCount = 0
        var hasSequenceHeader = false
        /// Whether the first frame is a key frame; `nil` before the first frame.
        var startsWithKeyFrame: Bool?
        var isDamaged = false
        /// Packets were lost before the unit's first packet.
        var isStartUncertain = false
    }

    /// Creates a depacketizer that is between temporal units.
    package init(lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard) {
        self.limits = limits
        gate = PictureGate(lossPolicy)
    }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard packet.payload.readableBytes > 0 else { return }
        if let begun = unit.rtpTimestamp, begun != packet.rtpTimestamp { finishUnit(into: &output) }
        unit.rtpTimestamp = packet.rtpTimestamp
        defer { if packet.marker { finishUnit(into: &output) } }
        do {
            try readElements(packet, into: &output)
        } catch {
            damage()
            throw error
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        guard unit.rtpTimestamp == nil else { return damage() }
        openOBU = nil
        unit.isStartUncertain = true
        gate.pictureDamaged()
    }

    private mutating func damage() {
        openOBU = nil
        unit.isDamaged = true
        unit.bytes = ByteBuffer()
        gate.pictureDamaged()
    }

    // MARK: Packets

    /// Reads a packet's OBU elements (§4.4). Z and Y state whether the first element is a continuation and the last
    /// one is continued; W is the number of elements, the last of which then has no length.
    private mutating func readElements(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        let header = payload.readInteger(as: UInt8.self) ?? 0
        let (continues, isContinued) = (header & 0x80 != 0, header & 0x40 != 0)
        let elementCount = Int(header >> 4 & 3)
        var index = 0
        while payload.readableBytes > 0 {
            index += 1
            guard index <= limits.maximumOBUCount else {
                throw DepacketizationError(.limitExceeded, packet, "the packet has more than \(index - 1) OBUs")
            }
            var element = payload
            if index == elementCount {
                payload.moveReaderIndex(to: payload.writerIndex)
            } else {
                guard let size = payload.readLittleEndianBase128(), let slice = payload.readSlice(length: size) else {
                    throw DepacketizationError(.truncated, packet, "the OBU element is cut off")
                }
                element = slice
            }
            try receive(
                element, continues: continues && index == 1, isContinued: isContinued && payload.readableBytes == 0,
                packet, into: &output)
        }
        guard elementCount == 0 || index == elementCount else {
            throw DepacketizationError(.truncated, packet, "the packet has fewer OBU elements than announced")
        }
    }

    private mutating func receive(
        _ element: ByteBuffer, continues: Bool, isContinued: Bool, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var obu = element
        if continues {
            guard var open = openOBU else {
                // The loss of the OBU's start has already been reported.
                if unit.isDamaged || unit.isStartUncertain { return damage() }
                throw DepacketizationError(.malformed, packet, "the OBU lacks its beginning")
            }
            guard open.readableBytes + element.readableBytes <= limits.maximumAccessUnitByteCount else {
                throw DepacketizationError(
                    .limitExceeded, packet, "the OBU has more than \(limits.maximumAccessUnitByteCount) bytes")
            }
            openOBU = nil
            open.writeImmutableBuffer(element)
            obu = open
        } else if openOBU != nil {
            throw DepacketizationError(.malformed, packet, "the previous OBU lacks its end")
        }
        if isContinued {
            openOBU = obu
        } else {
            try append(&obu, packet, into: &output)
        }
    }

    // MARK: Temporal units

    /// Appends an OBU to the temporal unit (AV1 bitstream specification §5.3: a header, an optional extension, an
    /// optional size).
    private mutating func append(
        _ obu: inout ByteBuffer, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let header = obu.readInteger(as: UInt8.self) else { return }
        var layers: UInt8?
        if header & 4 != 0 {
            layers = obu.readInteger(as: UInt8.self)
            guard layers != nil else { throw DepacketizationError(.truncated, packet, "the OBU header is cut off") }
        }
        if header & 2 != 0 {
            guard let size = obu.readLittleEndianBase128(), let payload = obu.readSlice(length: size) else {
                throw DepacketizationError(.truncated, packet, "the OBU is cut off")
            }
            obu = payload
        }
        let type = AV1OBUType.type(headerByte: header)
        switch type {
        case AV1OBUType.temporalDelimiter, AV1OBUType.tileList, AV1OBUType.padding: return
        case AV1OBUType.sequenceHeader: try adopt(obu, packet, into: &output)
        case AV1OBUType.frame, AV1OBUType.frameHeader:
            if unit.startsWithKeyFrame == nil { unit.startsWithKeyFrame = isShownKeyFrame(obu) }
        default: break
        }
        guard !unit.isDamaged else { return }
        unit.obuCount += 1
        guard unit.obuCount <= limits.maximumOBUCount,
            unit.bytes.readableBytes + obu.readableBytes <= limits.maximumAccessUnitByteCount
        else { throw DepacketizationError(.limitExceeded, packet, "the temporal unit has too many OBUs or bytes") }
        unit.bytes.writeInteger(header | 2)
        if let layers { unit.bytes.writeInteger(layers) }
        unit.bytes.writeLittleEndianBase128(obu.readableBytes)
        unit.bytes.writeImmutableBuffer(obu)
    }

    /// Adopts a sequence header. Encoders repeat it with every key frame; only different content makes a new
    /// configuration.
    private mutating func adopt(
        _ payload: ByteBuffer, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard payload.readableBytes <= AV1SequenceHeader.maximumByteCount else {
            throw DepacketizationError(.limitExceeded, packet, "the sequence header has \(payload.readableBytes) bytes")
        }
        unit.hasSequenceHeader = true
        guard !payload.readableBytesView.elementsEqual(sequenceHeader) else { return }
        let bytes = Array(payload.readableBytesView)
        do {
            let changed = try AV1Configuration(sequenceHeaderPayload: bytes)
            sequenceHeader = bytes
            configuration = changed
            output.append(.configuration(.av1(changed)))
        } catch {
            throw DepacketizationError(error.code == .unsupported ? .unsupported : .malformed, packet, "\(error)")
        }
    }

    /// Reads show_existing_frame, frame_type and show_frame from uncompressed_header (AV1 bitstream specification
    /// §5.9.2).
    private func isShownKeyFrame(_ payload: ByteBuffer) -> Bool {
        if configuration?.sequenceHeader.isReduced == true { return true }
        guard let first = payload.getInteger(at: payload.readerIndex, as: UInt8.self) else { return false }
        return first >> 4 == 0b0001
    }

    private mutating func finishUnit(into output: inout [DepacketizerOutput]) {
        if openOBU != nil { damage() }
        let finished = unit
        unit = TemporalUnit()
        guard let rtpTimestamp = finished.rtpTimestamp, finished.isDamaged || finished.startsWithKeyFrame != nil else {
            return
        }
        let isRandomAccessPoint = finished.hasSequenceHeader && finished.startsWithKeyFrame == true
        // A sequence header is the first OBU of its temporal unit, so nothing is missing before it.
        let isDamaged = finished.isDamaged || finished.isStartUncertain && !isRandomAccessPoint
        let passed = gate.pass(
            finished.bytes, rtpTimestamp: rtpTimestamp, isRandomAccessPoint: isRandomAccessPoint, isDamaged: isDamaged)
        if let passed { output.append(.unit(passed)) }
    }
}
