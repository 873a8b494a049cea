import NIOCore
import NIOEmbedded
import Testing

@testable import PacedSockets

struct ReceptionTicksTests {
    private final class Waiter: TickWaiter {
        var count = 0
        var onTick: (Waiter) -> Void = { _ in }

        func tick() {
            count += 1
            onTick(self)
        }
    }

    private let loop = EmbeddedEventLoop()
    private let ticks: ReceptionTicks

    init() { ticks = ReceptionTicks(eventLoop: loop, interval: .milliseconds(40)) }

    @Test func publishersOfALoopAreReadInOneTurn() {
        let (first, second) = (Waiter(), Waiter())
        ticks.wait(first)
        loop.advanceTime(by: .milliseconds(13))
        ticks.wait(second)
        loop.advanceTime(by: .milliseconds(26))
        #expect(first.count == 0 && second.count == 0)
        loop.advanceTime(by: .milliseconds(1))
        #expect(first.count == 1 && second.count == 1)
        loop.advanceTime(by: .seconds(1))
        #expect(first.count == 1, "once for each time that it waits")
    }

    @Test func aReadAtATickMayAskForTheNextOne() {
        let waiter = Waiter()
        waiter.onTick = { [ticks] in ticks.wait($0) }
        ticks.wait(waiter)
        loop.advanceTime(by: .milliseconds(200))
        #expect(waiter.count == 5)
    }

    /// A hurried reading does not move the ticks, nor add any.
    @Test func thoseWhoWaitCanBeHurried() {
        let waiter = Waiter()
        waiter.onTick = { [ticks] in ticks.wait($0) }
        ticks.wait(waiter)
        for count in 1...3 {
            ticks.fireNow()
            #expect(waiter.count == count)
        }
        loop.advanceTime(by: .milliseconds(400))
        #expect(waiter.count == 13)
    }

    /// A loop with many publishers does not read all of them at once.
    @Test func publishersTakeTurns() {
        let pacing = LoopPacing(eventLoop: loop)
        let waiters = (0..<12).map { _ in Waiter() }
        let publishers = waiters.map { _ in pacing.makePublisherPacing() }
        for (waiter, publisher) in zip(waiters, publishers) { publisher.ticks.first?.wait(waiter) }
        for step in 1...6 {
            loop.advanceTime(by: .milliseconds(40))
            #expect(waiters.count { $0.count == 1 } == 2 * step)
        }
        // The sockets of one publisher are read together.
        let waiter = Waiter()
        for ticks in publishers[1].ticks { ticks.wait(waiter) }
        publishers[1].hurry()
        #expect(waiter.count == 3)
    }

    /// The ticks of all intervals come together, so that the loop wakes once for all of them.
    @Test func longerIntervalsAreMultiplesOfShorterOnes() {
        let milliseconds = LoopPacing.intervals.map { TimeAmount($0).nanoseconds / 1_000_000 }
        #expect(zip(milliseconds, milliseconds.dropFirst()).allSatisfy { $0 > $1 && $0 % $1 == 0 })
    }

    /// Datagrams that are not read before the next tick must fit into the socket's receive buffer.
    @Test func onlyAPublisherWhoseBurstsAreSmallIsLeftUnread() {
        var meter = BurstMeter(interval: .milliseconds(40))
        let limit = meter.maximumDatagramCount
        #expect((80...100).contains(limit))
        var now = NIODeadline.uptimeNanoseconds(0)
        func send(_ datagramCount: Int, seconds: Int, _ meter: inout BurstMeter) {
            for _ in 0..<seconds {
                for _ in 0..<datagramCount { meter.received(now: now) }
                now = now + .milliseconds(500)
                meter.received(now: now)
                now = now + .milliseconds(500)
            }
        }
        send(limit, seconds: 9, &meter)
        #expect(!meter.isCalm)
        send(limit, seconds: 2, &meter)
        #expect(meter.isCalm)
        // Reads are immediate, until bursts have been small for ten seconds again.
        send(limit + 1, seconds: 1, &meter)
        #expect(!meter.isCalm)
        send(20, seconds: 9, &meter)
        #expect(!meter.isCalm)
        send(20, seconds: 12, &meter)
        #expect(meter.isCalm)
    }

    /// A larger receive buffer holds larger bursts, of which no more are left unread than are read in one turn.
    @Test func theReceiveBufferDecidesWhatIsSmall() {
        let sizes = [0, 212_992, 2 * 212_992, 1 << 20, 64 << 20]
        let limits = sizes.map { BurstMeter(interval: .seconds(1), receiveBufferByteCount: $0).maximumDatagramCount }
        #expect(limits == [0, 46, 92, 227, 256])
    }

    /// A burst that fits between two frames may not fit between two long ticks.
    @Test func burstsAreJudgedByTheTimeBetweenReads() {
        var meters = LoopPacing.intervals.map { BurstMeter(interval: $0) }
        var now = NIODeadline.uptimeNanoseconds(0)
        for _ in 0..<3_000 {
            for index in meters.indices { for _ in 0..<5 { meters[index].received(now: now) } }
            now = now + .milliseconds(10)
        }
        #expect(meters.map(\.isCalm) == [false, true, true])
    }
}
