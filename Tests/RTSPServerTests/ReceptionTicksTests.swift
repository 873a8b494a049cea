import NIOCore
import NIOEmbedded
import Testing

@testable import RTSPServer

struct ReceptionTicksTests {
    private final class Counter {
        var count = 0
    }

    private let loop = EmbeddedEventLoop()

    /// - Returns: the paced reads, and a counter of the reads at ticks.
    private func reads(maximumAmount: Int = 100) -> (reads: PacedReads, counter: Counter, ticks: ReceptionTicks) {
        let counter = Counter()
        let ticks = ReceptionTicks(eventLoop: loop)
        return (PacedReads(ticks: ticks, maximumAmount: maximumAmount) { counter.count += 1 }, counter, ticks)
    }

    @Test func aSocketIsReadOnceATickWhileNobodyIsInAHurry() {
        loop.advanceTime(by: .milliseconds(1_005))
        let (reads, counter, _) = reads()
        #expect(reads.mayRead(isPrompt: false))
        for tick in 1...5 {
            reads.received(10)
            #expect(!reads.mayRead(isPrompt: false))
            // Another request in the meantime still waits.
            #expect(!reads.mayRead(isPrompt: false) && reads.isWaiting)
            loop.advanceTime(by: .milliseconds(tick == 1 ? 34 : 39))
            #expect(counter.count == tick - 1)
            loop.advanceTime(by: .milliseconds(1))
            #expect(counter.count == tick && !reads.isWaiting)
        }
    }

    @Test func whoeverIsInAHurryEndsTheWaitingAtTheNextTick() {
        let (reads, counter, _) = reads()
        reads.received(10)
        #expect(!reads.mayRead(isPrompt: false))
        loop.advanceTime(by: TimeAmount(ReceptionTicks.interval))
        #expect(counter.count == 1)
        for _ in 0..<3 {
            reads.received(10)
            #expect(reads.mayRead(isPrompt: true))
        }
        #expect(!reads.isWaiting)
    }

    @Test func aFastPublisherIsReadOn() {
        let (reads, _, _) = reads(maximumAmount: 100)
        reads.received(60)
        reads.received(40)
        #expect(reads.mayRead(isPrompt: false))
        // The count of what arrives next starts at zero.
        reads.received(99)
        #expect(!reads.mayRead(isPrompt: false))
    }

    @Test func publishersOfALoopAreReadInOneTurn() {
        let (first, firstCounter, ticks) = reads()
        let secondCounter = Counter()
        let second = PacedReads(ticks: ticks, maximumAmount: 100) { secondCounter.count += 1 }
        first.received(1)
        #expect(!first.mayRead(isPrompt: false))
        loop.advanceTime(by: .milliseconds(13))
        second.received(1)
        #expect(!second.mayRead(isPrompt: false))
        loop.advanceTime(by: .milliseconds(27))
        #expect(firstCounter.count == 1 && secondCounter.count == 1)
    }

    /// Datagrams that are not read before the next tick must fit into the socket's receive buffer.
    @Test func onlyAPublisherWhoseBurstsAreSmallIsLeftUnread() {
        var meter = BurstMeter()
        var now = NIODeadline.uptimeNanoseconds(0)
        func send(_ datagramCount: Int, seconds: Int, _ meter: inout BurstMeter) {
            for _ in 0..<seconds {
                for _ in 0..<datagramCount { meter.received(now: now) }
                now = now + .milliseconds(500)
                meter.received(now: now)
                now = now + .milliseconds(500)
            }
        }
        send(90, seconds: 9, &meter)
        #expect(!meter.isCalm)
        send(90, seconds: 2, &meter)
        #expect(meter.isCalm)
        // Reads are immediate, until bursts have been small for ten seconds again.
        send(91, seconds: 1, &meter)
        #expect(!meter.isCalm)
        send(20, seconds: 9, &meter)
        #expect(!meter.isCalm)
        send(20, seconds: 12, &meter)
        #expect(meter.isCalm)
    }

    @Test func nothingIsReadAfterTheEnd() {
        let (reads, counter, _) = reads()
        reads.received(1)
        #expect(!reads.mayRead(isPrompt: false))
        reads.close()
        loop.advanceTime(by: .seconds(1))
        #expect(counter.count == 0)
    }

    @Test func aReadAtATickMayAskForTheNextOne() {
        let ticks = ReceptionTicks(eventLoop: loop)
        let counter = Counter()
        final class Reader: TickWaiter {
            let ticks: ReceptionTicks
            let counter: Counter

            init(_ ticks: ReceptionTicks, _ counter: Counter) {
                self.ticks = ticks
                self.counter = counter
            }

            func tick() {
                counter.count += 1
                ticks.wait(self)
            }
        }
        ticks.wait(Reader(ticks, counter))
        loop.advanceTime(by: .milliseconds(200))
        #expect(counter.count == 5)
    }
}
