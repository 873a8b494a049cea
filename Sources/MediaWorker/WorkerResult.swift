/// A worker's report on what it made. It names no file, because the server knows the paths that it requested.
package struct WorkerResult: Codable, Sendable, Equatable {
    /// Type of the cover art that was found; `nil` for a file without one, and for every other task.
    package var cover: CoverType?
    /// The number of streams that were copied.
    package var copiedStreams: Int
    /// The number of streams that were transcoded.
    package var transcodedStreams: Int
    /// The contents of the input, for every task.
    package var description: MediaDescription?
    /// Streams of the input that are in no output, with human-readable reasons.
    package var leftOut: [String]?
    /// A human-readable reason why more was converted than the codecs required.
    package var note: String?
    /// Presentation time of the first frame of a ladder's movie, in ticks of the source's timescale.
    package var firstTime: Int64?

    package init(
        cover: CoverType? = nil,
        copiedStreams: Int = 0,
        transcodedStreams: Int = 0,
        description: MediaDescription? = nil
    ) {
        self.cover = cover
        self.copiedStreams = copiedStreams
        self.transcodedStreams = transcodedStreams
        self.description = description
    }
}
