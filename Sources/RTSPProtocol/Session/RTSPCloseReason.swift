/// Why a connection or its session ended. The raw value is what statistics count and logs say.
package enum RTSPCloseReason: String, Hashable, Sendable, CaseIterable {
    case teardown = "teardown"
    case peerClosed = "peer-closed"
    case protocolError = "protocol-error"
    case firstRequestTimeout = "first-request-timeout"
    case idleTimeout = "idle-timeout"
    /// Nothing was recorded or played for ``RTSPSessionTimeouts/withoutMedia``, whatever requests came.
    case noMedia = "no-media"
    /// Let go for another connection, because nothing was recorded or played on it.
    case evicted = "evicted"
    case kicked = "kicked"
    case shutdown = "shutdown"
    case ioError = "io-error"
    case tooManyRefusals = "too-many-refusals"
    /// What was read is over.
    case readingEnded = "reading-ended"
}
