package import MediaAccess

/// The ports of a server's listeners.
package struct StationPorts: Sendable {
    /// The ports to which publishers push, shown on the about page and to broadcasters.
    package var publishing: PublishingPorts
    /// The port of the HTTP listener; `nil` while it does not listen.
    package var http: @Sendable () -> Int?

    package init(publishing: PublishingPorts = PublishingPorts(), http: @escaping @Sendable () -> Int? = { nil }) {
        (self.publishing, self.http) = (publishing, http)
    }

    /// The port of the RTSP listener.
    package var rtsp: @Sendable () -> Int { publishing.rtsp }
}
