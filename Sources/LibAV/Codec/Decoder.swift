package import CLibAV
import Glibc

/// Decodes one stream. Belongs to one thread; libav's own threads stay inside.
package final class Decoder {
    /// The limit on frame threads: each holds frames in memory, and more threads gain little.
    package static let maximumThreadCount = 4

    /// The number of packets that libav could not decode; they were skipped.
    package private(set) var damagedPacketCount = 0
    /// The number of frames decoded so far.
    package private(set) var frameCount = 0
    private let context: UnsafeMutablePointer<AVCodecContext>
    private let file: String
    private let frame: Frame

    /// Opens a decoder with a stream's parameters.
    ///
    /// - Parameters:
    ///   - stream: The stream of an open input.
    ///   - codecName: The codec's name, for messages.
    ///   - file: The file to name in errors.
    ///   - threadCount: The number of frame threads; at least 1 and at most ``maximumThreadCount`` are used.
    ///   - maximumPixelCount: The largest frame to decode; `nil` for libav's own limit.
    /// - Throws: ``LibAVError`` with code `codecUnsupported` if libav has no decoder, `damaged` if it refuses the
    ///   parameters.
    package init(
        _ stream: UnsafeMutablePointer<AVStream>, codecName: String, file: String, threadCount: Int,
        maximumPixelCount: Int? = nil
    ) throws(LibAVError) {
        self.file = file
        frame = try Frame()
        guard let codec = libav.avcodec_find_decoder(stream.pointee.codecpar.pointee.codec_id) else {
            let name = CodecName(stream.pointee.codecpar.pointee, libavName: codecName).text
            throw LibAVError(
                .codecUnsupported, file: file, "\(name) is not supported: this libav has no decoder for it")
        }
        guard let context = libav.avcodec_alloc_context3(codec) else {
            throw LibAVError(.outOfMemory, file: file, "ran out of memory for a decoder")
        }
        self.context = context
        var result = libav.avcodec_parameters_to_context(context, stream.pointee.codecpar)
        context.pointee.pkt_timebase = stream.pointee.time_base
        context.pointee.thread_count = Int32(clamping: min(max(1, threadCount), Self.maximumThreadCount))
        if let maximumPixelCount { context.pointee.max_pixels = Int64(maximumPixelCount) }
        if result >= 0 { result = libav.avcodec_open2(context, codec, nil) }
        guard result >= 0 else {
            throw LibAVError(result: result, doing: "starting the \(codecName) decoder", file: file, as: .damaged)
        }
    }

    deinit {
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// Decodes a packet and passes each frame that becomes ready to `body`, which must not keep it. A `nil` packet
    /// drains the decoder.
    package func decode(
        _ packet: Packet?, _ body: (Frame) throws(LibAVError) -> Void
    ) throws(LibAVError) {
        let result = libav.avcodec_send_packet(context, packet?.pointer)
        if result == antena_averror(ENOMEM) { throw failure(result) }
        // A damaged packet costs its frame, not the file; the caller decides whether enough is left.
        if result < 0, result != antena_averror_eof() { damagedPacketCount += 1 }
        while true {
            let result = libav.avcodec_receive_frame(context, frame.pointer)
            if result == antena_averror(EAGAIN) || result == antena_averror_eof() { return }
            if result == antena_averror(ENOMEM) { throw failure(result) }
            guard result >= 0 else {
                damagedPacketCount += 1
                // Frame threads report one error per frame; continuing drains the next one.
                if packet == nil, damagedPacketCount > Self.maximumDamageWhileDraining { return }
                if packet == nil { continue }
                return
            }
            frameCount += 1
            try body(frame)
            frame.clear()
        }
    }

    private static let maximumDamageWhileDraining = 1000

    /// Discards buffered frames, after a seek.
    package func flush() { libav.avcodec_flush_buffers(context) }

    private func failure(_ result: Int32) -> LibAVError {
        LibAVError(result: result, doing: "decoding", file: file, as: .damaged)
    }
}
