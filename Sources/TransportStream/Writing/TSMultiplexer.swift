package import Codecs
package import MediaCore
package import NIOCore

/// Makes a transport stream of access units, as a state machine without input and output (ISO/IEC 13818-1): one
/// programme with one clock, its tables before each key frame and four times a second.
package struct TSMultiplexer: Sendable {
    private static let mapIdentifier: UInt16 = 0x1000
    private static let firstIdentifier: UInt16 = 0x100
    private static let programme: UInt16 = 1
    /// Time between the tables, in units of 90 kHz.
    private static let tableInterval: Int64 = 22_500
    /// The time by which the clock is behind decoding: what audio may be late beside video.
    private static let clockDelay: Int64 = 27_000
    /// The time of the first unit, so that no time is negative.
    private static let origin: Int64 = 90_000
    private static let wrap: Int64 = 1 << 33

    private var streams: [Int: TSOutputStream] = [:]
    private var writer = TSPacketWriter()
    private var tables: (associations: ByteBuffer, map: ByteBuffer)
    private var version: UInt8 = 0
    private var clockTrack: Int?
    private var tablesWrittenAt: Int64?
    private var start: Int64?

    /// - Parameter tracks: the parameters of the tracks; `nil` for one that is left out. Units refer to them by
    ///   position.
    package init(tracks: [CodecConfiguration?]) {
        tables = (ByteBuffer(), ByteBuffer())
        set(tracks)
    }

    /// Whether MPEG-TS carries a codec so that programs play it.
    package static func carries(_ configuration: CodecConfiguration) -> Bool {
        TSOutputStream.carries(configuration)
    }

    /// Changes the tracks, when a push has begun again or its parameters have changed.
    package mutating func set(_ tracks: [CodecConfiguration?]) {
        streams = [:]
        for (index, configuration) in tracks.enumerated() {
            guard let configuration, TSOutputStream.carries(configuration), index < TSLimits.streamCount else {
                continue
            }
            streams[index] = TSOutputStream(
                identifier: Self.firstIdentifier + UInt16(index), configuration: configuration)
        }
        let order = streams.keys.sorted()
        clockTrack = order.first { streams[$0]?.configuration.mediaType == .video } ?? order.first
        var map = ByteBuffer()
        map.writeInteger(0xE000 | (clockTrack.flatMap { streams[$0]?.identifier } ?? 0x1FFF))
        map.writeInteger(0xF000 as UInt16)
        for index in order { streams[index]?.writeEntry(into: &map) }
        var associations = ByteBuffer(integer: Self.programme)
        associations.writeInteger(0xE000 | Self.mapIdentifier)
        tables = (
            Self.section(0, number: 1, version: version, associations),
            Self.section(2, number: Self.programme, version: version, map)
        )
        version = (version + 1) & 0x1F
        tablesWrittenAt = nil
    }

    /// A section with its pointer and its checksum (§2.4.4).
    private static func section(_ table: UInt8, number: UInt16, version: UInt8, _ body: ByteBuffer) -> ByteBuffer {
        var section = ByteBuffer(integer: table)
        section.writeInteger(0xB000 | UInt16(body.readableBytes + 9))
        section.writeInteger(number)
        section.writeInteger(0xC1 | version << 1)
        section.writeInteger(0 as UInt16)
        section.writeImmutableBuffer(body)
        section.writeInteger(TSSectionAssembler.checksum(section.readableBytesView))
        var written = ByteBuffer(integer: 0 as UInt8)
        written.writeBuffer(&section)
        return written
    }

    // MARK: Units

    /// Writes a unit.
    ///
    /// - Parameters:
    ///   - unit: the unit.
    ///   - track: the position of its track. Units of tracks that are left out are passed over.
    ///   - timescale: the timescale of its times.
    ///   - output: gets the packets.
    package mutating func write(
        _ unit: AccessUnit, track: Int, timescale: Timescale, into output: inout ByteBuffer
    ) {
        guard let stream = streams[track] else { return }
        let isVideo = stream.configuration.mediaType == .video
        func ticks(_ value: Int64) -> Int64 {
            MediaTime(value: value, timescale: timescale).converted(to: .video90kHz).value
        }
        let decode = ticks(unit.decodeTime)
        let start = start ?? decode
        self.start = start
        let decodeTime = decode.addingSaturating(Self.origin).addingSaturating(-start)
        let presentationTime = ticks(unit.presentationTime).addingSaturating(Self.origin).addingSaturating(-start)
        guard (0..<Int64.max >> 1).contains(decodeTime), let content = content(of: unit, stream) else { return }
        let isKeyFrame = isVideo && unit.isRandomAccessPoint
        let isDue = tablesWrittenAt.map { abs(decodeTime - $0) >= Self.tableInterval } ?? true
        if isKeyFrame || isDue {
            writer.write(tables.associations, identifier: 0, fillsSection: true, into: &output)
            writer.write(tables.map, identifier: Self.mapIdentifier, fillsSection: true, into: &output)
            tablesWrittenAt = decodeTime
        }
        let packet = Self.packet(content, stream, presentation: presentationTime, decode: decodeTime)
        writer.write(
            packet, identifier: stream.identifier,
            clock: track == clockTrack ? max(0, decodeTime - Self.clockDelay) : nil,
            isRandomAccess: isVideo ? isKeyFrame : clockTrack == track, into: &output)
    }

    /// A PES packet (§2.4.3.6). The length of one of video is left open.
    private static func packet(
        _ content: ByteBuffer, _ stream: TSOutputStream, presentation: Int64, decode: Int64
    ) -> ByteBuffer {
        let isVideo = stream.configuration.mediaType == .video
        let hasDecodeTime = presentation != decode
        let headerByteCount = hasDecodeTime ? 10 : 5
        var packet = ByteBuffer()
        packet.reserveCapacity(content.readableBytes + 32)
        packet.writeInteger(0x100 | UInt32(stream.packetIdentifier))
        let length = content.readableBytes + headerByteCount + 3
        packet.writeInteger(isVideo || length > Int(UInt16.max) ? 0 : UInt16(length))
        packet.writeInteger(0x84 as UInt8)
        packet.writeInteger(hasDecodeTime ? 0xC0 : 0x80 as UInt8)
        packet.writeInteger(UInt8(headerByteCount))
        write(presentation, prefix: hasDecodeTime ? 3 : 2, into: &packet)
        if hasDecodeTime { write(decode, prefix: 1, into: &packet) }
        packet.writeImmutableBuffer(content)
        return packet
    }

    /// Writes a time of 33 bits, between marker bits.
    private static func write(_ time: Int64, prefix: UInt8, into packet: inout ByteBuffer) {
        let time = UInt64(time % wrap)
        packet.writeInteger(prefix << 4 | UInt8(time >> 30 & 7) << 1 | 1)
        packet.writeInteger(UInt16(truncatingIfNeeded: (time >> 15 & 0x7FFF) << 1 | 1))
        packet.writeInteger(UInt16(truncatingIfNeeded: (time & 0x7FFF) << 1 | 1))
    }

    // MARK: Content

    /// The bytes of a unit as a PES packet holds them; `nil` for one that cannot be written.
    private func content(of unit: AccessUnit, _ stream: TSOutputStream) -> ByteBuffer? {
        switch (unit.payload, stream.configuration) {
        case (.nalUnits(let units), _): picture(units, stream.configuration, isKeyFrame: unit.isRandomAccessPoint)
        case (.frame(let frame), .aac(let audio)): ADTSHeader(audio, frame.readableBytes).map { $0.bytes(of: frame) }
        case (.frame(let frame), .opus): Self.withControlHeader(frame)
        case (.frame(let frame), _): frame
        }
    }

    /// A picture with start codes, behind a delimiter, and with its parameters if it is a key frame.
    private func picture(
        _ units: [FragmentedNALUnit], _ configuration: CodecConfiguration, isKeyFrame: Bool
    ) -> ByteBuffer {
        let startCode: [UInt8] = [0, 0, 0, 1]
        var picture = ByteBuffer()
        picture.reserveCapacity(units.reduce(64) { $0 + $1.byteCount + 4 })
        picture.writeBytes(startCode)
        // A delimiter that says nothing about the kinds of slices.
        if case .hevc = configuration { picture.writeBytes([0x46, 1, 0x50]) } else { picture.writeBytes([9, 0xF0]) }
        if isKeyFrame {
            for set in configuration.parameterSets {
                picture.writeBytes(startCode)
                picture.writeBytes(set)
            }
        }
        for unit in units {
            picture.writeBytes(startCode)
            unit.write(into: &picture)
        }
        return picture
    }

    /// Opus behind its control header (ETSI TS 103 491 annex).
    private static func withControlHeader(_ frame: ByteBuffer) -> ByteBuffer {
        var content = ByteBuffer(bytes: [0x7F, 0xE0])
        var rest = frame.readableBytes
        while rest >= 255 {
            content.writeInteger(255 as UInt8)
            rest -= 255
        }
        content.writeInteger(UInt8(rest))
        content.writeImmutableBuffer(frame)
        return content
    }
}
