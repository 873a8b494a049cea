package import NIOCore

/// Why a connection or its session ended. The raw value is what statistics count and logs say.
package enum RTSPCloseReason: String, Hashable, Sendable, CaseIterable {
    case teardown = "teardown"
    case peerClosed = "peer-closed"
    case protocolError = "protocol-error"
    case firstRequestTimeout = "first-request-timeout"
    case idleTimeout = "idle-timeout"
    case kicked = "kicked"
    case shutdown = "shutdown"
    case ioError = "io-error"
    case tooManyRefusals = "too-many-refusals"
    /// What was read is over.
    case readingEnded = "reading-ended"
}

/// How long a peer may take, and how often it may try.
package struct RTSPSessionTimeouts: Hashable, Sendable {
    /// From accepting a connection to its first complete request: a publisher speaks at once, a port scanner never.
    package var firstRequest = TimeAmount.seconds(10)
    /// Without a request or a packet; announced as the session's `timeout` (RFC 2326 §12.37 has 60 by default). A
    /// publisher that crashed without closing holds its channel for this long.
    package var idle = TimeAmount.seconds(20)
    /// The same for readers, of which some keep the session alive by RFC 2326's default whatever they are told.
    package var readerIdle = TimeAmount.seconds(60)
    /// A client that goes on after this many refusals is not one that will succeed.
    package var maximumRefusalCount = 32

    package init() {}
}
