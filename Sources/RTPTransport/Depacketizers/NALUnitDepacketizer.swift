import Codecs
import MediaCore

/// The common part of H.264 (RFC 6184) and HEVC (RFC 7798) depacketizers: restores the decoding order of NAL units
/// and detects where pictures begin and end.
protocol NALUnitDepacketizer: Depacketizer {
    var assembler: PictureAssembler { get set }
    /// `nil` if units arrive in decoding order.
    var interleaved: DecodingOrderBuffer? { get set }
    /// Whether parameter sets are known.
    var hasConfiguration: Bool { get }

    /// Extracts the packet's units and calls ``receive(_:number:_:into:)`` for each complete one.
    mutating func readPayload(
        of packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// Adds a unit to the current picture or to the parameter sets.
    mutating func place(
        _ unit: FragmentedNALUnit, _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError)

    /// The configuration if in-band parameter sets have changed it since the last call; otherwise `nil`.
    mutating func takeConfigurationChange() -> CodecConfiguration?
}

extension NALUnitDepacketizer {
    package mutating func receive(
        _ packet: RTPPacket, into output: inout [DepacketizerOutput]
    ) throws(DepacketizationError) {
        defer { if packet.marker, assembler.markerReceived() { finishPicture(into: &output) } }
        do {
            // Interleaved pictures begin when their units leave the buffer.
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

    /// Handles a complete unit. Interleaved units wait for those that precede them in decoding order.
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

    /// Appends a slice; first ends the current picture if the slice belongs to another one with the same timestamp.
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
