package import Codecs
import MediaCore
import NIOCore

/// RFC 6184: packetization modes 0 and 1, and the packet types of mode 2 where their units come in decoding order.
///
/// A picture ends at the marker bit, or where the timestamp changes because the marker was lost or never set.
package struct H264Depacketizer: Sendable {
    private let limits: DepacketizerLimits
    private let lossPolicy: PacketLossPolicy
    private var parameterSets: H264ParameterSets
    private var picture = Picture()
    /// A fragmentation unit that has begun and not ended.
    private var openUnit: FragmentedNALUnit?
    private var isWaitingForRandomAccess = true
    private var hasGap = false
    /// Pictures that were not passed on.
    package private(set) var droppedPictureCount = 0

    private struct Picture {
        var rtpTimestamp: UInt32?
        var units: [FragmentedNALUnit] = []
        var byteCount = 0
        var fragmentCount = 0
        var hasSlice = false
        var hasIDR = false
        var isDamaged = false
    }

    /// - Parameter configuration: from the SDP; `nil` where the parameter sets come in band.
    package init(
        configuration: H264Configuration?, lossPolicy: PacketLossPolicy = .dropUntilRandomAccess,
        limits: DepacketizerLimits = .standard
    ) {
        parameterSets = H264ParameterSets(configuration: configuration)
        self.lossPolicy = lossPolicy
        self.limits = limits
    }

    package var configuration: H264Configuration? { parameterSets.configuration }

    /// - Throws: where the packet is unusable; the picture it belongs to is dropped.
    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        if let current = picture.rtpTimestamp, current != packet.rtpTimestamp { finishPicture(into: &output) }
        picture.rtpTimestamp = packet.rtpTimestamp
        do {
            try readPayload(of: packet)
        } catch {
            damagePicture()
            if packet.marker { finishPicture(into: &output) }
            throw error
        }
        // Some encoders set the marker on parameter sets too; a picture is not over before it has a slice.
        if packet.marker && (picture.hasSlice || picture.isDamaged) { finishPicture(into: &output) }
    }

    /// Packets between the last one and the next will not come.
    package mutating func packetsLost() { damagePicture() }

    // MARK: Packets

    /// RFC 6184 §5.2: table 1.
    private mutating func readPayload(of packet: RTPPacket) throws(DepacketizationError) {
        var payload = packet.payload
        guard let header = payload.getInteger(at: payload.readerIndex, as: UInt8.self) else {
            // Keep-alives of some senders (RFC 6263 §4.1): an empty packet says nothing.
            return
        }
        let type = header & 0x1F
        if type != 28, type != 29, openUnit != nil {
            openUnit = nil
            throw DepacketizationError(.malformed, packet, "a fragmented NAL unit has no end")
        }
        switch type {
        case 1...23: try append(FragmentedNALUnit(payload), packet)
        case 24, 25: try readAggregate(&payload, offsetByteCount: type == 25 ? 2 : 0, skipped: 0, packet)
        case 26: try readAggregate(&payload, offsetByteCount: 2, skipped: 3, packet)
        case 27: try readAggregate(&payload, offsetByteCount: 2, skipped: 4, packet)
        case 28, 29: try readFragment(&payload, hasDecodingOrderNumber: type == 29, packet)
        default: throw DepacketizationError(.unsupported, packet, "NAL unit type \(type)")
        }
    }

    /// RFC 6184 §5.7: STAP-A, STAP-B (a decoding order number in front) and MTAP (a number and a time offset before
    /// each unit). Offsets are not used: what interleaves pictures is announced as mode 2 and refused.
    private mutating func readAggregate(
        _ payload: inout ByteBuffer, offsetByteCount: Int, skipped: Int, _ packet: RTPPacket
    ) throws(DepacketizationError) {
        guard payload.readSlice(length: 1 + offsetByteCount) != nil else {
            throw DepacketizationError(.truncated, packet, "aggregation packet")
        }
        while payload.readableBytes > 0 {
            guard let length = payload.readInteger(as: UInt16.self), Int(length) >= skipped,
                payload.readSlice(length: skipped) != nil,
                let unit = payload.readSlice(length: Int(length))
            else { throw DepacketizationError(.truncated, packet, "aggregation packet") }
            if unit.readableBytes > 0 { try append(FragmentedNALUnit(unit), packet) }
        }
    }

    /// RFC 6184 §5.8: FU-A and FU-B. The unit's header is put together from the indicator's upper and the FU
    /// header's lower bits.
    private mutating func readFragment(
        _ payload: inout ByteBuffer, hasDecodingOrderNumber: Bool, _ packet: RTPPacket
    ) throws(DepacketizationError) {
        guard let (indicator, header) = payload.readMultipleIntegers(as: (UInt8, UInt8).self),
            !hasDecodingOrderNumber || payload.readInteger(as: UInt16.self) != nil
        else { throw DepacketizationError(.truncated, packet, "fragmentation unit") }
        let (isStart, isEnd) = (header & 0x80 != 0, header & 0x40 != 0)
        if isStart {
            let restored = indicator & 0xE0 | header & 0x1F
            openUnit = FragmentedNALUnit(restoredHeader: .oneByte(restored), fragments: [])
        } else if openUnit == nil {
            // The loss of its start is known already, unless the picture before ended early.
            guard !picture.isDamaged else { return }
            throw DepacketizationError(.malformed, packet, "a fragmented NAL unit has no start")
        }
        picture.byteCount += payload.readableBytes
        picture.fragmentCount += 1
        try checkLimits(packet)
        openUnit?.fragments.append(payload)
        guard isEnd, let unit = openUnit else { return }
        openUnit = nil
        picture.byteCount -= unit.byteCount - unit.restoredHeader.byteCount
        picture.fragmentCount -= unit.fragments.count
        try append(unit, packet)
    }

    // MARK: Pictures

    private mutating func append(_ unit: FragmentedNALUnit, _ packet: RTPPacket) throws(DepacketizationError) {
        guard let first = unit.firstByte else { return }
        switch H264NALUnitType(headerByte: first) {
        case .sequenceParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(sequenceParameterSet: unit.bytes())
        case .pictureParameterSet where unit.byteCount <= H264ParameterSets.maximumSetByteCount:
            parameterSets.add(pictureParameterSet: unit.bytes())
        case .sequenceParameterSet, .pictureParameterSet:
            throw DepacketizationError(.limitExceeded, packet, "a parameter set of \(unit.byteCount) bytes")
        case .accessUnitDelimiter, .endOfSequence, .endOfStream, .fillerData: break
        case let type:
            picture.byteCount += unit.byteCount
            picture.fragmentCount += unit.fragments.count
            picture.units.append(unit)
            try checkLimits(packet)
            if let type, type.isSlice { picture.hasSlice = true }
            if type == .idrSlice { picture.hasIDR = true }
        }
    }

    private func checkLimits(_ packet: RTPPacket) throws(DepacketizationError) {
        guard picture.byteCount <= limits.maximumAccessUnitByteCount else {
            throw DepacketizationError(
                .limitExceeded, packet, "a picture of more than \(limits.maximumAccessUnitByteCount) bytes")
        }
        guard picture.units.count <= limits.maximumNALUnitCount,
            picture.fragmentCount <= limits.maximumFragmentCount
        else { throw DepacketizationError(.limitExceeded, packet, "a picture in too many pieces") }
    }

    private mutating func damagePicture() {
        openUnit = nil
        picture.isDamaged = true
        // What it holds is of no more use; without this a picture that never ends would keep its bytes.
        picture.units = []
        picture.byteCount = 0
        picture.fragmentCount = 0
        if lossPolicy == .dropUntilRandomAccess { isWaitingForRandomAccess = true }
    }

    private mutating func finishPicture(into output: inout [DepacketizerOutput]) {
        if openUnit != nil { damagePicture() }
        let finished = picture
        picture = Picture()
        guard let rtpTimestamp = finished.rtpTimestamp, finished.hasSlice || finished.isDamaged else {
            // SEI that came with a timestamp of its own belongs to the picture that follows.
            picture.units = finished.units
            picture.byteCount = finished.byteCount
            picture.fragmentCount = finished.fragmentCount
            return
        }
        if let change = parameterSets.takeChange() { output.append(.configuration(.h264(change))) }
        let mayStart = finished.hasIDR && parameterSets.configuration != nil
        guard !finished.isDamaged, mayStart || !isWaitingForRandomAccess else {
            droppedPictureCount += 1
            hasGap = true
            return
        }
        isWaitingForRandomAccess = false
        output.append(
            .unit(
                DepacketizedUnit(
                    rtpTimestamp: rtpTimestamp, tickOffset: 0, isRandomAccessPoint: finished.hasIDR,
                    followsGap: hasGap, payload: .nalUnits(finished.units))))
        hasGap = false
    }
}
