/// The server's decision on a PLAY request.
package struct RTSPPlayback: Hashable, Sendable {
    /// The range that will be played, which RFC 2326 §12.29 requires in the response.
    package var range: RTSPRange
    /// Start positions of the tracks. Tracks that are not set up are omitted from the response.
    package var streams: [RTPStreamInfo]

    package init(range: RTSPRange, streams: [RTPStreamInfo]) {
        self.range = range
        self.streams = streams
    }
}
