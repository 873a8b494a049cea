import NIOHTTPTypes

/// The state of one connection: which handler answers the current request, and how far request and response have got.
struct MediaConnectionState {
    private enum Exchange {
        case none
        /// The delivery handler answers; the request's body, if any, is dropped.
        case answering
        /// The router answers.
        case forwarding
    }

    private var exchange = Exchange.none
    private var isRequestComplete = false
    private var isResponseComplete = false
    private var closesAfterwards = false
    /// True if the connection must be closed now, because the response or the client requested it.
    private(set) var closesNow = false

    var isIdle: Bool { exchange == .none }
    var isAnswering: Bool { exchange == .answering }
    /// True if the client has not yet sent the whole request to the router.
    var awaitsRest: Bool { exchange == .forwarding && !isRequestComplete }

    /// Returns whether `part` belongs to the current exchange or may start one; otherwise it has to wait.
    func accepts(_ part: HTTPRequestPart) -> Bool {
        switch part {
        case .head: exchange == .none && !closesNow
        case .body, .end: exchange != .none && !isRequestComplete
        }
    }

    mutating func forwardHead() { start(.forwarding) }

    mutating func answerHead(closesAfterwards: Bool) {
        start(.answering)
        self.closesAfterwards = closesAfterwards
    }

    private mutating func start(_ exchange: Exchange) {
        self.exchange = exchange
        isRequestComplete = false
        isResponseComplete = false
        closesAfterwards = false
    }

    func isForwardingBody(_ part: HTTPRequestPart) -> Bool { exchange == .forwarding }

    mutating func requestEnded() { isRequestComplete = true }
    mutating func responseEnded() { isResponseComplete = true }

    /// Ends the current exchange if request and response are complete.
    ///
    /// - Returns: whether the exchange has ended.
    mutating func finishExchange() -> Bool {
        guard exchange != .none, isRequestComplete, isResponseComplete else { return false }
        if exchange == .answering, closesAfterwards { closesNow = true }
        exchange = .none
        return true
    }
}
