package import NIOCore

/// Timeouts for a peer, and a limit on its attempts.
package struct RTSPSessionTimeouts: Hashable, Sendable {
    /// Time from accepting a connection to its first complete request. Publishers send one immediately, port scanners
    /// never.
    package var firstRequest = TimeAmount.seconds(10)
    /// Time without a request or packet after which a publisher's session ends; announced as the session's `timeout`
    /// (60 by default in RFC 2326 §12.37). A publisher that crashes without closing the connection occupies its
    /// channel for this long.
    package var idle = TimeAmount.seconds(20)
    /// Time without a request or packet after which a reader's session ends. Some readers use RFC 2326's default to
    /// keep the session alive, whatever timeout is announced.
    package var readerIdle = TimeAmount.seconds(60)
    /// Time from the start of the connection, or from the end of the last recording or playback, to the next RECORD
    /// or PLAY. Other requests do not extend it, so occasional OPTIONS requests cannot keep a useless connection
    /// open.
    package var withoutMedia = TimeAmount.seconds(60)
    /// Number of refusals after which the connection is closed; such a client will not succeed.
    package var maximumRefusalCount = 32

    package init() {}
}
