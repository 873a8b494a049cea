package import NIOCore

/// One coded video frame, or one frame of audio, as a publisher sent it: the unit that packaging works with.
///
/// Times are ticks of the track's timescale, on a line that starts near zero with the publishing epoch and that
/// all tracks of the epoch share.
package struct AccessUnit: Sendable {
    /// Decode time in ticks. It rises strictly from one unit of a track to the next.
    package var decodeTime: Int64
    /// Presentation time in ticks. It may be before the previous unit's if frames are reordered, but is never before
    /// this unit's ``decodeTime``.
    package var presentationTime: Int64
    /// Whether decoding can start here: true for an IDR picture and for any frame of audio.
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

/// A sample's bytes, still in the network buffers in which they arrived. They are copied once: into the part that is
/// being built.
package enum SamplePayload: Sendable {
    /// H.264 or HEVC, stored as NAL units that are each preceded by a 4-byte length (ISO/IEC 14496-15 §4.3.3).
    case nalUnits([FragmentedNALUnit])
    /// A sample that is one run of bytes, such as a raw AAC frame.
    case frame(ByteBuffer)

    /// Number of bytes that ``write(into:)`` writes.
    package var byteCount: Int {
        switch self {
        case .nalUnits(let units): units.reduce(0) { $0 + 4 + $1.byteCount }
        case .frame(let buffer): buffer.readableBytes
        }
    }

    /// Appends the sample in the form in which an `mdat` box holds it.
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

/// A NAL unit in the fragments that packets carried, without start code or length.
package struct FragmentedNALUnit: Sendable {
    /// Header bytes that a fragmentation unit leaves out and the depacketizer restores (RFC 6184 §5.8: one byte; RFC
    /// 7798 §4.4.3: two), most significant first. Empty if the first fragment holds the header.
    package var restoredHeader: RestoredHeader
    package var fragments: [ByteBuffer]

    /// Header bytes to write before the fragments.
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

    /// Creates a NAL unit that arrived in one piece, header included.
    package init(_ whole: ByteBuffer) {
        self.init(fragments: [whole])
    }

    package var byteCount: Int { fragments.reduce(restoredHeader.byteCount) { $0 + $1.readableBytes } }

    /// First byte of the unit, which holds its type in H.264 and HEVC; `nil` for an empty unit.
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

    /// The whole unit in one array. Meant for parameter sets, which are small; never use it for slices.
    package func bytes() -> [UInt8] {
        var buffer = ByteBuffer()
        write(into: &buffer)
        return Array(buffer.readableBytesView)
    }
}
