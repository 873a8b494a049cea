/// The reason why a connection or its session ended. The raw value appears in statistics and logs.
package enum RTSPCloseReason: String, Hashable, Sendable, CaseIterable {
    case teardown = "teardown"
    case peerClosed = "peer-closed"
    case protocolError = "protocol-error"
    case firstRequestTimeout = "first-request-timeout"
    case idleTimeout = "idle-timeout"
    /// Nothing was recorded or played for `RTSPSessionTimeouts.withoutMedia`, despite any requests.
    case noMedia = "no-media"
    /// The connection was closed in favour of another one, because nothing was recorded or played on it.
    case evicted = "evicted"
    case kicked = "kicked"
    case shutdown = "shutdown"
    case ioError = "io-error"
    case tooManyRefusals = "too-many-refusals"
    /// The presentation that was played has ended.
    case playbackEnded = "reading-ended"
}
