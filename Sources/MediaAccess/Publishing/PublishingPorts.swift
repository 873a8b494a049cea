/// The ports to which publishers push.
package struct PublishingPorts: Sendable {
    package var rtsp: @Sendable () -> Int
    /// `nil` while nothing listens there.
    package var rtmp: @Sendable () -> Int?
    /// `nil` while nothing listens there.
    package var srt: @Sendable () -> Int?

    package init(
        rtsp: @escaping @Sendable () -> Int = { 8_554 }, rtmp: @escaping @Sendable () -> Int? = { nil },
        srt: @escaping @Sendable () -> Int? = { nil }
    ) { (self.rtsp, self.rtmp, self.srt) = (rtsp, rtmp, srt) }
}
