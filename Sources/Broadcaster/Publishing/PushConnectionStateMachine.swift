import NIOCore
import RTSPProtocol

/// The phases of a publishing session over one connection, from connecting to its end, and their deadlines. It is pure:
/// events come in with their time, and return what the connection must do.
struct PushConnectionStateMachine {
    private enum Phase {
        case connecting
        /// The sockets of `boundCount` tracks are open.
        case binding(boundCount: Int, answerBy: NIODeadline)
        /// Until RECORD has been answered.
        case announcing(RTSPPublishingStateMachine, answerBy: NIODeadline)
        case recording(Recording)
        /// Until TEARDOWN has been answered.
        case tearingDown(RTSPPublishingStateMachine, answerBy: NIODeadline)
        case ended
    }

    private struct Recording {
        var requests: RTSPPublishingStateMachine
        let reportInterval: Duration
        var nextReport: NIODeadline
        /// `nil` if no request awaits its answer.
        var answerBy: NIODeadline?
    }

    /// The end of the session; it is returned once.
    struct Ending: Equatable {
        /// `nil` after an orderly end.
        var error: BroadcastError?
        /// True if a retry may succeed.
        var isTemporary: Bool
        /// False if the owner has released the connection.
        var isReported: Bool
    }

    /// The consequence of a connection, or of a track's sockets.
    enum PreparationAction: Equatable {
        case bindSockets(track: Int)
        /// Make the announcement; see ``announce(_:authenticator:now:)``.
        case announce
        /// The session has ended in the meantime; close what was opened.
        case discard
    }

    enum ResponseAction: Equatable {
        case none
        case send(RTSPRequest)
        /// The server has answered a request that keeps the session alive.
        case noteRoundTrip(TimeAmount?)
        /// The server accepts media from now on.
        case record(RTSPPublishingStateMachine.Session, roundTrip: TimeAmount?)
        case end(Ending)
    }

    enum TearDownAction: Equatable {
        case none
        /// Say goodbye on each track, then send the request.
        case send(RTSPRequest)
        case end(Ending)
    }

    enum TimerAction: Equatable {
        case none
        /// Send sender reports, then the request, which keeps the session alive and measures the round trip.
        case report(RTSPRequest?)
        case end(Ending)
    }

    /// The time from the connection to the answer to RECORD, and for each later answer: a request waits behind the
    /// media sent before it.
    static let answerTimeout = Duration.seconds(15)
    /// The interval of sender reports and round-trip measurements.
    static let reportInterval = Duration.seconds(5)
    static let tearDownTimeout = Duration.seconds(2)

    private let target: PushTarget
    private let trackCount: Int
    /// True to end as soon as the server has accepted the announcement.
    private let isProbe: Bool
    private var phase = Phase.connecting
    private var isDetached = false
    /// The time at which the latest request was sent.
    private var requestSent: NIODeadline?

    init(_ target: PushTarget, trackCount: Int, isProbe: Bool) {
        self.target = target
        self.trackCount = trackCount
        self.isProbe = isProbe
    }

    var isRecording: Bool { if case .recording = phase { true } else { false } }

    // MARK: Connecting

    /// Handles the connection to the server.
    mutating func connected(now: NIODeadline) -> PreparationAction {
        guard case .connecting = phase else { return .discard }
        phase = .binding(boundCount: 0, answerBy: now + TimeAmount(Self.answerTimeout))
        return target.transport == .udp && trackCount > 0 ? .bindSockets(track: 0) : .announce
    }

    /// Handles the sockets of a track.
    mutating func socketsBound() -> PreparationAction {
        guard case .binding(let boundCount, let answerBy) = phase else { return .discard }
        phase = .binding(boundCount: boundCount + 1, answerBy: answerBy)
        return boundCount + 1 < trackCount ? .bindSockets(track: boundCount + 1) : .announce
    }

    // MARK: Requests and answers

    /// - Returns: the first request; `nil` if the session has ended in the meantime.
    mutating func announce(
        _ announcement: RTSPPublishingStateMachine.Announcement, authenticator: RTSPClientAuthenticator?,
        now: NIODeadline
    ) -> RTSPRequest? {
        guard case .binding(_, let answerBy) = phase else { return nil }
        var requests = RTSPPublishingStateMachine(announcement, authenticator: authenticator)
        let request = requests.start()
        phase = .announcing(requests, answerBy: answerBy)
        requestSent = now
        return request
    }

    mutating func receive(_ response: RTSPResponse, now: NIODeadline) -> ResponseAction {
        switch phase {
        case .announcing(var requests, let answerBy):
            let step = requests.receive(response)
            phase = .announcing(requests, answerBy: answerBy)
            return proceed(step, requests, now: now)
        case .recording(var recording):
            let step = recording.requests.receive(response)
            phase = .recording(recording)
            return proceed(step, recording.requests, now: now)
        case .tearingDown(var requests, let answerBy):
            let step = requests.receive(response)
            phase = .tearingDown(requests, answerBy: answerBy)
            return proceed(step, requests, now: now)
        case .connecting, .binding, .ended: return .none
        }
    }

    private mutating func proceed(
        _ step: RTSPPublishingStateMachine.Step, _ requests: RTSPPublishingStateMachine, now: NIODeadline
    ) -> ResponseAction {
        switch step {
        case .none: return .none
        case .send(let request) where isProbe && request.method == .setup: return end(nil, isTemporary: false)
        case .send(let request):
            requestSent = now
            return .send(request)
        case .alive:
            if case .recording(var recording) = phase {
                recording.answerBy = nil
                phase = .recording(recording)
            }
            return .noteRoundTrip(requestSent.map { now - $0 })
        case .recording(let session):
            let interval = min(Self.reportInterval, .seconds(max(1, session.timeout / 3)))
            phase = .recording(Recording(requests: requests, reportInterval: interval, nextReport: now))
            return .record(session, roundTrip: requestSent.map { now - $0 })
        case .ended: return end(nil, isTemporary: false)
        case .failed(let failure):
            return end(BroadcastError(failure, target: target), isTemporary: failure.isTemporary)
        }
    }

    // MARK: Time

    /// Time at which ``timerFired(now:)`` is due; `nil` for never.
    var deadline: NIODeadline? {
        switch phase {
        case .connecting, .ended: nil
        case .binding(_, let answerBy), .announcing(_, let answerBy), .tearingDown(_, let answerBy): answerBy
        case .recording(let recording): recording.answerBy.map { min($0, recording.nextReport) } ?? recording.nextReport
        }
    }

    /// Handles the passing of ``deadline``; does nothing if it is not due yet.
    mutating func timerFired(now: NIODeadline) -> TimerAction {
        guard let deadline, deadline <= now else { return .none }
        switch phase {
        case .connecting, .ended: return .none
        case .binding, .announcing: return .end(silent(.unreachable))
        case .tearingDown: return .end(ending(nil, isTemporary: false))
        case .recording(let recording):
            if let answerBy = recording.answerBy, answerBy <= now { return .end(silent(.connectionLost)) }
            return report(recording, now: now)
        }
    }

    private mutating func report(_ recording: Recording, now: NIODeadline) -> TimerAction {
        var recording = recording
        recording.nextReport = now + TimeAmount(recording.reportInterval)
        let request = recording.requests.keepAlive()
        if request != nil {
            requestSent = now
            recording.answerBy = now + TimeAmount(Self.answerTimeout)
        }
        phase = .recording(recording)
        return .report(request)
    }

    private mutating func silent(_ code: BroadcastError.Code) -> Ending {
        let seconds = Self.answerTimeout.components.seconds
        return ending(
            BroadcastError(code, "\(target.endpoint) has not answered for \(seconds) s"), isTemporary: true)
    }

    // MARK: The end

    /// Ends the session because of an error.
    ///
    /// - Returns: `nil` if it has ended before.
    mutating func fail(_ error: BroadcastError, isTemporary: Bool) -> Ending? {
        if case .ended = phase { return nil }
        return ending(error, isTemporary: isTemporary)
    }

    /// Handles the end of the connection.
    ///
    /// - Parameter error: why the connection was closed; `nil` if the server closed it.
    /// - Returns: `nil` if the session has ended before.
    mutating func closed(_ error: (any Error)?) -> Ending? {
        // A server that speaks another protocol will not change it.
        let isTemporary = isRecording || !(error is PushConnectionHandler.ForeignProtocol)
        return fail(BroadcastError(closing: error, target: target), isTemporary: isTemporary)
    }

    /// Ends the session without a report, because the owner releases the connection.
    mutating func detach() { isDetached = true }

    /// Ends the session in an orderly way.
    mutating func tearDown(now: NIODeadline) -> TearDownAction {
        switch phase {
        case .ended: return .none
        case .recording(var recording):
            guard let request = recording.requests.teardown() else { break }
            phase = .tearingDown(recording.requests, answerBy: now + TimeAmount(Self.tearDownTimeout))
            requestSent = now
            return .send(request)
        case .connecting, .binding, .announcing, .tearingDown: break
        }
        return .end(ending(nil, isTemporary: false))
    }

    private mutating func end(_ error: BroadcastError?, isTemporary: Bool) -> ResponseAction {
        .end(ending(error, isTemporary: isTemporary))
    }

    private mutating func ending(_ error: BroadcastError?, isTemporary: Bool) -> Ending {
        phase = .ended
        return Ending(error: error, isTemporary: isTemporary, isReported: !isDetached)
    }
}
