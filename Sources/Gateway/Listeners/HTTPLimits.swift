import NIOCore
import NIOHTTP2

/// Limits of the work that an HTTP/2 client may cause with frames, which HTTP/1.1 does not have. What both have is
/// in `HTTPRequestLimits` and `RequestBudget`.
enum HTTPLimits {
    /// Open streams per connection: the minimum that RFC 9113 §6.5.2 recommends, and more than players use.
    static let concurrentStreams = 100
    /// Streams that a client may cancel, or open incorrectly, within `floodWindow` before the connection is closed with
    /// ENHANCE_YOUR_CALM ("rapid reset", CVE-2023-44487). A viewer who seeks cancels a few.
    static let resetStreams = 200
    /// Control frames within `floodWindow`: PING (CVE-2019-9512), SETTINGS (CVE-2019-9515), PRIORITY.
    static let controlFrames = 200
    static let floodWindow = Duration.seconds(30)
    /// Replies to such frames that wait for a client that does not read: one for each stream, and some more.
    static let bufferedControlFrames = 250
    /// CONTINUATION frames of one header block (CVE-2024-27316); the limit of all fields would fit into two.
    static let continuationFrames = 5
    /// Consecutive empty DATA frames (CVE-2019-9518).
    static let emptyDataFrames = 1
    /// Minor protocol violations that are tolerated per connection.
    static let breaches = 200

    static func http2(_ limits: HTTPRequestLimits) -> NIOHTTP2Handler.Configuration {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .maxConcurrentStreams, value: concurrentStreams),
            HTTP2Setting(parameter: .maxHeaderListSize, value: limits.headerListByteCount),
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
    }
}
