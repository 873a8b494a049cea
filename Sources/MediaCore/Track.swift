/// What a track's samples are for.
package enum MediaType: String, Sendable, Hashable, CaseIterable, Codable {
    case video
    case audio
}

/// One elementary stream of a file or of a publisher. Its codec's parameters live in `Codecs`.
package struct Track: Sendable, Hashable {
    /// Unique within its file or session; an ISO BMFF `track_ID` or the position in an SDP.
    package var id: UInt32
    package var mediaType: MediaType
    package var timescale: Timescale
    /// RFC 5646; `nil` where the source does not say.
    package var language: String?

    package init(id: UInt32, mediaType: MediaType, timescale: Timescale, language: String? = nil) {
        self.id = id
        self.mediaType = mediaType
        self.timescale = timescale
        self.language = language
    }
}
