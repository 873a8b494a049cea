import HummingbirdCore
import NIOCore
import NIOHTTP2

/// Limits of what a client may make the HTTP server hold or do.
enum HTTPLimits {
    /// Limit of all header fields. Browsers stay below 8 KB; the rest is for cookies of other programs on the same
    /// host.
    static let headerListByteCount = 32 * 1024
    /// Limit of one header field, and of the URL.
    static let headerFieldByteCount = 16 * 1024
    static let headerFieldCount = 100

    static let decoder = HTTP1Channel.Configuration.DecoderConfiguration(
        maxHeaderFieldSize: headerFieldByteCount, maxHeaderListSize: headerListByteCount,
        maxHeaderFieldCount: headerFieldCount)

    // MARK: HTTP/2

    /// Open streams per connection: the minimum that RFC 9113 §6.5.2 recommends, and more than players use.
    static let concurrentStreams = 100
    /// Streams that a client may cancel, or open incorrectly, within `floodWindow` before the connection is closed with
    /// ENHANCE_YOUR_CALM ("rapid reset", CVE-2023-44487). A viewer who seeks cancels a few.
    static let resetStreams = 200
    /// Control frames within `floodWindow`: PING (CVE-2019-9512), SETTINGS (CVE-2019-9515), PRIORITY.
    static let controlFrames = 200
    static let floodWindow = Duration.seconds(30)
    /// Replies to such frames that wait for a client that does not read.
    static let bufferedControlFrames = 1_000
    /// CONTINUATION frames of one header block (CVE-2024-27316); `headerListByteCount` would fit into two.
    static let continuationFrames = 5
    /// Consecutive empty DATA frames (CVE-2019-9518).
    static let emptyDataFrames = 1
    /// Minor protocol violations that are tolerated per connection.
    static let breaches = 200

    static let http2: NIOHTTP2Handler.Configuration = {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: headerListByteCount),
        ]
        connection.controlFrameRateLimit.maximumCount = controlFrames
        connection.controlFrameRateLimit.windowLength = TimeAmount(floodWindow)
        connection.maximumBufferedControlFrames = bufferedControlFrames
        connection.maximumSequentialContinuationFrames = continuationFrames
        connection.maximumSequentialEmptyDataFrames = emptyDataFrames
        connection.maximumConnectionGlitches = breaches
        var stream = NIOHTTP2Handler.StreamConfiguration()
        stream.streamResetFrameRateLimit.maximumCount = resetStreams
        stream.streamResetFrameRateLimit.windowLength = TimeAmount(floodWindow)
        stream.streamErrorRateLimit.maximumCount = resetStreams
        stream.streamErrorRateLimit.windowLength = TimeAmount(floodWindow)
        return NIOHTTP2Handler.Configuration(connection: connection, stream: stream)
    }()
}
