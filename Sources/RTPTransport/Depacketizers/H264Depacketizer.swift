package import Codecs
import MediaCore
import NIOCore

/// Depacketizes H.264 (RFC 6184) in packetization modes 0, 1 and 2.
package struct H264Depacketizer: NALUnitDepacketizer {
    private var parameterSets: H264ParameterSets
    var assembler: PictureAssembler
    /// Buffer for packetization mode 2. If it is `nil`, packet types of mode 2 are processed in order of arrival.
    var interleaved: DecodingOrderBuffer?
    /// Decoding order number of the open fragmentation unit.
    private var openUnitNumber: UInt16 = 0
    private var startCodes = StartCodeSplitter()
    private let maximumNALUnitCount: Int

    /// - Parameters:
    ///   - configuration: parameter sets from the SDP; `nil` if they arrive in band.
    ///   - interleaving: parameters of packetization mode 2; `nil` for the other modes.
    ///   - lossPolicy: treatment of pictures after a packet loss.
    ///   - limits: limits on what the publisher may send.
    package init(
        configuration: H264Configuration?, interleaving: NALUnitInterleaving? = nil,
        lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard
    ) {
        parameterSets = H264ParameterSets(configuration: configuration)
        maximumNALUnitCount = limits.maximumNALUnitCount
        assembler = PictureAssembler(lossPolicy, limits: limits, usesMarker: interleaving == nil)
        interleaved = interleaving.map { DecodingOrderBuffer($0, limits: limits) }
    }

    var hasConfiguration: Bool { parameterSets.configuration != nil }

    mutating func takeConfigurationChange() -> CodecConfiguration? {
        parameterSets.takeChange().map { .h264($0) }
    }

    // MARK: Packets

    /// Reads a packet according to its type (RFC 6184 §5.2, table 1).
    mutating func readPayload(
        of packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        guard let header = payload.getInteger(at: payload.readerIndex, as: UInt8.self) else {
            // Some senders use empty packets to keep a path open (RFC 6263 §4.1).
            return
        }
        let type = header & 0x1F
        if type != 28, type != 29, assembler.hasOpenUnit {
            assembler.dropOpenUnit()
            throw DepacketizationError(.malformed, packet, "the fragmented NAL unit lacks its end")
        }
        switch type {
        // Not a type, but the first byte of a start code.
        case 0 where StartCodeSplitter.begins(FragmentedNALUnit(payload)):
            try append(FragmentedNALUnit(payload), packet, into: &output)
        case 1...23: try append(FragmentedNALUnit(payload), packet, into: &output)
        case 24, 25: try readAggregate(&payload, hasNumber: type == 25, packet, into: &output)
        case 26, 27: try readTimedAggregate(&payload, offsetByteCount: type == 26 ? 2 : 3, packet, into: &output)
        case 28, 29: try readFragment(&payload, hasNumber: type == 29, packet, into: &output)
        default: throw DepacketizationError(.unsupported, packet, "NAL unit type \(type) is not supported")
        }
    }

    /// Reads STAP-A, and STAP-B, which begins with the decoding order number of its first unit (RFC 6184 §5.7.1).
    private mutating func readAggregate(
        _ payload: inout ByteBuffer, hasNumber: Bool, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: 1)
        var number: UInt16 = 0
        if hasNumber {
            guard let first = payload.readInteger(as: UInt16.self) else {
                throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off")
            }
            number = first
        }
        while payload.readableBytes > 0 {
            guard let length = payload.readInteger(as: UInt16.self), let unit = payload.readSlice(length: Int(length))
            else { throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off") }
            try append(FragmentedNALUnit(unit), number: number, packet, into: &output)
            number &+= 1
        }
    }

    /// Reads MTAP16 and MTAP24, whose units belong to several pictures (RFC 6184 §5.7.2). Each unit has a size (which
    /// includes the fields before the unit), a distance from the base number, and a time offset from the packet's
    /// timestamp.
    private mutating func readTimedAggregate(
        _ payload: inout ByteBuffer, offsetByteCount: Int, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: 1)
        guard let base = payload.readInteger(as: UInt16.self) else {
            throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off")
        }
        while payload.readableBytes > 0 {
            guard let size = payload.readInteger(as: UInt16.self), Int(size) >= 1 + offsetByteCount,
                let difference = payload.readInteger(as: UInt8.self),
                let offset = payload.readBytes(length: offsetByteCount),
                let unit = payload.readSlice(length: Int(size) - 1 - offsetByteCount)
            else { throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off") }
            let timestamp = packet.rtpTimestamp &+ offset.reduce(0) { $0 << 8 | UInt32($1) }
            if interleaved == nil { begin(timestamp, into: &output) }
            try append(
                FragmentedNALUnit(unit), number: base &+ UInt16(difference), rtpTimestamp: timestamp, packet,
                into: &output)
        }
    }

    /// Reads FU-A, and FU-B, whose first fragment has a decoding order number (RFC 6184 §5.8). The unit's header
    /// consists of the indicator's upper and the FU header's lower bits.
    private mutating func readFragment(
        _ payload: inout ByteBuffer, hasNumber: Bool, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let (indicator, header) = payload.readMultipleIntegers(as: (UInt8, UInt8).self) else {
            throw DepacketizationError(.truncated, packet, "the fragmentation unit is cut off")
        }
        if hasNumber {
            guard let number = payload.readInteger(as: UInt16.self) else {
                throw DepacketizationError(.truncated, packet, "the fragmentation unit is cut off")
            }
            openUnitNumber = number
        }
        let (isStart, isEnd) = (header & 0x80 != 0, header & 0x40 != 0)
        let unit = try assembler.receiveFragment(
            payload, header: isStart ? .oneByte(indicator & 0xE0 | header & 0x1F) : nil, isLast: isEnd, packet)
        if let unit { try append(unit, number: openUnitNumber, packet, into: &output) }
    }

    // MARK: Order

    private mutating func append(
        _ unit: FragmentedNALUnit, number: UInt16 = 0, rtpTimestamp: UInt32? = nil, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let units = startCodes.split(unit, maximumCount: maximumNALUnitCount) else {
            return try insert(unit, number: number, rtpTimestamp: rtpTimestamp, packet, into: &output)
        }
        for unit in units { try insert(unit, number: number, rtpTimestamp: rtpTimestamp, packet, into: &output) }
    }

    private mutating func insert(
        _ unit: FragmentedNALUnit, number: UInt16, rtpTimestamp: UInt32?, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let first = unit.firstByte else { return }
        let entry = DecodingOrderBuffer.Entry(
            unit: unit, rtpTimestamp: rtpTimestamp ?? packet.rtpTimestamp,
            isCounted: H264NALUnitType(headerByte: first)?.isSlice ?? false)
        try receive(entry, number: number, packet, into: &output)
    }

    // MARK: Pictures

    mutating func place(
        _ unit: FragmentedNALUnit, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let first = unit.firstByte else { return }
        switch H264NALUnitType(headerByte: first) {
        case .sequenceParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(sequenceParameterSet: unit.bytes())
        case .pictureParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(pictureParameterSet: unit.bytes())
        case .sequenceParameterSet, .pictureParameterSet:
            throw DepacketizationError(.limitExceeded, packet, "the parameter set has \(unit.byteCount) bytes")
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
        // A slice and data partition A begin with first_mb_in_slice, which is zero if its first bit is one.
        let isFirst = (unit.payloadByte(at: 0, headerByteCount: 1) ?? 0) & 0x80 != 0
        let hasFirst = type != .dataPartitionB && type != .dataPartitionC
        let slice = PictureAssembler.Slice(
            startsPicture: hasFirst && isFirst, isRandomAccessPoint: type == .idrSlice)
        try appendSlice(unit, slice, packet, into: &output)
    }
}
