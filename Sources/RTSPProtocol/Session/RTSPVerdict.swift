package import NIOCore

/// The server's decision on a PLAY request.
package struct RTSPPlayback: Hashable, Sendable {
    /// The range that will be played, which RFC 2326 §12.29 requires in the response.
    package var range: RTSPRange
    /// Start positions of the tracks. Tracks that are not set up are omitted from the response.
    package var streams: [RTPStreamInfo]

    package init(range: RTSPRange, streams: [RTPStreamInfo]) {
        self.range = range
        self.streams = streams
    }
}

/// The owner's verdict on a request.
package enum RTSPVerdict: Hashable, Sendable {
    case accepted
    case refused(RTSPRefusal)
}

/// A request that the server refuses.
package struct RTSPRefusal: Error, Hashable, Sendable {
    package var status: RTSPStatus
    /// Additional headers, such as challenges or `Retry-After`.
    package var headers: RTSPHeaders

    package init(_ status: RTSPStatus, headers: RTSPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }

    /// A 503 response for an attempt that ``AuthenticationFailureLimiter`` has refused.
    package static func tooManyAttempts(retryAfter: TimeAmount) -> RTSPRefusal {
        let seconds = max(1, (retryAfter.nanoseconds + 999_999_999) / 1_000_000_000)
        return RTSPRefusal(
            .serviceUnavailable.because("Service Unavailable: too many failed attempts; try again in \(seconds) s"),
            headers: ["Retry-After": "\(seconds)"])
    }
}
