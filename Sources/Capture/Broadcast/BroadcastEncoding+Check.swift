import CLibAV
package import LibAV

extension BroadcastEncoding {
    /// The default encoder.
    package static let usualEncoderName = "libx264"
    /// libx264's presets, fastest first.
    package static let encoderSpeeds = [
        "ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow", "slower", "veryslow", "placebo",
    ]
    /// libav's H.264 encoders that take frames from main memory; which ones exist depends on the build.
    private static let knownEncoderNames = [
        "libx264", "libopenh264", "h264_nvenc", "h264_qsv", "h264_amf", "h264_v4l2m2m",
    ]

    /// Checks that libav has the encoder.
    ///
    /// - Throws: `LibAVError` that lists the available encoders if this libav cannot encode as configured.
    package func check() throws(LibAVError) {
        try LibAVRuntime.load()
        let there = Self.knownEncoderNames.filter { libav.avcodec_find_encoder_by_name($0) != nil }
        let choice =
            there.isEmpty
            ? "this libav has none; Debian's libavcodec59 provides libx264"
            : "there are \(there.joined(separator: ", "))"
        guard let codec = libav.avcodec_find_encoder_by_name(encoderName) else {
            throw LibAVError(
                .codecUnsupported, file: nil, "this libav has no encoder \"\(encoderName)\"; for H.264, \(choice)")
        }
        guard codec.pointee.id == AV_CODEC_ID_H264 else {
            throw LibAVError(.codecUnsupported, file: nil, "\(encoderName) does not encode H.264; \(choice)")
        }
        guard Self.takesMemory(codec) else {
            throw LibAVError(
                .codecUnsupported, file: nil,
                "\(encoderName) only takes frames that are in a graphics card's memory already; \(choice)")
        }
    }

    /// Returns whether the encoder takes frames from main memory. An encoder that lists no formats accepts any.
    private static func takesMemory(_ codec: UnsafePointer<AVCodec>) -> Bool {
        guard var format = codec.pointee.pix_fmts else { return true }
        while format.pointee != AV_PIX_FMT_NONE {
            if format.pointee == AV_PIX_FMT_YUV420P { return true }
            format += 1
        }
        return false
    }
}
