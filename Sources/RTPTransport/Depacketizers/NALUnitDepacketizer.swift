import Codecs
import MediaCore

/// What H.264 (RFC 6184) and HEVC (RFC 7798) have in common: how NAL units, once they are out of their packets, come
/// into decoding order, and where pictures begin and end.
protocol NALUnitDepacketizer: Depacketizer {
    var assembler: PictureAssembler { get set }
    /// `nil` where units come in decoding order.
    var interleaved: DecodingOrderBuffer? { get set }
    /// Whether parameter sets are known.
    var hasConfiguration: Bool { get }

    /// Takes the packet's units out of it and calls ``receive(_:number:_:into:)`` for each that is whole.
    mutating func readPayload(
        of packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// Adds a unit to the picture, or to the parameter sets.
    mutating func place(
        _ unit: FragmentedNALUnit, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// The configuration, where the parameter sets in band are others than at the last call.
    mutating func takeConfigurationChange() -> CodecConfiguration?
}

extension NALUnitDepacketizer {
    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        defer { if packet.marker, assembler.markerReceived() { finishPicture(into: &output) } }
        do {
            // Interleaved pictures begin where their units come out of the buffer.
            if interleaved == nil { begin(packet.rtpTimestamp, into: &output) }
            try readPayload(of: packet, into: &output)
        } catch {
            assembler.damage()
            throw error
        }
    }

    package mutating func packetsLost(into output: inout [DepacketizerOutput]) {
        if assembler.picture.isMarked { finishPicture(into: &output) }
        interleaved?.clear()
        assembler.packetsLost()
    }

    /// A unit that is whole. Where units are interleaved it waits for those that are before it in decoding order.
    mutating func receive(
        _ entry: DecodingOrderBuffer.Entry, number: UInt16, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        guard interleaved != nil else { return try place(entry.unit, packet, into: &output) }
        interleaved?.insert(entry, decodingOrderNumber: number)
        while let next = interleaved?.next() {
            begin(next.rtpTimestamp, into: &output)
            try place(next.unit, packet, into: &output)
        }
    }

    mutating func begin(_ rtpTimestamp: UInt32, into output: inout [DepacketizerOutput]) {
        if assembler.ends(before: rtpTimestamp) { finishPicture(into: &output) }
        assembler.begin(rtpTimestamp)
    }

    /// Ends the picture before, where the slice is another one's of the same timestamp.
    mutating func appendSlice(
        _ unit: FragmentedNALUnit, _ slice: PictureAssembler.Slice, _ packet: RTPPacket,
        into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        let timestamp = assembler.picture.rtpTimestamp
        if assembler.ends(before: slice) {
            finishPicture(into: &output)
            if let timestamp { assembler.begin(timestamp) }
        }
        try assembler.append(unit, slice: slice, packet)
    }

    private mutating func finishPicture(into output: inout [DepacketizerOutput]) {
        guard let finished = assembler.takePicture() else { return }
        if let change = takeConfigurationChange() { output.append(.configuration(change)) }
        if let unit = assembler.pass(finished, hasConfiguration: hasConfiguration) { output.append(.unit(unit)) }
    }
}
