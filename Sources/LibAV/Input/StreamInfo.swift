import CLibAV

/// One stream of an opened file.
package struct StreamInfo: Sendable {
    package enum Kind: String, Sendable { case video, audio, subtitle, other }

    package var index: Int
    package var kind: Kind
    /// libav's name: `h264`, `opus`.
    package var codecName: String
    /// Of the stored picture, before rotation.
    package var width: Int?
    package var height: Int?
    /// Of the picture as it is shown: upright, with square pixels, and no side longer than it is stored.
    package var shownSize: ShownSize?
    /// Pictures a second, on average.
    package var frameRate: Double?
    package var sampleRate: Int?
    package var channelCount: Int?
    package var language: String?
    /// Cover art, which libav shows as a video stream of one picture.
    package var isAttachedPicture: Bool

    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        index = Int(stream.pointee.index)
        codecName = libav.avcodec_get_name(parameters.codec_id).map { String(cString: $0) } ?? "unknown"
        isAttachedPicture = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
        language = InputFile.value(of: "language", in: stream.pointee.metadata).flatMap { $0 == "und" ? nil : $0 }
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            kind = .video
            if parameters.width > 0, parameters.height > 0 {
                width = Int(parameters.width)
                height = Int(parameters.height)
            }
            shownSize = ShownSize(stream, of: context)
            frameRate = libav.av_guess_frame_rate(context, stream, nil).positive?.value
        case AVMEDIA_TYPE_AUDIO:
            kind = .audio
            if parameters.sample_rate > 0 { sampleRate = Int(parameters.sample_rate) }
            if parameters.ch_layout.nb_channels > 0 { channelCount = Int(parameters.ch_layout.nb_channels) }
        case AVMEDIA_TYPE_SUBTITLE: kind = .subtitle
        default: kind = .other
        }
    }
}

/// A picture's size on a screen.
package struct ShownSize: Codable, Sendable, Hashable {
    package var width: Int
    package var height: Int

    package init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        guard parameters.width > 0, parameters.height > 0 else { return nil }
        // Wild ratios are a damaged file's.
        let told = libav.av_guess_sample_aspect_ratio(context, stream, nil).positive?.value ?? 1
        let ratio = (0.1...10).contains(told) ? told : 1
        let width = (Double(parameters.width) * min(1, ratio)).rounded()
        let height = (Double(parameters.height) / max(1, ratio)).rounded()
        let swapsSides = PictureRotation(of: stream).swapsSides
        self.init(width: Int(swapsSides ? height : width), height: Int(swapsSides ? width : height))
    }
}
