import CLibAV

/// An AVPacket: compressed data of one stream. Belongs to one thread.
final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(LibAVError) {
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
    func clear() { libav.av_packet_unref(pointer) }

    /// Moves the contents into a new packet; this one is empty afterwards.
    func moved() throws(LibAVError) -> Packet {
        let other = try Packet()
        libav.av_packet_move_ref(other.pointer, pointer)
        return other
    }

    /// The index of the stream in its file.
    var streamIndex: Int { Int(pointer.pointee.stream_index) }
    /// True if the demuxer reached the end of the file, or an error, inside this packet (AV_PKT_FLAG_CORRUPT).
    var isCorrupt: Bool { pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 }
    /// The presentation time in ticks of the stream's time base; `nil` if the file does not say.
    var presentationTime: Int64? {
        get { Int64(timestamp: pointer.pointee.pts) }
        set { pointer.pointee.pts = newValue ?? antena_av_nopts() }
    }
    /// The decode time in ticks of the stream's time base; `nil` if the file does not say.
    var decodeTime: Int64? {
        get { Int64(timestamp: pointer.pointee.dts) }
        set { pointer.pointee.dts = newValue ?? antena_av_nopts() }
    }
    /// The duration in ticks of the stream's time base; 0 if unknown.
    var duration: Int64 {
        get { pointer.pointee.duration }
        set { pointer.pointee.duration = newValue }
    }
    /// The compressed data; valid until the packet changes.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: pointer.pointee.data, count: max(0, Int(pointer.pointee.size)))
    }
}

/// An AVFrame: one decoded video frame or a run of audio samples. Belongs to one thread.
final class Frame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(LibAVError) {
        guard let pointer = libav.av_frame_alloc() else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a frame")
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        libav.av_frame_free(&pointer)
    }

    /// Releases the contents and keeps the AVFrame for reuse.
    func clear() { libav.av_frame_unref(pointer) }

    /// Returns a second reference to the same buffers.
    func reference() throws(LibAVError) -> Frame {
        let copy = try Frame()
        guard libav.av_frame_ref(copy.pointer, pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a frame")
        }
        return copy
    }

    /// Allocates a video frame with buffers of its own.
    static func picture(
        width: Int, height: Int, format: AVPixelFormat
    ) throws(LibAVError) -> Frame {
        let frame = try Frame()
        frame.pointer.pointee.width = Int32(clamping: width)
        frame.pointer.pointee.height = Int32(clamping: height)
        frame.pointer.pointee.format = format.rawValue
        guard libav.av_frame_get_buffer(frame.pointer, 0) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a frame of \(width)x\(height)")
        }
        return frame
    }

    var width: Int { Int(pointer.pointee.width) }
    var height: Int { Int(pointer.pointee.height) }
    var pixelFormat: AVPixelFormat { AVPixelFormat(pointer.pointee.format) }
    /// libav's guess from presentation and decode times, in the stream's time base.
    var bestEffortTime: Int64? { Int64(timestamp: pointer.pointee.best_effort_timestamp) }
    /// The presentation time in ticks of the time base of the frame's source; `nil` if unknown.
    var presentationTime: Int64? {
        get { Int64(timestamp: pointer.pointee.pts) }
        set { pointer.pointee.pts = newValue ?? antena_av_nopts() }
    }
}

extension Int64 {
    /// Returns `nil` for AV_NOPTS_VALUE and for magnitudes of 2^60 and more: such values come from damaged files and
    /// would overflow sums.
    init?(timestamp: Int64) {
        guard timestamp != antena_av_nopts(), timestamp.magnitude < 1 << 60 else { return nil }
        self = timestamp
    }
}

extension AVRational {
    /// This fraction, or `nil` unless both parts are positive.
    var positive: AVRational? { num > 0 && den > 0 ? self : nil }
    /// The fraction with its parts exchanged.
    var inverse: AVRational { AVRational(num: den, den: num) }
    /// The fraction as a floating-point number, for reports and comparisons, never for timestamps.
    var value: Double { Double(num) / Double(den) }
}

/// Converts `value` from ticks of `source` to ticks of `target`, rounded to nearest.
func rescale(_ value: Int64, from source: AVRational, to target: AVRational) -> Int64 {
    libav.av_rescale_q(value, source, target)
}

/// libav's own time base, used for AVFormatContext's `duration` and `start_time`.
let microseconds = AVRational(num: 1, den: 1_000_000)
