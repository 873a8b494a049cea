package import NIOCore

/// A NAL unit in the fragments that packets carried, without start code or length.
package struct FragmentedNALUnit: Sendable {
    /// Header bytes that a fragmentation unit leaves out and the depacketizer restores (RFC 6184 §5.8: one byte; RFC
    /// 7798 §4.4.3: two), most significant first. Empty if the first fragment holds the header.
    package var restoredHeader: RestoredHeader
    /// The bytes after the restored header, in order.
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

    /// Creates a NAL unit; without a restored header the first fragment holds the header.
    package init(restoredHeader: RestoredHeader = .none, fragments: [ByteBuffer]) {
        self.restoredHeader = restoredHeader
        self.fragments = fragments
    }

    /// Creates a NAL unit that arrived in one piece, header included.
    package init(_ whole: ByteBuffer) {
        self.init(fragments: [whole])
    }

    /// The size of the unit in bytes, with its header and without start code or length.
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

extension FragmentedNALUnit {
    /// The byte at `offset` after the unit's header; `nil` if the unit is shorter.
    package func payloadByte(at offset: Int, headerByteCount: Int) -> UInt8? {
        var offset = restoredHeader == .none ? offset + headerByteCount : offset
        for fragment in fragments {
            if offset < fragment.readableBytes {
                return fragment.getInteger(at: fragment.readerIndex + offset)
            }
            offset -= fragment.readableBytes
        }
        return nil
    }
}
