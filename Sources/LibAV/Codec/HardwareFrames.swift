package import CLibAV

/// A pool of video frames in a device's memory. Belongs to one thread.
package final class HardwareFrames {
    /// The pixel format of uploaded frames, which all drivers accept.
    package static let uploadFormat = AV_PIX_FMT_NV12
    /// The number of frames that an encoder holds: two being encoded, references, and frames that wait for a later one.
    private static let poolSize: Int32 = 24

    package let format: AVPixelFormat
    let reference: UnsafeMutablePointer<AVBufferRef>
    private let file: String

    init(
        on device: UnsafeMutablePointer<AVBufferRef>, format: AVPixelFormat, width: Int, height: Int, file: String
    ) throws(LibAVError) {
        guard let reference = libav.av_hwframe_ctx_alloc(device) else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for the device's frames")
        }
        self.reference = reference
        self.format = format
        self.file = file
        let context = UnsafeMutableRawPointer(reference.pointee.data).assumingMemoryBound(to: AVHWFramesContext.self)
        context.pointee.format = format
        context.pointee.sw_format = Self.uploadFormat
        context.pointee.width = Int32(clamping: width)
        context.pointee.height = Int32(clamping: height)
        context.pointee.initial_pool_size = Self.poolSize
        let result = libav.av_hwframe_ctx_init(reference)
        guard result >= 0 else {
            throw LibAVError(
                result: result, doing: "reserving \(width)x\(height) frames in the device's memory", file: file,
                as: .codecUnsupported)
        }
    }

    deinit {
        var reference: UnsafeMutablePointer<AVBufferRef>? = reference
        libav.av_buffer_unref(&reference)
    }

    /// Copies a frame into the device's memory.
    ///
    /// - Parameter frame: A frame in `uploadFormat`.
    /// - Returns: The same frame with all its properties, in the device's memory.
    package func upload(_ frame: Frame) throws(LibAVError) -> Frame {
        let uploaded = try Frame()
        var result = libav.av_hwframe_get_buffer(reference, uploaded.pointer, 0)
        if result >= 0 { result = libav.av_hwframe_transfer_data(uploaded.pointer, frame.pointer, 0) }
        if result >= 0 { result = libav.av_frame_copy_props(uploaded.pointer, frame.pointer) }
        guard result >= 0 else {
            throw LibAVError(
                result: result, doing: "copying a frame into the device's memory", file: file, as: .codecUnsupported)
        }
        return uploaded
    }
}
