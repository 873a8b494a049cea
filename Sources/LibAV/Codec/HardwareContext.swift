import CLibAV

/// A device that is open. Belongs to one thread.
final class HardwareContext {
    let kind: HardwareDevice
    private let file: String
    private var reference: UnsafeMutablePointer<AVBufferRef>

    /// - Parameter file: to blame.
    init(_ kind: HardwareDevice, encoder: String, file: String) throws(LibAVError) {
        if let absence = kind.absence {
            throw LibAVError(.codecUnsupported, file: file, "cannot be encoded with \(encoder): \(absence)")
        }
        var made: UnsafeMutablePointer<AVBufferRef>?
        var result: Int32 = -1
        switch kind {
        case .vaapi:
            // By name: without one libva would ask for an X display.
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

    /// Has an encoder that is not open yet use this device.
    ///
    /// - Parameter frames: where it takes pictures from the device's memory only.
    func attach(to context: UnsafeMutablePointer<AVCodecContext>, frames: HardwareFrames?) {
        guard let frames else {
            // One context of CUDA's for all encoders of the process, instead of one each.
            context.pointee.hw_device_ctx = libav.av_buffer_ref(reference)
            return
        }
        context.pointee.pix_fmt = frames.format
        context.pointee.hw_frames_ctx = libav.av_buffer_ref(frames.reference)
    }

    /// Memory for an encoder's pictures; `nil` where it takes them from the machine's own.
    func makeFrames(width: Int, height: Int) throws(LibAVError) -> HardwareFrames? {
        switch kind {
        case .cuda: nil
        case .vaapi:
            try HardwareFrames(
                on: reference, format: AV_PIX_FMT_VAAPI, width: width, height: height, file: file)
        }
    }
}

/// Pictures in a device's memory. Belongs to one thread.
final class HardwareFrames {
    /// Of the pictures that are uploaded: what all drivers take.
    static let uploadFormat = AV_PIX_FMT_NV12
    /// Held by the encoder: two that are being encoded, references and pictures that wait for a later one.
    private static let poolSize: Int32 = 24

    let format: AVPixelFormat
    fileprivate let reference: UnsafeMutablePointer<AVBufferRef>
    private let file: String

    fileprivate init(
        on device: UnsafeMutablePointer<AVBufferRef>, format: AVPixelFormat, width: Int, height: Int, file: String
    ) throws(LibAVError) {
        guard let reference = libav.av_hwframe_ctx_alloc(device) else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for the device's pictures")
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
                result: result, doing: "setting aside \(width)x\(height) pictures in the device's memory", file: file,
                as: .codecUnsupported)
        }
    }

    deinit {
        var reference: UnsafeMutablePointer<AVBufferRef>? = reference
        libav.av_buffer_unref(&reference)
    }

    /// - Parameter picture: in ``uploadFormat``.
    /// - Returns: the same picture, with all that is said of it, in the device's memory.
    func upload(_ picture: Frame) throws(LibAVError) -> Frame {
        let uploaded = try Frame()
        var result = libav.av_hwframe_get_buffer(reference, uploaded.pointer, 0)
        if result >= 0 { result = libav.av_hwframe_transfer_data(uploaded.pointer, picture.pointer, 0) }
        if result >= 0 { result = libav.av_frame_copy_props(uploaded.pointer, picture.pointer) }
        guard result >= 0 else {
            throw LibAVError(
                result: result, doing: "copying a picture into the device's memory", file: file, as: .codecUnsupported)
        }
        return uploaded
    }
}
