import CLibAV
import LibAV
import NIOCore

/// Decodes key frames one by one and makes small pictures of them. Belongs to one thread.
enum KeyFramePicture {
    /// The longer side of a picture in pixels: twice a card on a phone, a card on a desktop.
    private static let longerSide = 480
    /// The largest frame that is decoded, 8K; a decoder of those holds 50 MB.
    private static let maximumPixelCount = 7_680 * 4_320
    private static let pixelRatios = 0.1...10.0

    /// - Returns: the bytes of a JPEG file.
    /// - Throws: ``LibAVError`` if the frame cannot be decoded.
    static func jpeg(of keyFrame: KeyFrame) throws(LibAVError) -> [UInt8] {
        let name = "\(keyFrame.codec)"
        guard
            let decoder = keyFrame.codec.decoderNames.lazy.compactMap({ libav.avcodec_find_decoder_by_name($0) }).first,
            let context = libav.avcodec_alloc_context3(decoder)
        else {
            throw LibAVError(.codecUnsupported, file: name, "is not supported: this libav has no decoder for it")
        }
        defer {
            var context: UnsafeMutablePointer<AVCodecContext>? = context
            libav.avcodec_free_context(&context)
        }
        context.pointee.thread_count = 1
        context.pointee.max_pixels = Int64(maximumPixelCount)
        let frame = try Frame()
        let packet = try packet(of: keyFrame.bytes, name)
        var result = libav.avcodec_open2(context, decoder, nil)
        if result >= 0 { result = libav.avcodec_send_packet(context, packet.pointer) }
        // Nothing follows: decoders that reorder frames would hold this one back.
        if result >= 0 { result = libav.avcodec_send_packet(context, nil) }
        if result >= 0 { result = libav.avcodec_receive_frame(context, frame.pointer) }
        guard result >= 0, frame.width > 0, frame.height > 0 else {
            throw LibAVError(result: min(result, -1), doing: "decoding", file: name, as: .damaged)
        }
        let size = shownSize(of: frame)
        let scaled = try Scaler(file: name).scale(
            frame, width: size.width, height: size.height, format: AV_PIX_FMT_YUVJ420P)
        return try scaled.jpeg(file: name)
    }

    private static func packet(of bytes: ByteBuffer, _ name: String) throws(LibAVError) -> Packet {
        let packet = try Packet()
        guard libav.av_new_packet(packet.pointer, Int32(clamping: bytes.readableBytes)) >= 0,
            let data = packet.pointer.pointee.data
        else { throw LibAVError(.outOfMemory, file: name, "ran out of memory for a packet") }
        bytes.withUnsafeReadableBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            UnsafeMutableRawPointer(data).copyMemory(from: start, byteCount: bytes.count)
        }
        packet.pointer.pointee.flags |= AV_PKT_FLAG_KEY
        return packet
    }

    /// The size with square pixels, with even sides; never larger than the frame.
    private static func shownSize(of frame: Frame) -> (width: Int, height: Int) {
        let told = frame.pointer.pointee.sample_aspect_ratio.positive?.value ?? 1
        let width = Double(frame.width) * min(max(told, pixelRatios.lowerBound), pixelRatios.upperBound)
        let height = Double(frame.height)
        let scale = min(1, Double(longerSide) / max(width, height))
        func even(_ length: Double) -> Int { max(2, Int((length * scale / 2).rounded()) * 2) }
        return (even(width), even(height))
    }
}
