/// The outcome of a request to a receiver.
package enum WebhookOutcome: Sendable, Hashable {
    /// The receiver has answered.
    ///
    /// - Parameters:
    ///   - status: the HTTP status.
    ///   - retryAfter: the delay that it asks for; `nil` for none.
    case answered(status: Int, retryAfter: Duration?)
    /// There was no answer.
    ///
    /// - Parameter reason: human-readable, without a full stop.
    case failed(reason: String)

    var isSuccess: Bool {
        if case .answered(200..<300, _) = self { true } else { false }
    }
}
