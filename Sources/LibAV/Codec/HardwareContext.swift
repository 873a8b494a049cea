import CLibAV

/// An open hardware device. Belongs to one thread.
final class HardwareContext {
    let kind: HardwareDevice
    private let file: String
    private var reference: UnsafeMutablePointer<AVBufferRef>

    /// Opens the device. Throws ``LibAVError`` with code `codecUnsupported` if there is none or it cannot be opened.
    ///
    /// - Parameter file: The file to name in errors.
    init(_ kind: HardwareDevice, encoder: String, file: String) throws(LibAVError) {
        if let absence = kind.absence {
            throw LibAVError(.codecUnsupported, file: file, "cannot be encoded with \(encoder): \(absence)")
        }
        var made: UnsafeMutablePointer<AVBufferRef>?
        var result: Int32 = -1
        switch kind {
        case .vaapi:
            // The node is named because libva would otherwise look for an X display.
            for node in kind.nodes where result < 0 {
                result = libav.av_hwdevice_ctx_create(&made, AV_HWDEVICE_TYPE_VAAPI, node, nil, 0)
            }
        case .cuda: result = libav.av_hwdevice_ctx_create(&made, AV_HWDEVICE_TYPE_CUDA, nil, nil, 0)
        }
        guard result >= 0, let made else {
            throw LibAVError(
                result: result, doing: "opening the device for \(encoder)", file: file, as: .codecUnsupported)
        }
        self.kind = kind
        self.file = file
        reference = made
    }

    deinit {
        var reference: UnsafeMutablePointer<AVBufferRef>? = reference
        libav.av_buffer_unref(&reference)
    }

    /// Makes an encoder that is not open yet use this device.
    ///
    /// - Parameter frames: The frame pool, if the encoder takes frames only from the device's memory.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>, frames: HardwareFrames?) {
        guard let frames else {
            // All encoders of the process share one CUDA context instead of having one each.
            context.pointee.hw_device_ctx = libav.av_buffer_ref(reference)
            return
        }
        context.pointee.pix_fmt = frames.format
        context.pointee.hw_frames_ctx = libav.av_buffer_ref(frames.reference)
    }

    /// Allocates a pool for an encoder's frames; `nil` if the encoder takes frames from main memory.
    func makeFrames(width: Int, height: Int) throws(LibAVError) -> HardwareFrames? {
        switch kind {
        case .cuda: nil
        case .vaapi:
            try HardwareFrames(
                on: reference, format: AV_PIX_FMT_VAAPI, width: width, height: height, file: file)
        }
    }
}

/// A pool of video frames in a device's memory. Belongs to one thread.
final class HardwareFrames {
    /// The pixel format of uploaded frames, which all drivers accept.
    static let uploadFormat = AV_PIX_FMT_NV12
    /// The number of frames that an encoder holds: two being encoded, references, and frames that wait for a later one.
    private static let poolSize: Int32 = 24

    let format: AVPixelFormat
    fileprivate let reference: UnsafeMutablePointer<AVBufferRef>
    private let file: String

    fileprivate init(
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
    /// - Parameter picture: A frame in ``uploadFormat``.
    /// - Returns: The same frame with all its properties, in the device's memory.
    func upload(_ picture: Frame) throws(LibAVError) -> Frame {
        let uploaded = try Frame()
        var result = libav.av_hwframe_get_buffer(reference, uploaded.pointer, 0)
        if result >= 0 { result = libav.av_hwframe_transfer_data(uploaded.pointer, picture.pointer, 0) }
        if result >= 0 { result = libav.av_frame_copy_props(uploaded.pointer, picture.pointer) }
        guard result >= 0 else {
            throw LibAVError(
                result: result, doing: "copying a frame into the device's memory", file: file, as: .codecUnsupported)
        }
        return uploaded
    }
}
