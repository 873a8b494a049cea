package import LibAV

/// One stream of a file; cover art is not included.
package struct StreamDescription: Codable, Sendable, Equatable {
    /// The position of the stream in the file.
    package var index: Int
    /// `video`, `audio`, `subtitle` or `other`.
    package var type: String
    /// libav's name: `h264`, `hevc`, `aac`, `vp8`, `opus`.
    package var codec: String
    package var width: Int?
    package var height: Int?
    /// Size of the displayed video: upright, with square pixels.
    package var shownSize: ShownSize?
    /// Average frames per second.
    package var frameRate: Double?
    package var sampleRate: Int?
    package var channels: Int?
    /// Language as in the file, in ISO 639-2.
    package var language: String?

    package init(
        index: Int,
        type: String,
        codec: String,
        width: Int? = nil,
        height: Int? = nil,
        frameRate: Double? = nil,
        sampleRate: Int? = nil,
        channels: Int? = nil
    ) {
        self.index = index
        self.type = type
        self.codec = codec
        self.width = width
        self.height = height
        self.frameRate = frameRate
        self.sampleRate = sampleRate
        self.channels = channels
    }
}
