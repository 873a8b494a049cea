package import Codecs
import MediaCore
import NIOCore

/// Depacketizes HEVC (RFC 7798): single NAL unit, aggregation and fragmentation packets, with and without decoding
/// order numbers.
package struct HEVCDepacketizer: NALUnitDepacketizer {
    private var parameterSets: HEVCParameterSets
    var assembler: PictureAssembler
    /// Buffer for streams whose sprop-max-don-diff is above zero, in which each unit has a decoding order number (RFC
    /// 7798 §4.4.1); otherwise `nil`.
    var interleaved: DecodingOrderBuffer?
    /// Decoding order number of the open fragmentation unit.
    private var openUnitNumber: UInt16 = 0
    private var startCodes = StartCodeSplitter()
    private let maximumNALUnitCount: Int

    static let headerByteCount = 2

    /// - Parameters:
    ///   - configuration: parameter sets from the SDP; `nil` if they arrive in band.
    ///   - interleaving: parameters of a stream whose units have decoding order numbers; otherwise `nil`.
    ///   - lossPolicy: treatment of pictures after a packet loss.
    ///   - limits: limits on what the publisher may send.
    package init(
        configuration: HEVCConfiguration?, interleaving: NALUnitInterleaving? = nil,
        lossPolicy: PacketLossPolicy = .dropUntilRandomAccess, limits: DepacketizerLimits = .standard
    ) {
        parameterSets = HEVCParameterSets(configuration: configuration)
        maximumNALUnitCount = limits.maximumNALUnitCount
        assembler = PictureAssembler(lossPolicy, limits: limits, usesMarker: interleaving == nil)
        interleaved = interleaving.map { DecodingOrderBuffer($0, limits: limits) }
    }

    var hasConfiguration: Bool { parameterSets.configuration != nil }

    mutating func takeConfigurationChange() -> CodecConfiguration? {
        parameterSets.takeChange().map { .hevc($0) }
    }

    // MARK: Packets

    /// Reads a packet according to its type (RFC 7798 §4.4): 48 is an aggregation packet, 49 a fragmentation unit, 50
    /// a PACI packet.
    mutating func readPayload(
        of packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        var payload = packet.payload
        // Some senders use empty packets to keep a path open (RFC 6263 §4.1).
        guard payload.readableBytes > 0 else { return }
        guard let header = payload.getInteger(at: payload.readerIndex, as: UInt16.self) else {
            throw DepacketizationError(.truncated, packet, "the NAL unit header is cut off")
        }
        let type = UInt8(truncatingIfNeeded: header >> 9 & 0x3F)
        if type != 49, assembler.hasOpenUnit {
            assembler.dropOpenUnit()
            throw DepacketizationError(.malformed, packet, "the fragmented NAL unit lacks its end")
        }
        switch type {
        case 0...47: try readSingle(&payload, header, packet, into: &output)
        case 48: try readAggregate(&payload, packet, into: &output)
        case 49: try readFragment(&payload, header, packet, into: &output)
        default: throw DepacketizationError(.unsupported, packet, "NAL unit type \(type) is not supported")
        }
    }

    /// Reads a single NAL unit packet; the decoding order number is between the unit's header and the rest (RFC 7798
    /// §4.4.1).
    private mutating func readSingle(
        _ payload: inout ByteBuffer, _ header: UInt16, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard interleaved != nil else {
            return try append(FragmentedNALUnit(payload), number: 0, packet, into: &output)
        }
        payload.moveReaderIndex(forwardBy: Self.headerByteCount)
        guard let number = payload.readInteger(as: UInt16.self) else {
            throw DepacketizationError(.truncated, packet, "the decoding order number is cut off")
        }
        let unit = FragmentedNALUnit(restoredHeader: .twoBytes(header), fragments: [payload])
        try append(unit, number: number, packet, into: &output)
    }

    /// Reads an aggregation packet (RFC 7798 §4.4.2): the first unit has a number, each other unit the distance from
    /// its predecessor minus one.
    private mutating func readAggregate(
        _ payload: inout ByteBuffer, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: Self.headerByteCount)
        var number: UInt16?
        while payload.readableBytes > 0 {
            if interleaved != nil {
                if let before = number {
                    guard let difference = payload.readInteger(as: UInt8.self) else {
                        throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off")
                    }
                    number = before &+ UInt16(difference) &+ 1
                } else {
                    number = payload.readInteger(as: UInt16.self)
                }
            }
            guard let length = payload.readInteger(as: UInt16.self), let unit = payload.readSlice(length: Int(length))
            else { throw DepacketizationError(.truncated, packet, "the aggregation packet is cut off") }
            try append(FragmentedNALUnit(unit), number: number ?? 0, packet, into: &output)
        }
    }

    /// Reads a fragmentation unit (RFC 7798 §4.4.3). The unit's header is the payload header with the FU header's
    /// type; only the first fragment has a decoding order number.
    private mutating func readFragment(
        _ payload: inout ByteBuffer, _ header: UInt16, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        payload.moveReaderIndex(forwardBy: Self.headerByteCount)
        guard let fragmentHeader = payload.readInteger(as: UInt8.self) else {
            throw DepacketizationError(.truncated, packet, "the fragmentation unit is cut off")
        }
        let (isStart, isEnd) = (fragmentHeader & 0x80 != 0, fragmentHeader & 0x40 != 0)
        if isStart, interleaved != nil {
            guard let number = payload.readInteger(as: UInt16.self) else {
                throw DepacketizationError(.truncated, packet, "the fragmentation unit is cut off")
            }
            openUnitNumber = number
        }
        let restored = header & 0x81FF | UInt16(fragmentHeader & 0x3F) << 9
        let unit = try assembler.receiveFragment(
            payload, header: isStart ? .twoBytes(restored) : nil, isLast: isEnd, packet)
        if let unit { try append(unit, number: openUnitNumber, packet, into: &output) }
    }

    private mutating func append(
        _ unit: FragmentedNALUnit, number: UInt16, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let units = startCodes.split(unit, maximumCount: maximumNALUnitCount) else {
            return try insert(unit, number: number, packet, into: &output)
        }
        for unit in units { try insert(unit, number: number, packet, into: &output) }
    }

    private mutating func insert(
        _ unit: FragmentedNALUnit, number: UInt16, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard unit.byteCount >= Self.headerByteCount else {
            throw DepacketizationError(.truncated, packet, "the NAL unit header is cut off")
        }
        let entry = DecodingOrderBuffer.Entry(unit: unit, rtpTimestamp: packet.rtpTimestamp, isCounted: true)
        try receive(entry, number: number, packet, into: &output)
    }

    // MARK: Pictures

    /// Handles a unit according to its type (ITU-T H.265 table 7-1).
    mutating func place(
        _ unit: FragmentedNALUnit, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard let first = unit.firstByte else { return }
        let type = HEVCNALUnitType.type(headerByte: first)
        switch type {
        case 0...31: try placeSlice(unit, type, packet, into: &output)
        case HEVCNALUnitType.videoParameterSet...HEVCNALUnitType.pictureParameterSet:
            guard unit.byteCount <= HEVCParameterSets.maximumSetByteCount else {
                throw DepacketizationError(.limitExceeded, packet, "the parameter set has \(unit.byteCount) bytes")
            }
            parameterSets.add(unit.bytes())
        case HEVCNALUnitType.accessUnitDelimiter, HEVCNALUnitType.endOfSequence...HEVCNALUnitType.fillerData: break
        case HEVCNALUnitType.prefixSEI:
            let isRecoveryPoint = SupplementalEnhancementInformation.hasRecoveryPoint(
                unit, headerByteCount: Self.headerByteCount)
            try assembler.append(unit, slice: nil, isRecoveryPoint: isRecoveryPoint, packet)
        default: try assembler.append(unit, slice: nil, packet)
        }
    }

    private mutating func placeSlice(
        _ unit: FragmentedNALUnit, _ type: UInt8, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        // first_slice_segment_in_pic_flag (ITU-T H.265 §7.3.6.1).
        let isFirst = (unit.payloadByte(at: 0, headerByteCount: Self.headerByteCount) ?? 0) & 0x80 != 0
        let slice = PictureAssembler.Slice(
            startsPicture: isFirst, isRandomAccessPoint: HEVCNALUnitType.randomAccessPoints.contains(type),
            isSkippable: HEVCNALUnitType.skippedLeadingPictures.contains(type))
        try appendSlice(unit, slice, packet, into: &output)
    }
}
