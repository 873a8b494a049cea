package import NIOCore

/// Takes a transport stream apart, as a state machine without input and output: bytes come in, streams and frames come
/// out (ISO/IEC 13818-1). The first programme is taken; its map may change.
package struct TSDemultiplexer: Sendable {
    private struct OpenFrame: Sendable {
        var bytes = ByteBuffer()
        /// Bytes behind the length field; `nil` for video, whose PES packets may leave their length open.
        var expectedByteCount: Int?
        var isDamaged = false
    }

    private struct StreamState: Sendable {
        var stream: TSStream
        var open: OpenFrame?
        var sections = TSSectionAssembler()
        var lastDecodeTime: Int64?
        var isDamaged = false
    }

    private static let associationIdentifier: UInt16 = 0
    private static let associationTable: UInt8 = 0
    private static let mapTable: UInt8 = 2
    private static let spliceTable: UInt8 = 0xFC
    /// Times have 33 bits.
    private static let wrap: Int64 = 1 << 33

    private var reader = TSPacketReader()
    private var association = TSSectionAssembler()
    private var map = TSSectionAssembler()
    private var mapIdentifier: UInt16?
    private var streams: [UInt16: StreamState] = [:]
    private var announced: [TSStream] = []
    private var counters: [UInt16: UInt8] = [:]
    private(set) var unfinishedByteCount = 0
    private var found: ArraySlice<TSEvent> = []

    package init() {}

    package mutating func append(_ bytes: ByteBuffer) { reader.append(bytes) }

    /// The next event in the bytes that were taken; `nil` until more come.
    ///
    /// - Throws: `TSError`, after which the stream has to end.
    package mutating func next() throws(TSError) -> TSEvent? {
        while found.isEmpty, let packet = try reader.next() {
            var events: [TSEvent] = []
            try take(packet, &events)
            found = events[...]
        }
        return found.popFirst()
    }

    /// The frames that have begun, at the end of the stream.
    package mutating func finish() -> [TSEvent] {
        var events: [TSEvent] = []
        for identifier in streams.keys.sorted() { finishFrame(identifier, &events) }
        return events
    }

    // MARK: Packets

    private mutating func take(_ packet: TSPacket, _ events: inout [TSEvent]) throws(TSError) {
        let isKnown =
            packet.identifier == Self.associationIdentifier || packet.identifier == mapIdentifier
            || streams[packet.identifier] != nil
        guard isKnown else { return }
        let isContinuous = isContinuation(packet)
        guard let payload = packet.payload, let isContinuous else {
            // Encrypted and damaged packets are gaps.
            if packet.payload == nil { streams[packet.identifier]?.open?.isDamaged = true }
            return
        }
        if packet.identifier == Self.associationIdentifier {
            for section in association.take(payload, beginsUnit: packet.beginsUnit, isContinuous: isContinuous) {
                takeAssociation(section)
            }
        } else if packet.identifier == mapIdentifier {
            for section in map.take(payload, beginsUnit: packet.beginsUnit, isContinuous: isContinuous) {
                try takeMap(section, &events)
            }
        } else if streams[packet.identifier]?.stream.content == .spliceInformation {
            let sections =
                streams[packet.identifier]?.sections.take(
                    payload, beginsUnit: packet.beginsUnit, isContinuous: isContinuous) ?? []
            for section in sections
            where section.getInteger(at: section.readerIndex, as: UInt8.self) == Self.spliceTable {
                events.append(.splice(section, identifier: packet.identifier))
            }
        } else {
            takePiece(payload, packet, isContinuous: isContinuous, &events)
        }
    }

    /// Whether a packet follows the one before of its stream; `nil` for one that was sent twice.
    private mutating func isContinuation(_ packet: TSPacket) -> Bool? {
        let last = counters[packet.identifier]
        guard packet.payload != nil else { return true }
        counters[packet.identifier] = packet.continuity
        guard let last, !packet.isDiscontinuous else { return true }
        if packet.continuity == last { return nil }
        return packet.continuity == (last + 1) & 0xF
    }

    // MARK: Tables

    /// Reads the list of programmes (§2.4.4.3), and follows the first.
    private mutating func takeAssociation(_ section: ByteBuffer) {
        guard var body = Self.body(of: section, table: Self.associationTable, headerByteCount: 8) else { return }
        while let number = body.readInteger(as: UInt16.self), let word = body.readInteger(as: UInt16.self) {
            // Number 0 is that of the network.
            guard number != 0 else { continue }
            let identifier = word & 0x1FFF
            if identifier != mapIdentifier {
                mapIdentifier = identifier
                map = TSSectionAssembler()
            }
            return
        }
    }

    /// Reads the map of the programme (§2.4.4.8).
    private mutating func takeMap(_ section: ByteBuffer, _ events: inout [TSEvent]) throws(TSError) {
        guard var body = Self.body(of: section, table: Self.mapTable, headerByteCount: 8),
            body.readInteger(as: UInt16.self) != nil, let length = body.readInteger(as: UInt16.self),
            body.readSlice(length: Int(length & 0xFFF)) != nil
        else { return }
        var listed: [TSStream] = []
        while let type = body.readInteger(as: UInt8.self), let word = body.readInteger(as: UInt16.self),
            let length = body.readInteger(as: UInt16.self),
            let descriptors = body.readSlice(length: Int(length & 0xFFF))
        {
            guard listed.count < TSLimits.streamCount else {
                throw TSError("the programme has more than \(TSLimits.streamCount) streams")
            }
            listed.append(TSStream(type: type, identifier: word & 0x1FFF, descriptors: descriptors))
        }
        guard listed != announced else { return }
        for identifier in streams.keys.sorted() where !listed.contains(where: { $0.identifier == identifier }) {
            finishFrame(identifier, &events)
        }
        announced = listed
        var next: [UInt16: StreamState] = [:]
        for stream in listed {
            let known = streams[stream.identifier].flatMap { $0.stream == stream ? $0 : nil }
            next[stream.identifier] = known ?? StreamState(stream: stream)
        }
        streams = next
        unfinishedByteCount = next.values.reduce(0) { $0 + ($1.open?.bytes.readableBytes ?? 0) }
        events.append(.streams(listed))
    }

    /// The content of a section of a table that is valid now.
    private static func body(of section: ByteBuffer, table: UInt8, headerByteCount: Int) -> ByteBuffer? {
        guard section.getInteger(at: section.readerIndex, as: UInt8.self) == table,
            let version = section.getInteger(at: section.readerIndex + 5, as: UInt8.self), version & 1 == 1
        else { return nil }
        return section.getSlice(
            at: section.readerIndex + headerByteCount, length: section.readableBytes - headerByteCount)
    }

    // MARK: Frames

    private mutating func takePiece(
        _ payload: ByteBuffer, _ packet: TSPacket, isContinuous: Bool, _ events: inout [TSEvent]
    ) {
        let identifier = packet.identifier
        if packet.beginsUnit {
            finishFrame(identifier, &events)
            if !isContinuous { streams[identifier]?.isDamaged = true }
            streams[identifier]?.open = OpenFrame()
        } else if !isContinuous {
            streams[identifier]?.open?.isDamaged = true
        }
        // Taken out meanwhile, because its bytes would be copied otherwise.
        guard var open = streams[identifier]?.open else { return }
        streams[identifier]?.open = nil
        open.bytes.writeImmutableBuffer(payload)
        unfinishedByteCount += payload.readableBytes
        if packet.beginsUnit, let length = open.bytes.getInteger(at: open.bytes.readerIndex + 4, as: UInt16.self),
            length > 0
        {
            open.expectedByteCount = Int(length) + 6
        }
        guard open.bytes.readableBytes <= TSLimits.frameByteCount, unfinishedByteCount <= TSLimits.unfinishedByteCount
        else {
            unfinishedByteCount -= open.bytes.readableBytes
            streams[identifier]?.isDamaged = true
            return
        }
        let isComplete = open.expectedByteCount.map { open.bytes.readableBytes >= $0 } ?? false
        streams[identifier]?.open = open
        if isComplete { finishFrame(identifier, &events) }
    }

    /// Ends the PES packet that has begun (§2.4.3.6).
    private mutating func finishFrame(_ identifier: UInt16, _ events: inout [TSEvent]) {
        guard var state = streams[identifier], var open = state.open else { return }
        state.open = nil
        unfinishedByteCount -= open.bytes.readableBytes
        defer { streams[identifier] = state }
        if let expected = open.expectedByteCount, open.bytes.readableBytes < expected { open.isDamaged = true }
        guard let content = Self.content(&open.bytes, expected: open.expectedByteCount), let times = content.times
        else {
            state.isDamaged = true
            return
        }
        let presentation = unwrapped(times.presentation, near: state.lastDecodeTime)
        let decode = times.decode.map { unwrapped($0, near: state.lastDecodeTime) } ?? presentation
        state.lastDecodeTime = decode
        events.append(
            .frame(
                TSFrame(
                    identifier: identifier, presentationTime: presentation, decodeTime: decode, content: content.bytes,
                    isDamaged: open.isDamaged || state.isDamaged)))
        state.isDamaged = false
    }

    private static func content(
        _ bytes: inout ByteBuffer, expected: Int?
    ) -> (bytes: ByteBuffer, times: (presentation: Int64, decode: Int64?)?)? {
        if let expected, bytes.readableBytes > expected { bytes.moveWriterIndex(to: bytes.readerIndex + expected) }
        guard let prefix = bytes.readInteger(as: UInt32.self), prefix >> 8 == 1,
            bytes.readInteger(as: UInt16.self) != nil,
            let flags = bytes.readInteger(as: UInt16.self), flags >> 14 == 2,
            let length = bytes.readInteger(as: UInt8.self), var header = bytes.readSlice(length: Int(length))
        else { return nil }
        guard flags & 0x80 != 0, let presentation = time(&header) else { return (bytes, nil) }
        return (bytes, (presentation, flags & 0x40 != 0 ? time(&header) : nil))
    }

    /// Reads a time of 33 bits, between marker bits.
    private static func time(_ header: inout ByteBuffer) -> Int64? {
        guard let first = header.readInteger(as: UInt8.self), let second = header.readInteger(as: UInt16.self),
            let third = header.readInteger(as: UInt16.self)
        else { return nil }
        return Int64(first >> 1 & 7) << 30 | Int64(second >> 1) << 15 | Int64(third >> 1)
    }

    /// A time without wraps: the one that is nearest to the one before, of whatever stream at the beginning.
    private func unwrapped(_ time: Int64, near last: Int64?) -> Int64 {
        guard let last = last ?? streams.values.lazy.compactMap(\.lastDecodeTime).first else { return time }
        let distance = (time - last) % Self.wrap
        let half = Self.wrap / 2
        return last + (distance >= half ? distance - Self.wrap : distance < -half ? distance + Self.wrap : distance)
    }
}
