/// The contents of a file, as libav reports them.
package struct MediaDescription: Codable, Sendable, Equatable {
    /// The demuxer's short name, for example `matroska,webm`.
    package var container: String
    /// Duration in seconds; `nil` if the file does not contain it.
    package var duration: Double?
    package var streams: [StreamDescription]
    /// The file's tags with lower-case keys, such as `title`, `artist`, `album`, `date`, `track` and `genre`, within
    /// `InputFile.maximumTagCount`.
    package var tags: [String: String]
    package var hasCoverImage: Bool

    package init(
        container: String,
        duration: Double?,
        streams: [StreamDescription],
        tags: [String: String],
        hasCoverImage: Bool
    ) {
        self.container = container
        self.duration = duration
        self.streams = streams
        self.tags = tags
        self.hasCoverImage = hasCoverImage
    }
}
