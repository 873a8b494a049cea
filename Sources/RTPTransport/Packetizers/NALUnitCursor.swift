import MediaCore
import NIOCore

/// Reads a NAL unit's bytes across the fragments in which it arrived.
struct NALUnitCursor {
    private let unit: FragmentedNALUnit
    private var headerRest: ArraySlice<UInt8>
    private var fragmentIndex = 0
    /// Position within the current fragment.
    private var offset = 0
    private(set) var remainingByteCount: Int

    init(_ unit: FragmentedNALUnit) {
        self.unit = unit
        remainingByteCount = unit.byteCount
        switch unit.restoredHeader {
        case .none: headerRest = []
        case .oneByte(let byte): headerRest = [byte]
        case .twoBytes(let bytes):
            headerRest = [UInt8(truncatingIfNeeded: bytes >> 8), UInt8(truncatingIfNeeded: bytes)]
        }
    }

    mutating func readByte() -> UInt8? {
        if let byte = headerRest.popFirst() {
            remainingByteCount -= 1
            return byte
        }
        while fragmentIndex < unit.fragments.count {
            let fragment = unit.fragments[fragmentIndex]
            if offset < fragment.readableBytes {
                offset += 1
                remainingByteCount -= 1
                return fragment.getInteger(at: fragment.readerIndex + offset - 1)
            }
            fragmentIndex += 1
            offset = 0
        }
        return nil
    }

    /// Appends the next `count` bytes, or all that are left if there are fewer.
    mutating func write(_ count: Int, into buffer: inout ByteBuffer) {
        var wanted = min(count, remainingByteCount)
        remainingByteCount -= wanted
        while wanted > 0, let byte = headerRest.popFirst() {
            buffer.writeInteger(byte)
            wanted -= 1
        }
        while wanted > 0, fragmentIndex < unit.fragments.count {
            let fragment = unit.fragments[fragmentIndex]
            let taken = min(wanted, fragment.readableBytes - offset)
            if taken > 0, let slice = fragment.getSlice(at: fragment.readerIndex + offset, length: taken) {
                buffer.writeImmutableBuffer(slice)
            }
            wanted -= taken
            offset += taken
            if offset == fragment.readableBytes {
                fragmentIndex += 1
                offset = 0
            }
        }
    }
}
