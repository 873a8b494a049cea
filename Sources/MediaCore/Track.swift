/// One elementary stream of a file or of a publisher. The parameters of its codec are in `Codecs`.
package struct Track: Sendable, Hashable {
    /// Identifier that is unique within the file or session: an ISO BMFF `track_ID`, or the position in an SDP.
    package var id: UInt32
    package var mediaType: MediaType
    package var timescale: Timescale
    /// RFC 5646 tag; `nil` if the source does not name a language.
    package var language: String?

    package init(id: UInt32, mediaType: MediaType, timescale: Timescale, language: String? = nil) {
        self.id = id
        self.mediaType = mediaType
        self.timescale = timescale
        self.language = language
    }
}
