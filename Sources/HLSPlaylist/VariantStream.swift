/// A variant: an EXT-X-STREAM-INF tag and its URI (rfc8216bis §4.4.6.2).
package struct VariantStream: Sendable, Hashable {
    /// BANDWIDTH in bits per second: the largest sum of peak segment bit rates of any playable combination.
    package var bandwidth: Int
    /// AVERAGE-BANDWIDTH in bits per second; `nil` omits the attribute.
    package var averageBandwidth: Int?
    /// Codecs of the renditions (RFC 6381), one entry per sample type.
    package var codecs: [String]
    package var resolution: Resolution?
    /// FRAME-RATE in frames per second; `nil` for audio.
    package var frameRate: Double?
    /// VIDEO-RANGE, such as `PQ`; `nil` for SDR, which is the default.
    package var videoRange: String?
    /// GROUP-ID of the audio renditions; `nil` if there are none.
    package var audioGroupID: String?
    /// GROUP-ID of the subtitles renditions; `nil` if there are none.
    package var subtitlesGroupID: String?
    /// GROUP-ID of the closed captions; `nil` if there are none.
    package var closedCaptionsGroupID: String?
    package var uri: String

    /// Size of the video in pixels.
    package struct Resolution: Sendable, Hashable {
        /// Pixels.
        package var width: Int
        /// Pixels.
        package var height: Int

        package init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }
    }

    package init(
        bandwidth: Int, averageBandwidth: Int?, codecs: [String], resolution: Resolution? = nil,
        frameRate: Double? = nil, videoRange: String? = nil, audioGroupID: String? = nil,
        uri: String
    ) {
        self.bandwidth = bandwidth
        self.averageBandwidth = averageBandwidth
        self.codecs = codecs
        self.resolution = resolution
        self.frameRate = frameRate
        self.videoRange = videoRange
        self.audioGroupID = audioGroupID
        self.uri = uri
    }
}
