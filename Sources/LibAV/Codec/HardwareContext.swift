package import CLibAV

/// An open hardware device. Belongs to one thread.
package final class HardwareContext {
    let kind: HardwareDevice
    private let file: String
    private var reference: UnsafeMutablePointer<AVBufferRef>

    /// Opens the device. Throws ``LibAVError`` with code `codecUnsupported` if there is none or it cannot be opened.
    ///
    /// - Parameters:
    ///   - kind: The kind of device.
    ///   - encoder: libav's name of the encoder that will use it, to name in errors.
    ///   - file: The file to name in errors.
    package init(_ kind: HardwareDevice, encoder: String, file: String) throws(LibAVError) {
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
    /// - Parameters:
    ///   - context: The context of the encoder.
    ///   - frames: The frame pool, if the encoder takes frames only from the device's memory.
    package func attach(to context: UnsafeMutablePointer<AVCodecContext>, frames: HardwareFrames?) {
        guard let frames else {
            // All encoders of the process share one CUDA context instead of having one each.
            context.pointee.hw_device_ctx = libav.av_buffer_ref(reference)
            return
        }
        context.pointee.pix_fmt = frames.format
        context.pointee.hw_frames_ctx = libav.av_buffer_ref(frames.reference)
    }

    /// Allocates a pool for an encoder's frames; `nil` if the encoder takes frames from main memory.
    package func makeFrames(width: Int, height: Int) throws(LibAVError) -> HardwareFrames? {
        switch kind {
        case .cuda: nil
        case .vaapi:
            try HardwareFrames(
                on: reference, format: AV_PIX_FMT_VAAPI, width: width, height: height, file: file)
        }
    }
}
