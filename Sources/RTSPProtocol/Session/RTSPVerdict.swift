package import NIOCore

/// What a reader gets to hear about what follows PLAY.
package struct RTSPPlayback: Hashable, Sendable {
    /// What is really played; §12.29 wants it in the answer.
    package var range: RTSPRange
    /// Tracks that are not set up are left out.
    package var streams: [RTPStreamInfo]

    package init(range: RTSPRange, streams: [RTPStreamInfo]) {
        self.range = range
        self.streams = streams
    }
}

/// The owner's word on a question.
package enum RTSPVerdict: Hashable, Sendable {
    case accepted
    case refused(RTSPRefusal)
}

/// A request that the server will not carry out.
package struct RTSPRefusal: Error, Hashable, Sendable {
    package var status: RTSPStatus
    /// Challenges, `Retry-After`.
    package var headers: RTSPHeaders

    package init(_ status: RTSPStatus, headers: RTSPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }

    /// 503: what an ``AuthenticationFailureLimiter`` cannot let wait.
    package static func tooManyAttempts(retryAfter: TimeAmount) -> RTSPRefusal {
        let seconds = max(1, (retryAfter.nanoseconds + 999_999_999) / 1_000_000_000)
        return RTSPRefusal(
            .serviceUnavailable.because("Service Unavailable: too many failed attempts, wait for \(seconds) s"),
            headers: ["Retry-After": "\(seconds)"])
    }
}
