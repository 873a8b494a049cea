import MediaCore
import NIOCore

extension ByteBuffer {
    /// Appends a box: the header, then what `content` writes; the size is filled in afterwards.
    mutating func writeBox(_ type: FourCC, content: (inout ByteBuffer) -> Void) {
        let start = writerIndex
        writeInteger(UInt32(0))
        writeInteger(type.rawValue)
        content(&self)
        setInteger(UInt32(clamping: writerIndex - start), at: start)
    }

    /// Appends a full box (ISO/IEC 14496-12 §4.2).
    mutating func writeFullBox(
        _ type: FourCC, version: UInt8 = 0, flags: UInt32 = 0, content: (inout ByteBuffer) -> Void
    ) {
        writeBox(type) { buffer in
            buffer.writeInteger(UInt32(version) << 24 | flags)
            content(&buffer)
        }
    }
}
