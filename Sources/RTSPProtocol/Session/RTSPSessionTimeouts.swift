package import NIOCore

/// How long a peer may take, and how often it may try.
package struct RTSPSessionTimeouts: Hashable, Sendable {
    /// From accepting a connection to its first complete request: a publisher speaks at once, a port scanner never.
    package var firstRequest = TimeAmount.seconds(10)
    /// Without a request or a packet; announced as the session's `timeout` (RFC 2326 §12.37 has 60 by default). A
    /// publisher that crashed without closing holds its channel for this long.
    package var idle = TimeAmount.seconds(20)
    /// The same for readers, of which some keep the session alive by RFC 2326's default whatever they are told.
    package var readerIdle = TimeAmount.seconds(60)
    /// From the connection's start, or from the end of what was recorded or played last, to the next RECORD or PLAY. No
    /// request moves it, so that OPTIONS now and then does not keep a connection that is of no use to anybody.
    package var withoutMedia = TimeAmount.seconds(60)
    /// A client that goes on after this many refusals is not one that will succeed.
    package var maximumRefusalCount = 32

    package init() {}
}
