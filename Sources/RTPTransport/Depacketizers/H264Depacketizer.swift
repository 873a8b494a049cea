package import Codecs
import MediaCore
import NIOCore

/// RFC 6184: packetization modes 0, 1 and 2.
package struct H264Depacketizer: Depacketizer {
    private var parameterSets: H264ParameterSets
    private var assembler: PictureAssembler
    /// Mode 2 only. Without it the packet types of mode 2 are taken in the order they come in.
    private var interleaved: DecodingOrderBuffer?
    /// Of the fragmentation unit that is open.
    private var openUnitNumber: UInt16 = 0

    /// - Parameters:
    ///   - configuration: from the SDP; `nil` where the parameter sets come in band.
    ///   - interleaving: of packetization mode 2.
    package init(
        configuration: H264Configuration?, interleaving: NALUnitInterleaving? = nil,
        lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard
    ) {
        parameterSets = H264ParameterSets(configuration: configuration)
        assembler = PictureAssembler(lossPolicy, limits: limits, usesMarker: interleaving == nil)
        interleaved = interleaving.map { DecodingOrderBuffer($0, limits: limits) }
    }

    package var configuration: H264Configuration? { parameterSets.configuration }

    /// Pictures that were not passed on.
    package var droppedPictureCount: Int { assembler.gate.droppedPictureCount }

    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        do {
            // In mode 2 pictures begin where their units come out of the buffer.
            if interleaved == nil { begin(packet.rtpTimestamp, into: &output) }
            try readPayload(of: packet, into: &output)
        } catch {
            assembler.damage()
            if packet.marker, assembler.markerReceived() { finishPicture(into: &output) }
            throw error
        }
        if packet.marker, assembler.markerReceived() { finishPicture(into: &output) }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        if assembler.picture.isMarked { finishPicture(into: &output) }
        interleaved?.clear()
        assembler.packetsLost()
    }

    // MARK: Packets

    /// RFC 6184 §5.2: table 1.
    private mutating func readPayload(
        of packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        guard let header = payload.getInteger(at: payload.readerIndex, as: UInt8.self) else {
            // Keep-alives of some senders (RFC 6263 §4.1): an empty packet says nothing.
            return
        }
        let type = header & 0x1F
        if type != 28, type != 29, assembler.hasOpenUnit {
            assembler.dropOpenUnit()
            throw DepacketizationError(.malformed, packet, "a fragmented NAL unit has no end")
        }
        switch type {
        case 1...23: try append(FragmentedNALUnit(payload), packet, into: &output)
        case 24, 25: try readAggregate(&payload, hasNumber: type == 25, packet, into: &output)
        case 26, 27: try readTimedAggregate(&payload, offsetByteCount: type == 26 ? 2 : 3, packet, into: &output)
        case 28, 29: try readFragment(&payload, hasNumber: type == 29, packet, into: &output)
        default: throw DepacketizationError(.unsupported, packet, "NAL unit type \(type)")
        }
    }

    /// RFC 6184 §5.7.1: STAP-A, and STAP-B with the decoding order number of its first unit in front.
    private mutating func readAggregate(
        _ payload: inout ByteBuffer, hasNumber: Bool, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: 1)
        var number: UInt16 = 0
        if hasNumber {
            guard let first = payload.readInteger(as: UInt16.self) else {
                throw DepacketizationError(.truncated, packet, "aggregation packet")
            }
            number = first
        }
        while payload.readableBytes > 0 {
            guard let length = payload.readInteger(as: UInt16.self), let unit = payload.readSlice(length: Int(length))
            else { throw DepacketizationError(.truncated, packet, "aggregation packet") }
            try append(FragmentedNALUnit(unit), number: number, packet, into: &output)
            number &+= 1
        }
    }

    /// RFC 6184 §5.7.2: MTAP16 and MTAP24, units of several pictures. Each has its size (which counts what stands
    /// before the unit, too), its distance from the base number, and its time after the packet's.
    private mutating func readTimedAggregate(
        _ payload: inout ByteBuffer, offsetByteCount: Int, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: 1)
        guard let base = payload.readInteger(as: UInt16.self) else {
            throw DepacketizationError(.truncated, packet, "aggregation packet")
        }
        while payload.readableBytes > 0 {
            guard let size = payload.readInteger(as: UInt16.self), Int(size) >= 1 + offsetByteCount,
                let difference = payload.readInteger(as: UInt8.self),
                let offset = payload.readBytes(length: offsetByteCount),
                let unit = payload.readSlice(length: Int(size) - 1 - offsetByteCount)
            else { throw DepacketizationError(.truncated, packet, "aggregation packet") }
            let timestamp = packet.rtpTimestamp &+ offset.reduce(0) { $0 << 8 | UInt32($1) }
            if interleaved == nil { begin(timestamp, into: &output) }
            try append(
                FragmentedNALUnit(unit), number: base &+ UInt16(difference), rtpTimestamp: timestamp, packet,
                into: &output)
        }
    }

    /// RFC 6184 §5.8: FU-A, and FU-B with a decoding order number, which only the first fragment has. The unit's
    /// header is put together from the indicator's upper and the FU header's lower bits.
    private mutating func readFragment(
        _ payload: inout ByteBuffer, hasNumber: Bool, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let (indicator, header) = payload.readMultipleIntegers(as: (UInt8, UInt8).self) else {
            throw DepacketizationError(.truncated, packet, "fragmentation unit")
        }
        if hasNumber {
            guard let number = payload.readInteger(as: UInt16.self) else {
                throw DepacketizationError(.truncated, packet, "fragmentation unit")
            }
            openUnitNumber = number
        }
        let (isStart, isEnd) = (header & 0x80 != 0, header & 0x40 != 0)
        if isStart {
            assembler.openUnit(.oneByte(indicator & 0xE0 | header & 0x1F))
        } else if !assembler.hasOpenUnit {
            // The loss of its start is known already, unless the picture before ended early.
            guard assembler.fragmentWithoutStart() else { return }
            throw DepacketizationError(.malformed, packet, "a fragmented NAL unit has no start")
        }
        try assembler.appendFragment(payload, packet)
        guard isEnd, let unit = assembler.takeOpenUnit() else { return }
        try append(unit, number: openUnitNumber, packet, into: &output)
    }

    // MARK: Order

    private mutating func append(
        _ unit: FragmentedNALUnit, number: UInt16 = 0, rtpTimestamp: UInt32? = nil, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let first = unit.firstByte else { return }
        guard interleaved != nil else { return try place(unit, firstByte: first, packet, into: &output) }
        let isSlice = H264NALUnitType(headerByte: first)?.isSlice ?? false
        interleaved?.insert(
            DecodingOrderBuffer.Entry(
                unit: unit, rtpTimestamp: rtpTimestamp ?? packet.rtpTimestamp, isCounted: isSlice),
            decodingOrderNumber: number)
        while let entry = interleaved?.next() {
            begin(entry.rtpTimestamp, into: &output)
            guard let first = entry.unit.firstByte else { continue }
            try place(entry.unit, firstByte: first, packet, into: &output)
        }
    }

    // MARK: Pictures

    private mutating func begin(_ rtpTimestamp: UInt32, into output: inout [DepacketizerOutput]) {
        if assembler.ends(before: rtpTimestamp) { finishPicture(into: &output) }
        assembler.begin(rtpTimestamp)
    }

    private mutating func place(
        _ unit: FragmentedNALUnit, firstByte: UInt8, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        switch H264NALUnitType(headerByte: firstByte) {
        case .sequenceParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(sequenceParameterSet: unit.bytes())
        case .pictureParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(pictureParameterSet: unit.bytes())
        case .sequenceParameterSet, .pictureParameterSet:
            throw DepacketizationError(.limitExceeded, packet, "a parameter set of \(unit.byteCount) bytes")
        case .accessUnitDelimiter, .endOfSequence, .endOfStream, .fillerData: break
        case .supplementalEnhancementInformation:
            let isRecoveryPoint = SupplementalEnhancementInformation.hasRecoveryPoint(unit, headerByteCount: 1)
            try assembler.append(unit, slice: nil, isRecoveryPoint: isRecoveryPoint, packet)
        case let type?:
            try placeSlice(unit, type, packet, into: &output)
        case nil:
            try assembler.append(unit, slice: nil, packet)
        }
    }

    private mutating func placeSlice(
        _ unit: FragmentedNALUnit, _ type: H264NALUnitType, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        // first_mb_in_slice, which a slice and data partition A begin with, is zero where its first bit is one.
        let isFirst = (unit.payloadByte(at: 0, headerByteCount: 1) ?? 0) & 0x80 != 0
        let hasFirst = type != .dataPartitionB && type != .dataPartitionC
        let slice = PictureAssembler.Slice(
            startsPicture: hasFirst && isFirst, isRandomAccessPoint: type == .idrSlice)
        let timestamp = assembler.picture.rtpTimestamp
        if assembler.ends(before: slice) {
            finishPicture(into: &output)
            if let timestamp { assembler.begin(timestamp) }
        }
        try assembler.append(unit, slice: slice, packet)
    }

    private mutating func finishPicture(into output: inout [DepacketizerOutput]) {
        guard let finished = assembler.takePicture() else { return }
        if let change = parameterSets.takeChange() { output.append(.configuration(.h264(change))) }
        if let unit = assembler.pass(finished, hasConfiguration: parameterSets.configuration != nil) {
            output.append(.unit(unit))
        }
    }
}
