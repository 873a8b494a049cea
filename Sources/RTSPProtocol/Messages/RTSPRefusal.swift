package import NIOCore

/// A request that the server refuses.
package struct RTSPRefusal: Error, Hashable, Sendable {
    package var status: RTSPStatus
    /// Additional headers, such as challenges or `Retry-After`.
    package var headers: RTSPHeaders

    package init(_ status: RTSPStatus, headers: RTSPHeaders = [:]) {
        self.status = status
        self.headers = headers
    }

    /// A 503 response for an attempt that `AuthenticationFailureLimiter` has refused.
    package static func tooManyAttempts(retryAfter: TimeAmount) -> RTSPRefusal {
        let seconds = max(1, (retryAfter.nanoseconds + 999_999_999) / 1_000_000_000)
        return RTSPRefusal(
            .serviceUnavailable.because("Service Unavailable: too many failed attempts; try again in \(seconds) s"),
            headers: ["Retry-After": "\(seconds)"])
    }
}
