package import CLibAV

/// One stream of an opened file.
package struct StreamInfo: Sendable {
    /// The kinds of stream.
    package enum Kind: String, Sendable { case video, audio, subtitle, other }

    /// The position among the file's streams.
    package var index: Int
    /// The kind of stream.
    package var kind: Kind
    /// libav's name of the codec, such as `h264` or `opus`.
    package var codecName: String
    /// The width of the stored frames in pixels, before rotation; `nil` if unknown or not video.
    package var width: Int?
    /// The height of the stored frames in pixels, before rotation; `nil` if unknown or not video.
    package var height: Int?
    /// The size of the frames as they are displayed: upright, with square pixels, and no side longer than stored. `nil`
    /// if unknown or not video.
    package var shownSize: ShownSize?
    /// The average number of frames per second; `nil` if unknown or not video.
    package var frameRate: Double?
    /// Audio samples per second; `nil` if unknown or not audio.
    package var sampleRate: Int?
    /// The number of audio channels; `nil` if unknown or not audio.
    package var channelCount: Int?
    /// The language code from the file's metadata; `nil` if it is missing or "und".
    package var language: String?
    /// True if the stream is cover art, which libav presents as a video stream of one frame.
    package var isCoverImage: Bool

    /// Reads the properties of a stream, after libav has found them.
    package init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        index = Int(stream.pointee.index)
        codecName = libav.avcodec_get_name(parameters.codec_id).map { String(cString: $0) } ?? "unknown"
        isCoverImage = stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
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
