/// EXT-X-I-FRAME-STREAM-INF (rfc8216bis §4.4.6.3): an I-frame playlist for trick play.
package struct IFrameVariantStream: Sendable, Hashable {
    /// BANDWIDTH in bits per second: the highest rate of any I-frame, its size spread over the time until the next.
    package var bandwidth: Int
    /// AVERAGE-BANDWIDTH in bits per second; `nil` omits the attribute.
    package var averageBandwidth: Int?
    /// Codec of the video track (RFC 6381); audio is not included.
    package var codecs: [String]
    package var resolution: VariantStream.Resolution?
    /// VIDEO-RANGE; see ``VariantStream/videoRange``.
    package var videoRange: String?
    package var uri: String

    package init(
        bandwidth: Int, averageBandwidth: Int?, codecs: [String], resolution: VariantStream.Resolution? = nil,
        videoRange: String? = nil, uri: String
    ) {
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.videoRange = videoRange
        self.uri = uri
    }
}
