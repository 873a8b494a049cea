import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Testing

@testable import HLSDelivery

struct MediaConnectionStateTests {
    static let start = NIODeadline.uptimeNanoseconds(0)
    static let head = HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "h", path: "/"))
    static let end = HTTPRequestPart.end(nil)

    static func body(byteCount: Int) -> HTTPRequestPart { .body(ByteBuffer(repeating: 0, count: byteCount)) }

    /// Receives parts, and returns which of them must be handled now.
    private static func receive(
        _ parts: [HTTPRequestPart], _ state: inout MediaConnectionState, isWritable: Bool = true,
        now: NIODeadline = start
    ) -> [Bool] {
        parts.map { state.receive($0, isWritable: isWritable, now: now) }
    }

    /// Works off what waits, and returns the number of parts.
    private static func workOff(_ state: inout MediaConnectionState, isWritable: Bool = true) -> Int {
        guard state.beginWorkingOff() else { return 0 }
        var count = 0
        while let part = state.takeHeld(isWritable: isWritable) {
            count += 1
            if case .head = part {
                state.answerHead(closesAfterwards: false, now: Self.start)
            } else {
                _ = state.handleRest(part)
            }
        }
        return count
    }

    // MARK: Requests

    @Test func anExchangeEndsWithRequestAndResponse() {
        var state = MediaConnectionState()
        state.answerHead(closesAfterwards: false, now: Self.start)
        let response = state.responseEnded(now: Self.start)
        #expect(response == .unfinished && !state.canBeginExchange)
        let request = state.requestEnded(now: Self.start)
        #expect(request == .workOff && state.canBeginExchange)
        let nothing = state.finishExchange()
        #expect(nothing == .unfinished)
    }

    @Test func theClientsWishToCloseIsMetAfterTheResponse() {
        var state = MediaConnectionState()
        state.answerHead(closesAfterwards: true, now: Self.start)
        _ = state.requestEnded(now: Self.start)
        let end = state.responseEnded(now: Self.start)
        let next = Self.receive([Self.head], &state)
        #expect(end == .closeOutput && !state.canBeginExchange && next == [false])
    }

    @Test func onlyTheRouterGetsBodies() {
        var forwarding = MediaConnectionState()
        forwarding.forwardHead(now: Self.start)
        var answering = MediaConnectionState()
        answering.answerHead(closesAfterwards: false, now: Self.start)
        let parts = [Self.body(byteCount: 1), Self.end]
        let forwarded = parts.map { forwarding.handleRest($0) }
        let dropped = parts.map { answering.handleRest($0) }
        #expect(forwarded == [true, true] && dropped == [false, false])
    }

    @Test func pipelinedRequestsWaitForTheCurrentOne() {
        var state = MediaConnectionState()
        let first = Self.receive([Self.head], &state)
        state.answerHead(closesAfterwards: false, now: Self.start)
        let rest = Self.receive([Self.end, Self.head, Self.end], &state)
        #expect(first == [true] && rest == [true, false, false] && state.hasHeldParts)
        _ = state.handleRest(Self.end)
        let end = state.responseEnded(now: Self.start)
        #expect(end == .workOff && !state.canBeginExchange)
        let full = Self.workOff(&state, isWritable: false)
        _ = state.endWorkingOff()
        let room = Self.workOff(&state)
        #expect(full == 0 && room == 2 && !state.hasHeldParts)
        #expect(state.received.headCount == 2 && state.received.endCount == 2 && state.received.bodyCount == 0)
    }

    @Test func aRequestWaitsForAClientThatDoesNotRead() {
        var state = MediaConnectionState()
        let handled = Self.receive([Self.head, Self.end], &state, isWritable: false)
        #expect(handled == [false, false])
    }

    @Test func whatWaitsIsWorkedOffOnce() {
        var state = MediaConnectionState()
        let begins = [state.beginWorkingOff(), state.beginWorkingOff()]
        #expect(begins == [true, false] && !state.canBeginExchange)
        _ = state.endWorkingOff()
        #expect(state.canBeginExchange)
    }

    // MARK: Events and reading

    @Test func theEndOfTheConnectionWaitsForTheResponse() {
        var state = MediaConnectionState()
        let idle = state.receive(.inputClosed)
        state.answerHead(closesAfterwards: false, now: Self.start)
        let answering = [state.receive(.inputClosed), state.receive(.quiesce)]
        #expect(idle && answering == [false, false])
        _ = state.beginWorkingOff()
        let early = state.endWorkingOff()
        _ = state.requestEnded(now: Self.start)
        _ = state.responseEnded(now: Self.start)
        _ = state.beginWorkingOff()
        let events = state.endWorkingOff()
        _ = state.beginWorkingOff()
        let again = state.endWorkingOff()
        #expect(early.isEmpty && events == [.inputClosed, .quiesce] && again.isEmpty)
    }

    @Test func theRouterIsToldOfTheEndAtOnce() {
        var state = MediaConnectionState()
        state.forwardHead(now: Self.start)
        let passes = state.receive(.inputClosed)
        #expect(passes)
    }

    @Test func nothingIsReadWhilePartsWait() {
        var state = MediaConnectionState()
        let free = state.readRequested(now: Self.start)
        _ = Self.receive([Self.head], &state, isWritable: false)
        let held = state.readRequested(now: Self.start)
        let early = state.takeHeldRead(now: Self.start)
        #expect(free && !held && !early)
        _ = Self.workOff(&state)
        _ = state.endWorkingOff()
        let reads = [state.takeHeldRead(now: Self.start), state.takeHeldRead(now: Self.start)]
        #expect(reads == [true, false])
    }

    // MARK: Time

    private static func connected() -> MediaConnectionState {
        var state = MediaConnectionState()
        _ = state.connected(now: start)
        return state
    }

    private static func check(
        _ state: inout MediaConnectionState, at seconds: Int64,
        _ transfer: MediaConnectionState.Transfer = .none
    ) -> MediaConnectionState.TimerAction { state.timerFired(transfer, now: start + .seconds(seconds)) }

    @Test func aSilentClientIsDisconnected() {
        var state = MediaConnectionState()
        let delays = [state.connected(now: Self.start), state.connected(now: Self.start)]
        #expect(delays == [.seconds(75), nil])
        _ = Self.receive([Self.head], &state, isWritable: false, now: Self.start + .seconds(10))
        let first = Self.check(&state, at: 75)
        #expect(first == .releaseHolding(nextCheck: .seconds(10)))
        let second = Self.check(&state, at: 85)
        #expect(second == .close)
    }

    @Test func aClientIsNotResponsibleForSlowAnswers() {
        var state = Self.connected()
        state.answerHead(closesAfterwards: false, now: Self.start)
        _ = state.requestEnded(now: Self.start)
        let action = Self.check(&state, at: 1_000)
        #expect(action == .releaseHolding(nextCheck: .seconds(75)))
    }

    @Test func aClientMustSendTheRestOfAnUpload() {
        var state = Self.connected()
        state.forwardHead(now: Self.start)
        state.expectUpload()
        let began = Self.check(&state, at: 20)
        #expect(began == .releaseHolding(nextCheck: .seconds(20)))
        // It sends, but too little.
        _ = Self.receive([Self.body(byteCount: 100)], &state, now: Self.start + .seconds(160))
        _ = state.handleRest(Self.body(byteCount: 100))
        let slow = Self.check(&state, at: 170)
        #expect(slow == .close)
    }

    /// A form that arrives byte by byte, to the router or to what answers requests for media.
    @Test(arguments: [false, true]) func aSmallBodyHasADeadlineForAllOfIt(isMedia: Bool) {
        var state = Self.connected()
        if isMedia {
            state.answerHead(closesAfterwards: false, now: Self.start + .seconds(5))
            _ = state.responseEnded(now: Self.start + .seconds(5))
        } else {
            state.forwardHead(now: Self.start + .seconds(5))
        }
        let early = state.bodyAwaited(now: Self.start + .seconds(5))
        let later = state.bodyAwaited(now: Self.start + .seconds(5))
        #expect(early == MediaConnectionState.smallBodyTimeout && later == nil)
        _ = state.handleRest(Self.body(byteCount: 100_000))
        let before = Self.check(&state, at: 24)
        #expect(before == .releaseHolding(nextCheck: .seconds(1)))
        _ = state.handleRest(Self.body(byteCount: 100_000))
        let after = Self.check(&state, at: 25)
        #expect(after == .close)
    }

    @Test func aServerThatDoesNotReadWaitsForNobody() {
        var state = Self.connected()
        state.forwardHead(now: Self.start)
        state.readCompleted(now: Self.start + .seconds(12))
        let paused = Self.check(&state, at: 1_000)
        #expect(paused == .releaseHolding(nextCheck: .seconds(75)))
        _ = state.readRequested(now: Self.start + .seconds(1_000))
        // Of the time for the body, 12 seconds have passed before the pause, and 5 after it.
        let resumed = Self.check(&state, at: 1_005)
        #expect(resumed == .releaseHolding(nextCheck: .seconds(3)))
        // The pauses between the reads of a client that sends a byte now and then are none.
        state.readCompleted(now: Self.start + .seconds(1_006))
        _ = state.readRequested(now: Self.start + .seconds(1_006))
        let slow = Self.check(&state, at: 1_008)
        #expect(slow == .close)
    }

    @Test func aClientMustTakeWhatItAskedFor() {
        var state = Self.connected()
        let transfer = MediaConnectionState.Transfer.inProgress(unsentByteCount: 1 << 20)
        let actions = [20, 40, 81].map { Self.check(&state, at: $0, transfer) }
        #expect(
            actions.prefix(2) == [.chargeHolding(nextCheck: .seconds(20)), .chargeHolding(nextCheck: .seconds(20))])
        #expect(actions.last == .close)
        var taking = Self.connected()
        _ = Self.check(&taking, at: 20, transfer)
        taking.pieceSent(now: Self.start + .seconds(70))
        let action = Self.check(&taking, at: 81, transfer)
        #expect(action == .chargeHolding(nextCheck: .seconds(20)))
    }

    @Test func memoryThatIsHeldIsCheckedSoon() {
        var state = MediaConnectionState()
        let off = state.holdingBegan()
        _ = state.connected(now: Self.start)
        let delays = [state.holdingBegan(), state.holdingBegan()]
        #expect(off == nil && delays == [.seconds(20), nil])
        _ = Self.check(&state, at: 20)
        let again = state.holdingBegan()
        state.disconnected()
        let late = state.holdingBegan()
        #expect(again == .seconds(20) && late == nil)
    }
}
