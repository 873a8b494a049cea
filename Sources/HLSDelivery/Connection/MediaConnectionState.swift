import DequeModule
import NIOCore
import NIOHTTPTypes

/// The state of one connection: who answers the current request, how far request and response have got, what waits for
/// them, and whether the client still does its part.
///
/// It is pure: events come in with their time, and return what the handler must do.
struct MediaConnectionState {
    private struct Exchange {
        var isRequestComplete = false
        var isResponseComplete = false
        /// The time of the head.
        var begin = NIODeadline.uptimeNanoseconds(0)
        var body = BodyKind.small

        var isComplete: Bool { isRequestComplete && isResponseComplete }
    }

    /// The purpose of a request's body, which determines its time limit.
    private enum BodyKind {
        /// JSON or a form; all of it must be there within ``smallBodyTimeout``.
        case small
        /// A file, which may take as long as the client makes progress.
        case upload
    }

    private enum Phase {
        /// Between two exchanges.
        case idle
        /// The delivery handler answers; the request's body, if any, is dropped.
        case answering(Exchange, closesAfterwards: Bool)
        /// The router answers.
        case forwarding(Exchange)
        /// The last response was complete, and the client had asked for the end of the connection.
        case closing
    }

    /// The timer of the handler; there is one per connection, which is not moved at every request.
    private enum Timer {
        case off
        case running
        /// The next check is due within ``progressInterval``.
        case watching
    }

    /// The consequence of the end of a request or response.
    enum ExchangeEnd: Equatable {
        /// The other one is not complete.
        case unfinished
        /// Handle what waits; see ``beginWorkingOff()``.
        case workOff
        case closeOutput
    }

    /// An event that ends the connection, delayed until nothing is being sent: handlers after this one do not see the
    /// requests that are answered here, and would close the connection in between.
    enum EndingEvent: Equatable {
        case quiesce
        case inputClosed
    }

    /// The transfer that is under way when the timer fires.
    enum Transfer: Equatable {
        case none
        /// - Parameter unsentByteCount: bytes waiting in the server, socket included; `nil` if the number is not known.
        case inProgress(unsentByteCount: Int?)
    }

    /// The action of the handler after its timer has fired.
    enum TimerAction: Equatable {
        /// Charge the client for memory that it holds longer than its channel, or close the connection.
        case chargeHolding(nextCheck: Duration)
        /// The client has received everything.
        case releaseHolding(nextCheck: Duration)
        case close
    }

    private var phase = Phase.idle
    /// Parts received after the current request. Bounded, because reading stops while it is not empty, so it holds the
    /// result of one read.
    private var held: Deque<HTTPRequestPart> = []
    private var heldEvents: [EndingEvent] = []
    private var isReadHeld = false
    /// True while `held` is processed, so that the end of one response does not start the next one re-entrantly.
    private var isWorkingOff = false
    /// True if the server is ready to read, so that the client has to act.
    private var isReadWanted = true
    /// Since when the server has not been ready to read the rest of a request.
    private var readPause: NIODeadline?
    private var timer = Timer.off
    private var lastActivity = NIODeadline.uptimeNanoseconds(0)
    private var progress = ClientProgress()
    /// Number of bytes of request bodies received.
    private var receivedByteCount = 0
    /// The number of request parts received so far.
    private(set) var received = (headCount: 0, bodyCount: 0, endCount: 0)

    /// Time after which a silent connection is closed; a player requests a playlist every few seconds.
    static let idleTimeout = Duration.seconds(75)
    /// Interval of the checks of a client that has to receive or send.
    static let progressInterval = Duration.seconds(20)
    /// Time from a head to the end of its body, unless that is an upload: enough for a form of some kilobytes in a bad
    /// mobile network.
    static let smallBodyTimeout = Duration.seconds(20)

    // MARK: Requests

    var hasHeldParts: Bool { !held.isEmpty }

    /// True if a request that arrives now can be answered at once.
    var canBeginExchange: Bool { if case .idle = phase { held.isEmpty && !isWorkingOff } else { false } }

    /// The current exchange if the client has not yet sent the whole request.
    private var awaitedExchange: Exchange? {
        switch phase {
        case .answering(let exchange, _), .forwarding(let exchange): exchange.isRequestComplete ? nil : exchange
        case .idle, .closing: nil
        }
    }

    /// True if the client has not yet sent the whole request.
    private var awaitsRest: Bool { awaitedExchange != nil }

    private var isAnswering: Bool { if case .answering = phase { true } else { false } }

    /// Takes a part.
    ///
    /// - Parameter isWritable: whether the client has received most of the previous response; asked only for heads.
    /// - Returns: true if the part must be handled now; otherwise it waits here.
    mutating func receive(_ part: HTTPRequestPart, isWritable: @autoclosure () -> Bool, now: NIODeadline) -> Bool {
        lastActivity = now
        switch part {
        case .head: received.headCount &+= 1
        case .body: received.bodyCount &+= 1
        case .end: received.endCount &+= 1
        }
        if held.isEmpty, takes(part, isWritable: isWritable()) { return true }
        held.append(part)
        return false
    }

    /// Returns whether the part can be handled now. Responses must not pile up for a client that does not read.
    private func takes(_ part: HTTPRequestPart, isWritable: @autoclosure () -> Bool) -> Bool {
        if case .head = part {
            guard case .idle = phase else { return false }
            return isWritable()
        }
        return isInRequest
    }

    /// True if the rest of the current request has not arrived.
    private var isInRequest: Bool {
        switch phase {
        case .answering(let exchange, _), .forwarding(let exchange): !exchange.isRequestComplete
        case .idle, .closing: false
        }
    }

    /// Begins an exchange whose response comes from the router.
    mutating func forwardHead(now: NIODeadline) { phase = .forwarding(Exchange(begin: now)) }

    /// Notes that the body of the current request is an upload.
    mutating func expectUpload() { updateExchange { $0.body = .upload } }

    /// Begins an exchange whose response comes from the delivery handler.
    mutating func answerHead(closesAfterwards: Bool, now: NIODeadline) {
        phase = .answering(Exchange(begin: now), closesAfterwards: closesAfterwards)
    }

    /// Counts a part after the head.
    ///
    /// - Returns: whether the router gets the part; then call ``finishExchange()``.
    mutating func handleRest(_ part: HTTPRequestPart) -> Bool {
        switch part {
        case .head: break
        case .body(let bytes): receivedByteCount &+= bytes.readableBytes
        case .end: updateExchange { $0.isRequestComplete = true }
        }
        if case .forwarding = phase { return true }
        return false
    }

    mutating func requestEnded(now: NIODeadline) -> ExchangeEnd {
        lastActivity = now
        updateExchange { $0.isRequestComplete = true }
        return finishExchange()
    }

    mutating func responseEnded(now: NIODeadline) -> ExchangeEnd {
        lastActivity = now
        updateExchange { $0.isResponseComplete = true }
        return finishExchange()
    }

    private mutating func updateExchange(_ change: (inout Exchange) -> Void) {
        switch phase {
        case .answering(var exchange, let closesAfterwards):
            change(&exchange)
            phase = .answering(exchange, closesAfterwards: closesAfterwards)
        case .forwarding(var exchange):
            change(&exchange)
            phase = .forwarding(exchange)
        case .idle, .closing: break
        }
    }

    /// Ends the current exchange if request and response are complete.
    mutating func finishExchange() -> ExchangeEnd {
        switch phase {
        case .answering(let exchange, closesAfterwards: true) where exchange.isComplete:
            phase = .closing
            return .closeOutput
        case .answering(let exchange, closesAfterwards: false) where exchange.isComplete,
            .forwarding(let exchange) where exchange.isComplete:
            phase = .idle
            return .workOff
        case .answering, .forwarding, .idle, .closing: return .unfinished
        }
    }

    // MARK: What waits

    /// - Returns: false if the parts that wait are being handled already. After true, handle ``takeHeld(isWritable:)``
    ///   until it returns `nil`, and call ``endWorkingOff()``.
    mutating func beginWorkingOff() -> Bool {
        guard !isWorkingOff else { return false }
        isWorkingOff = true
        return true
    }

    /// - Returns: the next part that can be handled now; `nil` if there is none.
    mutating func takeHeld(isWritable: @autoclosure () -> Bool) -> HTTPRequestPart? {
        guard let part = held.first, takes(part, isWritable: isWritable()) else { return nil }
        held.removeFirst()
        return part
    }

    /// - Returns: the events to pass on now, in their order. Then ask ``takeHeldRead(now:)``.
    mutating func endWorkingOff() -> [EndingEvent] {
        isWorkingOff = false
        guard !heldEvents.isEmpty, hasRoom, !isAnswering else { return [] }
        defer { heldEvents = [] }
        return heldEvents
    }

    /// True if nothing waits and the connection goes on.
    private var hasRoom: Bool { if case .closing = phase { false } else { held.isEmpty } }

    /// - Returns: true if the event must be passed on now; otherwise it waits here.
    mutating func receive(_ event: EndingEvent) -> Bool {
        if held.isEmpty, !isAnswering { return true }
        heldEvents.append(event)
        return false
    }

    // MARK: Reading

    /// - Returns: true if the connection must be read now; otherwise the read waits here.
    mutating func readRequested(now: NIODeadline) -> Bool {
        guard held.isEmpty else {
            isReadHeld = true
            return false
        }
        readingBegins(now: now)
        return true
    }

    /// - Returns: whether a read that has waited must be made now.
    mutating func takeHeldRead(now: NIODeadline) -> Bool {
        guard isReadHeld, hasRoom, !isWorkingOff else { return false }
        isReadHeld = false
        readingBegins(now: now)
        return true
    }

    private mutating func readingBegins(now: NIODeadline) {
        guard !isReadWanted else { return }
        isReadWanted = true
        // The server was not reading, so the client was not silent, and its time did not run.
        guard awaitsRest else { return }
        lastActivity = now
        if let pause = readPause.take() { updateExchange { $0.begin = $0.begin + (now - pause) } }
    }

    /// Notes the end of a read. The time is asked only if it matters.
    mutating func readCompleted(now: @autoclosure () -> NIODeadline) {
        isReadWanted = false
        readPause = awaitsRest ? now() : nil
    }

    // MARK: Time

    /// Starts watching the client.
    ///
    /// - Returns: the time until the timer must fire; `nil` if it is running already.
    mutating func connected(now: NIODeadline) -> Duration? {
        guard timer == .off else { return nil }
        lastActivity = now
        timer = .running
        return Self.idleTimeout
    }

    /// Stops watching the client.
    mutating func timerStopped() { timer = .off }

    /// Drops what waits, because the connection has ended.
    mutating func disconnected() {
        timer = .off
        held.removeAll()
    }

    /// Notes that the client has received a piece of a response.
    mutating func pieceSent(now: NIODeadline) {
        lastActivity = now
        progress.reset()
    }

    /// Checks the client soon, because it may hold a live segment that leaves its window.
    ///
    /// - Returns: the time until the timer must fire instead of when it would have; `nil` if it stays.
    mutating func holdingBegan() -> Duration? {
        guard timer == .running else { return nil }
        timer = .watching
        return Self.progressInterval
    }

    /// Checks the client when the body that has not come with its head is due.
    ///
    /// - Returns: the time until the timer must fire instead of when it would have; `nil` if it stays.
    mutating func bodyAwaited(now: NIODeadline) -> Duration? {
        guard timer == .running, let exchange = awaitedExchange, exchange.begin == now else { return nil }
        timer = .watching
        return Self.smallBodyTimeout
    }

    /// Decides whether the client may keep the connection.
    ///
    /// - Parameter transfer: what is being sent. A response that was written in one piece may still be on its way to a
    ///   slow client.
    mutating func timerFired(_ transfer: Transfer, now: NIODeadline) -> TimerAction {
        let action = check(transfer, now: now)
        if action == .close { timer = .off }
        return action
    }

    private mutating func checkSmallBody(_ exchange: Exchange, now: NIODeadline) -> TimerAction {
        progress.reset()
        let left = Self.smallBodyTimeout - Duration(now - exchange.begin)
        return left > .zero ? .releaseHolding(nextCheck: left) : .close
    }

    private mutating func check(_ transfer: Transfer, now: NIODeadline) -> TimerAction {
        let silence = Duration(now - lastActivity)
        if case .inProgress(let unsentByteCount) = transfer {
            let isTaking = progress.isTaking(unsentByteCount: unsentByteCount, now: now)
            return isTaking ? .chargeHolding(nextCheck: Self.progressInterval) : .close
        }
        timer = .running
        if let exchange = awaitedExchange, isReadWanted {
            if case .small = exchange.body { return checkSmallBody(exchange, now: now) }
            let isAlive = progress.isSending(receivedByteCount: receivedByteCount, now: now)
            return isAlive && silence < Self.idleTimeout ? .releaseHolding(nextCheck: Self.progressInterval) : .close
        }
        progress.reset()
        switch phase {
        // The client is not responsible for the time that the router takes, that a blocking request takes, or that a
        // slow disk takes to store an upload.
        case .answering, .forwarding: return .releaseHolding(nextCheck: Self.idleTimeout)
        case .idle, .closing:
            return silence < Self.idleTimeout ? .releaseHolding(nextCheck: Self.idleTimeout - silence) : .close
        }
    }
}
