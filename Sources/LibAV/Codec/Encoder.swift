package import CLibAV
import Glibc

/// Encodes one stream. Belongs to one thread; libav's own threads stay inside.
package final class Encoder {
    /// libav's object, which this one owns; it is open.
    package let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String
    private let packet: Packet

    /// Opens an encoder. Throws ``LibAVError`` with code `codecUnsupported` if this libav lacks it or it refuses the
    /// settings.
    ///
    /// - Parameters:
    ///   - name: libav's name of the encoder: `libx264`, `aac`, `mjpeg`.
    ///   - options: The encoder's private options.
    ///   - file: the file to name in errors.
    ///   - configure: Sets the public options before the encoder opens.
    package init(
        name: String,
        options: [(name: String, value: String)] = [],
        file: String,
        configure: (UnsafeMutablePointer<AVCodecContext>) -> Void
    ) throws(LibAVError) {
        self.file = file
        packet = try Packet()
        guard let codec = libav.avcodec_find_encoder_by_name(name) else {
            throw LibAVError(.codecUnsupported, file: file, "needs the encoder \(name), which this libav lacks")
        }
        guard let context = libav.avcodec_alloc_context3(codec) else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for an encoder")
        }
        self.context = context
        configure(context)
        var dictionary: OpaquePointer?
        defer { libav.av_dict_free(&dictionary) }
        for option in options { _ = libav.av_dict_set(&dictionary, option.name, option.value, 0) }
        let result = libav.avcodec_open2(context, codec, &dictionary)
        guard result >= 0 else {
            if result == antena_averror_external() { throw failure(result) }
            throw LibAVError(result: result, doing: "starting the encoder \(name)", file: file, as: .codecUnsupported)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// The unit of the packets' timestamps.
    package var timeBase: AVRational { context.pointee.time_base }

    /// Encodes a frame and passes each packet that becomes ready to `body`, which may take its contents. A `nil` frame
    /// drains the encoder.
    package func encode(_ frame: Frame?, _ body: (Packet) throws(LibAVError) -> Void) throws(LibAVError) {
        let result = libav.avcodec_send_frame(context, frame?.pointer)
        guard result >= 0 || result == antena_averror_eof() else { throw failure(result) }
        while true {
            let result = libav.avcodec_receive_packet(context, packet.pointer)
            if result == antena_averror(EAGAIN) || result == antena_averror_eof() { return }
            guard result >= 0 else { throw failure(result) }
            try body(packet)
            packet.clear()
        }
    }

    private func failure(_ result: Int32) -> LibAVError {
        // libx264 reports a failed allocation with this code and hardly ever uses it for anything else: the settings
        // are ours.
        if result == antena_averror_external() {
            return LibAVError(.outOfMemory, file: file, "ran out of memory while encoding")
        }
        return LibAVError(result: result, doing: "encoding", file: file, as: .damaged)
    }
}

extension Encoder {
    /// An H.264 encoder whose output plays in browsers and on phones of any age and segments well: High profile 4:2:0,
    /// closed GOPs.
    package static func h264(
        width: Int,
        height: Int,
        frameRate: AVRational,
        timeBase: AVRational,
        like source: AVCodecParameters,
        sampleAspectRatio: AVRational,
        file: String,
        threadCount: Int
    ) throws(LibAVError) -> Encoder {
        // The HLS Authoring Specification (1.30) asks for a peak of at most twice the average: the quality setting
        // rules, this bounds the peaks.
        let pixelRate = Double(width * height) * frameRate.value
        let maximumBitRate = Int(min(max(pixelRate * 0.2, 1_000_000), 40_000_000))
        let options = [
            (name: "preset", value: "veryfast"), ("profile", "high"), ("crf", "20"), ("forced-idr", "1"),
            ("x264-params", "open-gop=0"),
        ]
        return try Encoder(name: "libx264", options: options, file: file) { context in
            context.pointee.width = Int32(clamping: width)
            context.pointee.height = Int32(clamping: height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUV420P
            context.pointee.time_base = timeBase
            context.pointee.framerate = frameRate
            context.pointee.sample_aspect_ratio = sampleAspectRatio
            // Key frames are forced every 2 s by time; this is for streams with more frames than their frame rate says.
            context.pointee.gop_size = Int32(clamping: Int((frameRate.value * 4).rounded(.up)))
            context.pointee.rc_max_rate = Int64(maximumBitRate)
            context.pointee.rc_buffer_size = Int32(clamping: maximumBitRate * 2)
            context.pointee.color_range = AVCOL_RANGE_MPEG
            ColorTags(source).scaled.apply(to: context)
            context.pointee.thread_count = Int32(clamping: threadCount)
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    /// An AAC encoder.
    ///
    /// - Parameters:
    ///   - sampleRate: Samples per second.
    ///   - channelCount: Number of channels.
    ///   - bitRate: Bits per second; `nil` chooses a rate that is transparent for most audio.
    ///   - file: The file to name in errors.
    package static func aac(
        sampleRate: Int, channelCount: Int, bitRate: Int? = nil, file: String
    ) throws(LibAVError) -> Encoder {
        try Encoder(name: "aac", file: file) { context in
            context.pointee.sample_rate = Int32(clamping: sampleRate)
            context.pointee.sample_fmt = AV_SAMPLE_FMT_FLTP
            context.pointee.bit_rate = Int64(bitRate ?? (channelCount > 1 ? 160_000 : 96_000))
            context.pointee.time_base = AVRational(num: 1, den: Int32(clamping: sampleRate))
            libav.av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: channelCount))
            context.pointee.flags |= AV_CODEC_FLAG_GLOBAL_HEADER
        }
    }

    /// A JPEG encoder for full-range 4:2:0 frames.
    static func jpeg(width: Int, height: Int, file: String) throws(LibAVError) -> Encoder {
        try Encoder(name: "mjpeg", file: file) { context in
            context.pointee.width = Int32(clamping: width)
            context.pointee.height = Int32(clamping: height)
            context.pointee.pix_fmt = AV_PIX_FMT_YUVJ420P
            context.pointee.color_range = AVCOL_RANGE_JPEG
            context.pointee.time_base = AVRational(num: 1, den: 25)
            context.pointee.thread_count = 1
            context.pointee.flags |= AV_CODEC_FLAG_QSCALE
            context.pointee.global_quality = 4 * FF_QP2LAMBDA
        }
    }
}
