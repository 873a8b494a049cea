import CLibAV
import Codecs
import LibAV

/// Reads a frame's picture order count from its slice header, with libavcodec's parser. Belongs to one thread.
final class PictureOrderParser {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var lastField: Int32?

    /// Returns whether the codec of a stream has picture order counts.
    static func knows(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(stream.pointee.codecpar.pointee.codec_id)
    }

    init(_ stream: UnsafeMutablePointer<AVStream>, file: String) throws(LibAVError) {
        let failure = LibAVError(.outOfMemory, file: file, "ran out of memory for a video parser")
        guard let made = libav.avcodec_alloc_context3(nil) else { throw failure }
        let codec = Int32(bitPattern: stream.pointee.codecpar.pointee.codec_id.rawValue)
        guard libav.avcodec_parameters_to_context(made, stream.pointee.codecpar) >= 0,
            let parser = libav.av_parser_init(codec)
        else {
            var context: UnsafeMutablePointer<AVCodecContext>? = made
            libav.avcodec_free_context(&context)
            throw failure
        }
        context = made
        self.parser = parser
        // A container's packet is a complete frame, whatever its bytes look like.
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    }

    deinit {
        libav.av_parser_close(parser)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// Reads the position of a frame.
    ///
    /// - Parameter packet: The next packet in decoding order.
    /// - Returns: `nil` if the packet holds no readable slice, or the second field of a frame.
    func place(of packet: Packet) -> PictureOrder.Place? {
        parser.pointee.output_picture_number = Self.unknown
        parser.pointee.key_frame = -1
        parser.pointee.picture_structure = AV_PICTURE_STRUCTURE_UNKNOWN
        var bytes: UnsafeMutablePointer<UInt8>?
        var byteCount: Int32 = 0
        _ = libav.av_parser_parse2(
            parser, context, &bytes, &byteCount, packet.pointer.pointee.data, packet.pointer.pointee.size,
            antena_av_nopts(), antena_av_nopts(), -1)
        let count = parser.pointee.output_picture_number
        guard count != Self.unknown else { return nil }
        let structure = parser.pointee.picture_structure
        let isField =
            structure == AV_PICTURE_STRUCTURE_TOP_FIELD || structure == AV_PICTURE_STRUCTURE_BOTTOM_FIELD
        // Two fields in one packet are a frame; in a packet each, their counts differ by at most one.
        if isField, let lastField, abs(Int64(count) - Int64(lastField)) <= 1 { return nil }
        lastField = isField ? count : nil
        return PictureOrder.Place(count: count, isKeyFrame: parser.pointee.key_frame == 1)
    }

    /// A marker that no frame has: counts are signed 32-bit numbers, and valid streams do not come near the end of the
    /// range.
    private static let unknown = Int32.min
}
