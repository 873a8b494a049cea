import MediaCore
import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import LiveChannels

struct LiveChannelWaitingTests {
    let clock = TestClock()
    let eventLoop = EmbeddedEventLoop()

    /// The answer to a waiter; `nil` while it waits.
    private final class Answer {
        var value: Bool?
    }

    private func wait(_ channel: LiveChannel, _ identifier: Int) -> Answer {
        let answer = Answer()
        channel.wait(for: .firstSegment(rendition: "video"), identifier: identifier, on: eventLoop).assumeIsolated()
            .whenSuccess { answer.value = $0 }
        return answer
    }

    @Test func nobodyWaitsForAnIdleChannel() {
        #expect(wait(TestMedia.channel(clock: clock), 1).value == false)
    }

    @Test func theFirstSegmentAnswersEverybody() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let early = wait(channel, 1)
        publisher.run(seconds: 1.9)
        let late = wait(channel, 2)
        #expect(early.value == nil && late.value == nil)
        publisher.run(seconds: 0.3)
        #expect(early.value == true && late.value == true)
        #expect(wait(channel, 3).value == true, "there is something to play already")
    }

    @Test func theEndOfThePushAnswersToo() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let waiting = wait(channel, 1)
        publisher.end()
        #expect(waiting.value == false)
    }

    @Test func closingTheServerAnswersToo() throws {
        let directory = LiveChannelDirectory(
            configurations: [TestMedia.channelConfiguration()], clock: clock.wallClock, logger: TestMedia.silent)
        let channel = try #require(directory.channel(named: "canalA"))
        try SyntheticPublisher(channel, clock: clock).begin()
        let waiting = wait(channel, 1)
        directory.close()
        #expect(waiting.value == false)
    }

    @Test func whoStopsWaitingIsAnsweredOnceAndAlone() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let (first, second) = (wait(channel, 1), wait(channel, 2))
        channel.stopWaiting(1)
        channel.stopWaiting(1)
        channel.stopWaiting(99)
        #expect(first.value == false && second.value == nil)
        publisher.run(seconds: 2.5)
        #expect(second.value == true)
    }

    /// One timer ends the waits of all, each at its own time, also when a wait that ends earlier begins later.
    @Test func eachWaitsUntilItsOwnDeadline() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let start = eventLoop.now
        func wait(_ identifier: Int, seconds: Int64) -> Answer {
            let answer = Answer()
            channel.wait(
                for: identifier % 2 == 0 ? .firstPart : .firstSegment(rendition: "video"), identifier: identifier,
                on: eventLoop, until: start + .seconds(seconds)
            ).assumeIsolated().whenSuccess { answer.value = $0 }
            return answer
        }
        let (late, early, latest) = (wait(1, seconds: 18), wait(2, seconds: 10), wait(3, seconds: 20))
        eventLoop.advanceTime(by: .seconds(9))
        #expect(early.value == nil && late.value == nil && latest.value == nil)
        eventLoop.advanceTime(by: .seconds(1))
        #expect(early.value == false && late.value == nil && latest.value == nil)
        eventLoop.advanceTime(by: .seconds(8))
        #expect(late.value == false && latest.value == nil)
        #expect(channel.heldRequestCount == 1)
        eventLoop.advanceTime(by: .seconds(2))
        #expect(latest.value == false)
        #expect(channel.heldRequestCount == 0)
        // The timer runs again for viewers who come after that.
        let next = wait(4, seconds: 30)
        eventLoop.advanceTime(by: .seconds(10))
        #expect(next.value == false)
    }

    /// However often a wait that ends earlier comes later, one timer goes on.
    @Test func aTimerThatAnEarlierOneHasReplacedEnds() {
        var waiters = ViewerWaiters()
        func time(_ seconds: Int64) -> NIODeadline { .uptimeNanoseconds(0) + .seconds(seconds) }
        func append(_ identifier: Int, until seconds: Int64) -> NIODeadline? {
            waiters.append(
                identifier, for: .firstPart, until: time(seconds), promise: eventLoop.makePromise(of: Bool.self))
        }
        #expect(append(1, until: 18) == time(18))
        #expect(append(2, until: 10) == time(10))
        #expect(append(3, until: 20) == nil)
        var fired = waiters.timerFired(time(10), now: time(10))
        fired.released.answer()
        #expect(fired.next == time(18) && waiters.count == 2)
        fired = waiters.timerFired(time(18), now: time(18))
        fired.released.answer()
        #expect(fired.next == time(20) && waiters.count == 1)
        // The other timer for that time, which was the first.
        #expect(waiters.timerFired(time(18), now: time(18)).next == nil)
        #expect(waiters.count == 1)
        fired = waiters.timerFired(time(20), now: time(20))
        fired.released.answer()
        #expect(fired.next == nil && waiters.count == 0)
    }

    @Test func thoseWaitingAreBounded() throws {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        let waiting = (0..<LiveChannel.maximumWaiterCount).map { wait(channel, $0) }
        #expect(waiting.allSatisfy { $0.value == nil })
        #expect(wait(channel, -1).value == false)
        channel.stopWaiting(0)
        let next = wait(channel, -2)
        #expect(next.value == nil)
        publisher.end()
        #expect(waiting.allSatisfy { $0.value == false } && next.value == false)
    }
}
