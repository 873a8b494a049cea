import FastPathSwitch
import NIOCore
import NIOEmbedded
import Testing

@testable import PacedSockets

/// When a publisher's socket is read.
@Suite(.enabled(if: FastPaths.takes(.pacedReads))) struct PacedReadsTests {
    private final class Socket: PacedSocket {
        let ticks: ReceptionTicks
        var mayWait = true
        /// `nil` if nobody is in a hurry.
        var promptTime: NIODeadline?
        var onRead: () -> Void = {}
        /// The calls, in order.
        private(set) var calls: [String] = []

        init(ticks: ReceptionTicks) { self.ticks = ticks }

        func ticks(now: NIODeadline) -> ReceptionTicks? { mayWait ? ticks : nil }
        func promptTime(now: NIODeadline) -> NIODeadline? { promptTime.map { max($0, now) } }
        func beginPacing() { calls.append("begin") }
        func endPacing() { calls.append("end") }

        func readArrived() {
            calls.append("read")
            onRead()
        }

        func takeCalls() -> [String] {
            defer { calls = [] }
            return calls
        }
    }

    private let loop = EmbeddedEventLoop()
    private let socket: Socket
    private let reads: PacedReads

    init() {
        socket = Socket(ticks: ReceptionTicks(eventLoop: loop, interval: .milliseconds(120)))
        reads = PacedReads(socket: socket, eventLoop: loop)
    }

    private func pass(_ milliseconds: Int64) -> [String] {
        loop.advanceTime(by: .milliseconds(milliseconds))
        return socket.takeCalls()
    }

    @Test func aSocketIsReadAtTicksWhileNobodyIsInAHurry() {
        reads.handled()
        reads.handled()
        #expect(pass(119) == ["begin"])
        #expect(pass(1) == ["read"])
        #expect(pass(360) == ["read", "read", "read"])
    }

    @Test func whoeverIsInAHurryEndsTheWaiting() {
        reads.handled()
        #expect(pass(100) == ["begin"])
        socket.promptTime = loop.now
        socket.ticks.fireNow()
        #expect(socket.takeCalls() == ["read", "end"])
        reads.handled()
        #expect(pass(1_000) == [])
        socket.promptTime = nil
        reads.handled()
        #expect(pass(200).prefix(2) == ["begin", "read"])
    }

    /// The socket is read exactly when the part that somebody waits for can be finished.
    @Test func aForeseenNeedIsMetOnTime() {
        let need = loop.now + .milliseconds(150)
        socket.promptTime = need
        reads.handled()
        #expect(pass(120) == ["begin", "read"])
        #expect(pass(29) == [])
        #expect(pass(1) == ["read", "end"])
        // Too short a rest is none.
        socket.promptTime = loop.now + .milliseconds(7)
        reads.handled()
        #expect(pass(0) == [])
        socket.promptTime = loop.now + .milliseconds(8)
        reads.handled()
        #expect(pass(20) == ["begin", "read", "end"])
    }

    @Test func aSocketThatMayOverflowIsReadAsDataArrives() {
        socket.mayWait = false
        reads.handled()
        #expect(pass(1_000) == [])
        socket.mayWait = true
        reads.handled()
        #expect(pass(120) == ["begin", "read"])
        socket.mayWait = false
        #expect(pass(120) == ["read", "end"])
    }

    @Test func nothingIsReadAfterTheEnd() {
        reads.handled()
        reads.close()
        #expect(pass(1_000) == ["begin", "end"])
        reads.handled()
        #expect(pass(1_000) == [])
    }

    /// A read may end the session, and with it the pacing.
    @Test func aReadMayEndThePacing() {
        socket.onRead = { [reads] in reads.close() }
        reads.handled()
        #expect(pass(1_000) == ["begin", "read", "end"])
    }
}
