package import NIOCore
package import SessionDescription

/// What the owner of a ``RTSPSessionStateMachine`` is to do.
package enum RTSPSessionAction: Hashable, Sendable {
    case reply(RTSPResponse)
    /// Decide on an announcement, then call ``RTSPSessionStateMachine/announcementEvaluated(_:now:)``.
    case evaluateAnnouncement(RTSPAnnouncement)
    /// Bind ports or take channel numbers, then call ``RTSPSessionStateMachine/transportPrepared(_:now:)``. No request
    /// may be passed in before that.
    case prepareTransport(RTSPTransportRequest)
    /// Take the channel, then call ``RTSPSessionStateMachine/recordingEvaluated(_:now:)``.
    case startRecording(RTSPAnnouncement)
    /// Send the response and end the session; the connection stays open for another.
    case endSession(RTSPResponse, RTSPCloseReason)
    case replyAndClose(RTSPResponse, RTSPCloseReason)
    case close(RTSPCloseReason)
    case none
}

/// A publisher's offer: what it would send, and to where.
package struct RTSPAnnouncement: Hashable, Sendable {
    package var uri: String
    package var url: RTSPURL
    package var description: SDPSession
    package var userAgent: String?
}

/// A track's SETUP.
package struct RTSPTransportRequest: Hashable, Sendable {
    /// Position among the announced media descriptions.
    package var trackIndex: Int
    /// In the publisher's order of preference; none is multicast, and TCP offers name their channels.
    package var offers: [RTSPTransport]
}

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
}

/// How long a peer may take, and how often it may try.
package struct RTSPSessionTimeouts: Hashable, Sendable {
    /// From accepting a connection to its first complete request: a publisher speaks at once, a port scanner never.
    package var firstRequest = TimeAmount.seconds(10)
    /// Without a request or a packet; announced as the session's `timeout` (RFC 2326 §12.37 has 60 by default). A
    /// publisher that crashed without closing holds its channel for this long.
    package var idle = TimeAmount.seconds(20)
    /// A client that goes on after this many refusals is not one that will succeed.
    package var maximumRefusalCount = 32

    package init() {}
}
