import NIOHTTPTypes

/// Whose turn it is on one connection: which request is being worked on, by whom, and how far it has got.
struct MediaConnectionState {
    private enum Exchange {
        case none
        /// Answered by the delivery handler; the request's body, if any, is dropped.
        case answering
        /// The router's.
        case forwarding
    }

    private var exchange = Exchange.none
    private var isRequestComplete = false
    private var isResponseComplete = false
    private var closesAfterwards = false
    /// The answer said `Connection: close`, or the client asked for it.
    private(set) var closesNow = false

    var isIdle: Bool { exchange == .none }
    var isAnswering: Bool { exchange == .answering }
    /// The client has not sent all of what it asks the router.
    var awaitsRest: Bool { exchange == .forwarding && !isRequestComplete }

    /// Whether `part` belongs to the exchange in hand or may start one; if not, it has to wait.
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

    /// - Returns: whether the exchange in hand was done; it is over then.
    mutating func finishExchange() -> Bool {
        guard exchange != .none, isRequestComplete, isResponseComplete else { return false }
        if exchange == .answering, closesAfterwards { closesNow = true }
        exchange = .none
        return true
    }
}
