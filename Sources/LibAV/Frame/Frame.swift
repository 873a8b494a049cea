package import CLibAV

/// An AVFrame: one decoded video frame or a run of audio samples. Belongs to one thread.
package final class Frame {
    /// libav's object, which this one owns.
    package let pointer: UnsafeMutablePointer<AVFrame>

    /// Allocates a frame without buffers; throws ``LibAVError`` with code `outOfMemory`.
    package init() throws(LibAVError) {
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
    package func clear() { libav.av_frame_unref(pointer) }

    /// Returns a second reference to the same buffers.
    package func reference() throws(LibAVError) -> Frame {
        let copy = try Frame()
        guard libav.av_frame_ref(copy.pointer, pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: nil, "ran out of memory for a frame")
        }
        return copy
    }

    /// Allocates a video frame with buffers of its own.
    package static func video(
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

    /// The width of the stored frame in pixels; 0 for audio.
    package var width: Int { Int(pointer.pointee.width) }
    /// The height of the stored frame in pixels; 0 for audio.
    package var height: Int { Int(pointer.pointee.height) }
    /// The pixel format; meaningless for audio.
    package var pixelFormat: AVPixelFormat { AVPixelFormat(pointer.pointee.format) }
    /// libav's guess from presentation and decode times, in the stream's time base.
    package var bestEffortTime: Int64? { Int64(timestamp: pointer.pointee.best_effort_timestamp) }
    /// The presentation time in ticks of the time base of the frame's source; `nil` if unknown.
    package var presentationTime: Int64? {
        get { Int64(timestamp: pointer.pointee.pts) }
        set { pointer.pointee.pts = newValue ?? antena_av_nopts() }
    }
}
