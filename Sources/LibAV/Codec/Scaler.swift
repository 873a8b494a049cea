package import CLibAV

/// Changes the size and pixel format of frames, and makes SDR of HDR: its formats have eight bits. Follows a source
/// whose size changes midway. Belongs to one thread.
package final class Scaler {
    /// The largest width and height; larger frames are refused before anything is allocated for them.
    package static let maximumDimension = 16384

    private var context: OpaquePointer?
    private let file: String
    private let streamTags: ColorTags?
    /// Converts to another format after the tone mapping.
    private var finisher: Scaler?

    /// Creates a scaler.
    ///
    /// - Parameters:
    ///   - file: The file to name in errors.
    ///   - streamTags: The colour of the stream, for frames that do not specify theirs.
    package init(file: String, streamTags: ColorTags? = nil) {
        self.file = file
        self.streamTags = streamTags
    }

    deinit { libav.sws_freeContext(context) }

    /// Returns a new frame, or a second reference to `source` if nothing is to change.
    package func scale(_ source: Frame, width: Int, height: Int, format: AVPixelFormat) throws(LibAVError) -> Frame {
        let tags = ColorTags(source, of: streamTags)
        guard tags.isHighDynamicRange else {
            return try convert(source, width: width, height: height, format: format)
        }
        let deep = try convert(source, width: width, height: height, format: AV_PIX_FMT_YUV420P10LE)
        let isFullRange = source.pointer.pointee.color_range == AVCOL_RANGE_JPEG
        let mapped = try ToneMapping.shared(for: .init(tags: tags, isFullRange: isFullRange)).apply(to: deep)
        guard format != AV_PIX_FMT_YUV420P else { return mapped }
        let finisher = finisher ?? Scaler(file: file)
        self.finisher = finisher
        return try finisher.convert(mapped, width: width, height: height, format: format)
    }

    private func convert(
        _ source: Frame, width: Int, height: Int, format: AVPixelFormat
    ) throws(LibAVError) -> Frame {
        let sourceFormat = Self.formatWithRange(source)
        if source.width == width, source.height == height, sourceFormat == format { return try source.reference() }
        guard (1...Self.maximumDimension).contains(source.width), (1...Self.maximumDimension).contains(source.height)
        else { throw LibAVError(.damaged, file: file, "has a frame of \(source.width)x\(source.height) pixels") }
        context = libav.sws_getCachedContext(
            context, Int32(source.width), Int32(source.height), sourceFormat, Int32(clamping: width),
            Int32(clamping: height), format, Int32(SWS_BICUBIC), nil, nil, nil)
        guard let context else {
            let name = libav.av_get_pix_fmt_name(sourceFormat).map { String(cString: $0) } ?? "unknown"
            throw LibAVError(.codecUnsupported, file: file, "cannot be scaled from the pixel format '\(name)'")
        }
        let scaled = try Frame.video(width: width, height: height, format: format)
        guard libav.av_frame_copy_props(scaled.pointer, source.pointer) >= 0 else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory while scaling")
        }
        if format != AV_PIX_FMT_YUV420P10LE {
            scaled.pointer.pointee.color_range = format == AV_PIX_FMT_YUV420P ? AVCOL_RANGE_MPEG : AVCOL_RANGE_JPEG
        }
        let result = libav.sws_scale_frame(context, scaled.pointer, source.pointer)
        guard result >= 0 else { throw LibAVError(result: result, doing: "scaling", file: file, as: .damaged) }
        return scaled
    }

    /// Returns the pixel format with the frame's range in it: libswscale recognises full range only by the old formats'
    /// names.
    private static func formatWithRange(_ frame: Frame) -> AVPixelFormat {
        guard frame.pointer.pointee.color_range == AVCOL_RANGE_JPEG else { return frame.pixelFormat }
        return switch frame.pixelFormat {
        case AV_PIX_FMT_YUV420P: AV_PIX_FMT_YUVJ420P
        case AV_PIX_FMT_YUV422P: AV_PIX_FMT_YUVJ422P
        case AV_PIX_FMT_YUV444P: AV_PIX_FMT_YUVJ444P
        default: frame.pixelFormat
        }
    }
}
