import CLibAV
import Codecs
import Glibc
import LibAV
import MediaCore
import NIOCore

/// Decodes units of a live track one by one. Belongs to one thread.
final class LiveDecoder {
    /// The smallest width and height in pixels: H.264 has macroblocks of 16 pixels.
    private static let minimumFrameSide = 16

    /// The codec, and the decoder for it.
    struct Format {
        /// The codec's name, for messages.
        var name: String
        /// libav's names of the decoders that can be used, the best first.
        var decoderNames: [String]
        /// The sample rate and channel count, which the decoder must be told; `nil` for video.
        var audioShape: (sampleRate: Int, channelCount: Int)?
        /// Whether silence may be sent as frames without data, which only AMR has.
        var hasComfortNoise = false

        var isVideo: Bool { audioShape == nil }
    }

    private let format: Format
    private let limits: LiveTranscodingLimits
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let packet: Packet
    private let frame: Frame

    /// - Parameters:
    ///   - format: what is decoded.
    ///   - timescale: the unit of the units' times.
    ///   - limits: limits of the work.
    ///   - hasLowDelay: whether frames are decoded in the order in which they are shown, so that none has to wait.
    init(
        _ format: Format, timescale: Timescale, limits: LiveTranscodingLimits, hasLowDelay: Bool = true
    ) throws(LibAVError) {
        self.format = format
        self.limits = limits
        packet = try Packet()
        frame = try Frame()
        let decoder = format.decoderNames.lazy.compactMap { libav.avcodec_find_decoder_by_name($0) }.first
        guard let decoder else {
            throw LibAVError(
                .codecUnsupported, file: format.name,
                "transcoding needs the decoder \(format.decoderNames.first ?? ""), which this libav lacks")
        }
        guard let context = libav.avcodec_alloc_context3(decoder) else {
            throw LibAVError(.outOfMemory, file: format.name, "ran out of memory for a decoder")
        }
        self.context = context
        context.pointee.thread_count = 1
        if hasLowDelay { context.pointee.flags |= AV_CODEC_FLAG_LOW_DELAY }
        context.pointee.pkt_timebase = AVRational(num: 1, den: Int32(clamping: timescale.ticksPerSecond))
        context.pointee.max_pixels = Int64(limits.maximumFrameArea)
        if let shape = format.audioShape {
            context.pointee.sample_rate = Int32(clamping: shape.sampleRate)
            libav.av_channel_layout_default(&context.pointee.ch_layout, Int32(clamping: shape.channelCount))
        }
        let result = libav.avcodec_open2(context, decoder, nil)
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "starting its decoder", file: format.name, as: .codecUnsupported)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// Decodes a unit and passes each frame to `body`, which must not keep it.
    ///
    /// - Parameters:
    ///   - payload: The unit's bytes; not empty.
    ///   - time: The unit's presentation time, which its first frame gets.
    ///   - decodeTime: The unit's decode time, if that is another.
    /// - Returns: What is wrong with the unit; `nil` if it is intact.
    func decode(
        _ payload: ByteBuffer, at time: Int64, decodeTime: Int64? = nil, _ body: (Frame) throws(LibAVError) -> Void
    ) throws(LibAVError) -> String? {
        if let silence = try silentFrame(insteadOf: payload) {
            silence.presentationTime = time
            try body(silence)
            return nil
        }
        try fillPacket(payload)
        packet.presentationTime = time
        packet.decodeTime = decodeTime ?? time
        defer { packet.clear() }
        var damage = try check(libav.avcodec_send_packet(context, packet.pointer))
        while true {
            let result = libav.avcodec_receive_frame(context, frame.pointer)
            if result == antena_averror(EAGAIN) || result == antena_averror_eof() { return damage }
            if let failure = try check(result) { return failure }
            defer { frame.clear() }
            if let failure = damageOfFrame() { damage = failure } else { try body(frame) }
        }
    }

    /// Copies the unit into the packet, which adds the zero bytes that libav's bit readers run into.
    private func fillPacket(_ payload: ByteBuffer) throws(LibAVError) {
        let byteCount = payload.readableBytes
        guard libav.av_new_packet(packet.pointer, Int32(clamping: byteCount)) >= 0,
            let data = packet.pointer.pointee.data
        else { throw LibAVError(.outOfMemory, file: format.name, "ran out of memory for a packet") }
        payload.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: bytes.count)
        }
    }

    /// Returns a description of the unit's damage, `nil` if there is none; throws if memory has run out, which ends the
    /// transcoder.
    private func check(_ result: Int32) throws(LibAVError) -> String? {
        guard result < 0 else { return nil }
        guard result != antena_averror(ENOMEM) else {
            throw LibAVError(.outOfMemory, file: format.name, "ran out of memory while decoding")
        }
        // libav reports frames above max_pixels with this code.
        if format.isVideo, result == antena_averror(EINVAL) {
            return "is damaged, or has a frame of more than \(limits.maximumFrameArea) pixels"
        }
        return LibAVError(result: result, doing: "decoding", file: nil, as: .damaged).reason
    }

    /// Returns a description of the frame's damage, `nil` if there is none: the decoder conceals some damage in a frame
    /// that only looks intact.
    private func damageOfFrame() -> String? {
        let decoded = frame.pointer.pointee
        if decoded.decode_error_flags != 0 || decoded.flags & AV_FRAME_FLAG_CORRUPT != 0 { return "is incomplete" }
        if format.isVideo {
            let isUsable = min(frame.width, frame.height) >= Self.minimumFrameSide
            return isUsable ? nil : "has a frame of \(frame.width)x\(frame.height) pixels"
        }
        let isUsable =
            decoded.nb_samples > 0 && ForeignCodec.sampleRates.contains(Int(decoded.sample_rate))
            && ForeignCodec.channelCounts.contains(Int(decoded.ch_layout.nb_channels))
        return isUsable ? nil : "contains no usable audio"
    }

    /// Returns silence for AMR's comfort noise (frame types 8 to 11) and frames without data (15), which telephones
    /// send in pauses and libav's decoder does not support (3GPP TS 26.101 table 1a).
    private func silentFrame(insteadOf payload: ByteBuffer) throws(LibAVError) -> Frame? {
        guard format.hasComfortNoise, let header: UInt8 = payload.getInteger(at: payload.readerIndex),
            (8...11).contains(header >> 3 & 15) || header >> 3 & 15 == 15
        else { return nil }
        return try .silence(
            sampleCount: 160, format: context.pointee.sample_fmt, sampleRate: context.pointee.sample_rate,
            layout: &context.pointee.ch_layout)
    }
}

extension LiveDecoder.Format {
    init(_ codec: ForeignCodec) {
        self.init(
            name: codec.name, decoderNames: [codec.decoderName], audioShape: codec.audioShape,
            hasComfortNoise: codec == .adaptiveMultiRate)
    }

    /// Video of a publisher, each unit in the form in which a decoder takes it; see ``KeyFrame``.
    init(video codec: KeyFrame.Codec) { self.init(name: "\(codec)", decoderNames: codec.decoderNames) }
}
