package import NIOCore

/// One picture, or one frame of audio, as it came from a publisher: the unit that packaging works with.
///
/// Times are ticks of the track's timescale, on a line that starts near zero with the publishing epoch and that
/// all tracks of the epoch share.
package struct AccessUnit: Sendable {
    /// Rises strictly from unit to unit of a track.
    package var decodeTime: Int64
    /// May be before the previous unit's where pictures are reordered, never before its own ``decodeTime``.
    package var presentationTime: Int64
    /// Decoding can start here: an IDR picture, or any frame of audio.
    package var isRandomAccessPoint: Bool
    package var payload: SamplePayload

    package init(
        decodeTime: Int64,
        presentationTime: Int64,
        isRandomAccessPoint: Bool,
        payload: SamplePayload
    ) {
        self.decodeTime = decodeTime
        self.presentationTime = presentationTime
        self.isRandomAccessPoint = isRandomAccessPoint
        self.payload = payload
    }
}

/// A sample's bytes, still in the network buffers they arrived in, so that they are copied once: into the part
/// that is being built.
package enum SamplePayload: Sendable {
    /// H.264 or HEVC: stored as NAL units behind 4-byte lengths (ISO/IEC 14496-15 §4.3.3).
    case nalUnits([FragmentedNALUnit])
    /// Anything whose sample is one run of bytes, such as a raw AAC frame.
    case frame(ByteBuffer)

    /// How many bytes ``write(into:)`` writes.
    package var byteCount: Int {
        switch self {
        case .nalUnits(let units): units.reduce(0) { $0 + 4 + $1.byteCount }
        case .frame(let buffer): buffer.readableBytes
        }
    }

    /// Appends the sample as an `mdat` holds it.
    package func write(into buffer: inout ByteBuffer) {
        switch self {
        case .nalUnits(let units):
            for unit in units {
                buffer.writeInteger(UInt32(clamping: unit.byteCount))
                unit.write(into: &buffer)
            }
        case .frame(let frame):
            buffer.writeImmutableBuffer(frame)
        }
    }
}

/// A NAL unit in the pieces that packets brought, without start code or length.
package struct FragmentedNALUnit: Sendable {
    /// The header bytes that a fragmentation unit leaves out and the depacketizer restores (RFC 6184 §5.8: one
    /// byte; RFC 7798 §4.4.3: two), most significant first. Empty where the first fragment holds the header.
    package var restoredHeader: RestoredHeader
    package var fragments: [ByteBuffer]

    package enum RestoredHeader: Sendable, Hashable {
        case none
        case oneByte(UInt8)
        case twoBytes(UInt16)

        package var byteCount: Int {
            switch self {
            case .none: 0
            case .oneByte: 1
            case .twoBytes: 2
            }
        }
    }

    package init(restoredHeader: RestoredHeader = .none, fragments: [ByteBuffer]) {
        self.restoredHeader = restoredHeader
        self.fragments = fragments
    }

    /// A NAL unit that came in one piece, header included.
    package init(_ whole: ByteBuffer) {
        self.init(fragments: [whole])
    }

    package var byteCount: Int { fragments.reduce(restoredHeader.byteCount) { $0 + $1.readableBytes } }

    /// The unit's first byte, which in H.264 and HEVC tells its type; `nil` for an empty unit.
    package var firstByte: UInt8? {
        switch restoredHeader {
        case .oneByte(let byte): byte
        case .twoBytes(let bytes): UInt8(truncatingIfNeeded: bytes >> 8)
        case .none: fragments.first { $0.readableBytes > 0 }.flatMap { $0.getInteger(at: $0.readerIndex) }
        }
    }

    /// Appends the unit's bytes, header first.
    package func write(into buffer: inout ByteBuffer) {
        switch restoredHeader {
        case .none: break
        case .oneByte(let byte): buffer.writeInteger(byte)
        case .twoBytes(let bytes): buffer.writeInteger(bytes)
        }
        for fragment in fragments { buffer.writeImmutableBuffer(fragment) }
    }

    /// The unit in one array: for parameter sets, which are small, never for pictures.
    package func bytes() -> [UInt8] {
        var buffer = ByteBuffer()
        write(into: &buffer)
        return Array(buffer.readableBytesView)
    }
}
