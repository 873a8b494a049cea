/// The ports of a server's listeners.
package struct StationPorts: Sendable {
    /// The port of the RTSP listener, shown on the about page and to broadcasters.
    package var rtsp: @Sendable () -> Int
    /// The port of the HTTP listener; `nil` while it does not listen.
    package var http: @Sendable () -> Int?

    package init(rtsp: @escaping @Sendable () -> Int = { 8_554 }, http: @escaping @Sendable () -> Int? = { nil }) {
        (self.rtsp, self.http) = (rtsp, http)
    }
}
