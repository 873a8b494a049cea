import CLibAV

/// Reads a picture's place in the order of presentation from its slice header, with libavcodec's parser. Belongs to one
/// thread.
final class PictureOrderParser {
    private let parser: UnsafeMutablePointer<AVCodecParserContext>
    private let context: UnsafeMutablePointer<AVCodecContext>
    private var lastField: Int32?

    /// Whether pictures of this codec tell.
    static func knows(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
        [AV_CODEC_ID_H264, AV_CODEC_ID_HEVC].contains(stream.pointee.codecpar.pointee.codec_id)
    }

    init(_ stream: UnsafeMutablePointer<AVStream>, file: String) throws(LibAVError) {
        let failure = LibAVError(.outOfMemory, file: file, "ran out of memory for a parser of pictures")
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
        // A packet of a container is a picture, whatever its bytes look like.
        parser.pointee.flags |= PARSER_FLAG_COMPLETE_FRAMES
    }

    deinit {
        libav.av_parser_close(parser)
        var context: UnsafeMutablePointer<AVCodecContext>? = context
        libav.avcodec_free_context(&context)
    }

    /// - Parameter packet: In order of decoding.
    /// - Returns: `nil` where it holds no slice that can be read, or the second field of a picture.
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
        // Two fields in one packet are a picture; in a packet each, they count on by one.
        if isField, let lastField, abs(Int64(count) - Int64(lastField)) <= 1 { return nil }
        lastField = isField ? count : nil
        return PictureOrder.Place(count: count, isKeyFrame: parser.pointee.key_frame == 1)
    }

    /// No picture's: counts are 32 bits signed, and streams that come near the end of them are none.
    private static let unknown = Int32.min
}
