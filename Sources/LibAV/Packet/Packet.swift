package import CLibAV

/// An AVPacket: compressed data of one stream. Belongs to one thread.
package final class Packet {
    /// libav's object, which this one owns.
    package let pointer: UnsafeMutablePointer<AVPacket>

    /// Allocates an empty packet; throws ``LibAVError`` with code `outOfMemory`.
    package init() throws(LibAVError) {
        guard let pointer = libav.av_packet_alloc() else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a packet")
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        libav.av_packet_free(&pointer)
    }

    /// Releases the contents and keeps the AVPacket for reuse.
    package func clear() { libav.av_packet_unref(pointer) }

    /// Moves the contents into a new packet; this one is empty afterwards.
    package func moved() throws(LibAVError) -> Packet {
        let other = try Packet()
        libav.av_packet_move_ref(other.pointer, pointer)
        return other
    }

    /// The index of the stream in its file.
    package var streamIndex: Int { Int(pointer.pointee.stream_index) }
    /// True if the demuxer reached the end of the file, or an error, inside this packet (AV_PKT_FLAG_CORRUPT).
    package var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// The presentation time in ticks of the stream's time base; `nil` if the file does not say.
    package var presentationTime: Int64? {
        get { Int64(timestamp: pointer.pointee.pts) }
        set { pointer.pointee.pts = newValue ?? antena_av_nopts() }
    }
    /// The decode time in ticks of the stream's time base; `nil` if the file does not say.
    package var decodeTime: Int64? {
        get { Int64(timestamp: pointer.pointee.dts) }
        set { pointer.pointee.dts = newValue ?? antena_av_nopts() }
    }
    /// The duration in ticks of the stream's time base; 0 if unknown.
    package var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }
    /// The compressed data; valid until the packet changes.
    package var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    }
}
