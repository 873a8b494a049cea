import Foundation
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Synchronization
import Testing
import TestSupport

@testable import LiveChannels

/// Each publisher has an event loop of its own, which runs when the test says so.
struct SecondPublisherTests {
    let clock = TestClock()

    private func channel(_ policy: PublishingPolicy.SecondPublisher) -> LiveChannel {
        TestMedia.channel(clock: clock, publishing: PublishingPolicy(secondPublisher: policy))
    }

    private func begin(_ address: String, _ channel: LiveChannel) throws -> SyntheticPublisher {
        let publisher = SyntheticPublisher(channel, clock: clock)
        var description = TestMedia.publisher
        description.remoteAddress = address
        try publisher.begin(description)
        return publisher
    }

    // MARK: Refusing

    /// A line that broke without an end keeps nobody from coming back.
    @Test func aSilentPublisherGivesWayWhereASecondOneIsRefused() throws {
        let channel = channel(.refuse)
        let first = try begin("192.0.2.1:1", channel)
        first.run(seconds: 5)
        clock.advance(by: .seconds(3))
        #expect(channel.publishingError(presetName: nil) != nil)
        #expect(throws: PublishingError.self) { try begin("192.0.2.2:2", channel) }
        #expect(first.kicks.reasons.isEmpty)
        clock.advance(by: .seconds(2))
        #expect(channel.publishingError(presetName: nil) == nil)
        let second = try begin("192.0.2.2:2", channel)
        #expect(first.kicks.reasons == ["192.0.2.2:2 took over the channel"])
        first.end(reason: "kicked", isIntended: true)
        second.eventLoop.run()
        second.run(seconds: 2)
        #expect(channel.status().publisher?.address == "192.0.2.2:2" && second.kicks.reasons.isEmpty)
        #expect(throws: PublishingError.self) { try begin("192.0.2.3:3", channel) }
    }

    /// Nor does one from which nothing has ever come.
    @Test func aPublisherThatSendsNothingGivesWay() throws {
        let channel = channel(.refuse)
        let first = try begin("192.0.2.1:1", channel)
        #expect(throws: PublishingError.self) { try begin("192.0.2.2:2", channel) }
        clock.advance(by: LiveChannel.publisherSilenceDuration)
        _ = try begin("192.0.2.2:2", channel)
        #expect(first.kicks.reasons.count == 1)
    }

    // MARK: Taking over

    @Test func aTakeOverKicksTheFirstAndViewersSeeOneDiscontinuity() throws {
        let channel = channel(.takeOver)
        let observer = PlaylistObserver(channel, clock: clock)
        let first = try begin("192.0.2.1:1", channel)
        first.run(seconds: 5)
        observer.loadAll()
        let second = try begin("192.0.2.2:2", channel)
        #expect(first.kicks.reasons == ["192.0.2.2:2 took over the channel"])
        #expect(second.epoch?.isWaiting == true)
        #expect(channel.status().publisher?.address == "192.0.2.1:1", "until it has ended")
        second.run(seconds: 0.5)
        first.end(reason: "kicked", isIntended: true)
        #expect(channel.status().publisher?.address == "192.0.2.2:2", "before any loop has run")
        second.eventLoop.run()
        #expect(second.epoch?.isWaiting == false)
        second.run(seconds: 7)
        observer.loadAll()
        #expect(channel.status().state == .live && channel.status().errors.isEmpty)
        let video = try #require(observer.load("video"))
        #expect(video.segments.map(\.isDiscontinuous) == [false, false, false, true, false])
        #expect(second.kicks.reasons.isEmpty)
    }

    @Test func aThirdPublisherReplacesTheOneThatWasAboutToTakeOver() throws {
        let channel = channel(.takeOver)
        let first = try begin("192.0.2.1:1", channel)
        let second = try begin("192.0.2.2:2", channel)
        let third = try begin("192.0.2.3:3", channel)
        #expect(first.kicks.reasons.count == 1, "it has been told already")
        #expect(second.kicks.reasons == ["192.0.2.3:3 took over the channel"])
        second.end(isIntended: true)
        #expect(channel.fanOut.broadcast?.identifier == 1, "one that waits has no readers to send away")
        first.end(isIntended: true)
        #expect(channel.status().publisher?.address == "192.0.2.3:3")
        third.eventLoop.run()
        third.run(seconds: 3)
        #expect(channel.status().state == .live)
        #expect(channel.status().waitingPublishers.isEmpty)
    }

    /// Encoders that all come back for ever must not gather.
    @Test func takingOverAgainAndAgainHoldsNoMoreThanTwo() throws {
        let channel = channel(.takeOver)
        var publishers = [try begin("192.0.2.0:0", channel)]
        for number in 1...50 { publishers.append(try begin("192.0.2.1:\(number)", channel)) }
        #expect(channel.status().waitingPublishers.map(\.address) == ["192.0.2.1:50"])
        #expect(publishers.dropLast().allSatisfy { $0.kicks.reasons.count == 1 })
        #expect(publishers.last?.kicks.reasons == [])
    }

    // MARK: Waiting

    @Test func theQueueMovesOnOldestFirst() throws {
        let channel = channel(.queue)
        let first = try begin("192.0.2.1:1", channel)
        first.run(seconds: 3)
        let second = try begin("192.0.2.2:2", channel)
        let third = try begin("192.0.2.3:3", channel)
        #expect(channel.status().waitingPublishers.map(\.address) == ["192.0.2.2:2", "192.0.2.3:3"])
        #expect(first.kicks.reasons.isEmpty)
        first.end()
        #expect(channel.status().publisher?.address == "192.0.2.2:2")
        #expect(channel.status().publisher?.since == Date(clock.time))
        second.eventLoop.run()
        second.end()
        third.eventLoop.run()
        third.run(seconds: 3)
        #expect(channel.status().publisher?.address == "192.0.2.3:3")
        #expect(channel.status().state == .live)
        third.end()
        #expect(channel.status().publisher == nil)
    }

    @Test func whoWaitsIsDroppedAndCountedAndStartsAtAKeyFrame() throws {
        let channel = channel(.queue)
        let first = try begin("192.0.2.1:1", channel)
        first.run(seconds: 1)
        let bytesIn = channel.status().bytesIn
        let second = try begin("192.0.2.2:2", channel)
        second.run(seconds: 5)
        second.epoch?.countLost(packetCount: 7)
        second.epoch?.reportError("track 0: malformed")
        #expect(channel.status().packetsLost == 0 && channel.status().errors.isEmpty)
        #expect(channel.status().bytesIn == bytesIn)
        #expect((200_000...500_000).contains(channel.status().bytesDiscarded), "\(channel.status().bytesDiscarded)")
        #expect(channel.window().renditions.allSatisfy { $0.listed.isEmpty }, "nothing of it is shown")
        first.end(isIntended: true)
        second.eventLoop.run()
        // It is in the middle of a group of pictures: 2 s long, the next one begins at 6 s.
        let observer = PlaylistObserver(channel, clock: clock)
        second.run(seconds: 5)
        let video = try #require(observer.load("video"))
        let shown = try #require(video.segments.first { $0.isDiscontinuous })
        #expect(shown.programDateTime == (TestClock.start + .milliseconds(7_000)).millisecondsSince1970)
        #expect(video.hasIndependentSegments)
        #expect(channel.status().bytesIn > bytesIn)
    }

    /// Parameters that came in band while it waited are not lost, and are in its own status only.
    @Test func parametersThatComeWhileWaitingAreKept() throws {
        let channel = channel(.queue)
        let first = try begin("192.0.2.1:1", channel)
        first.run(seconds: 3)
        let epoch = try channel.beginPublishing(
            TestMedia.publisher, tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: nil)],
            on: first.eventLoop, onKick: { _ in })
        epoch.updateConfiguration(TestMedia.video720, trackID: 0)
        #expect(channel.status().tracks.first?.width == 640)
        first.end()
        #expect(channel.status().tracks.first?.width == 1_280)
        first.eventLoop.run()
        #expect(channel.fanOut.broadcast?.tracks.map(\.configuration) == [TestMedia.video720])
    }

    @Test func theQueueIsBoundedAndTheLimitIsSaidBeforehand() throws {
        let channel = channel(.queue)
        #expect(channel.publishingError(presetName: nil) == nil)
        #expect(channel.publishingError(presetName: "x") == .unknownPreset("x", allowed: ["low", "medium"]))
        var publishers = [try begin("192.0.2.1:1", channel)]
        for _ in 0..<LiveChannel.maximumWaitingPublisherCount {
            #expect(channel.publishingError(presetName: "low") == nil)
            publishers.append(try begin("192.0.2.1:1", channel))
        }
        let expected = PublishingError.channelBusy(
            since: Date(TestClock.start), publisher: "192.0.2.1:1")
        #expect(channel.publishingError(presetName: nil) == expected)
        #expect(throws: expected) { try begin("192.0.2.1:1", channel) }
        publishers[2].end()
        #expect(channel.publishingError(presetName: nil) == nil, "a waiter that ends makes room")
        #expect(channel.status().errors.isEmpty, "nobody was watching it")
        #expect(channel.status().waitingPublishers.count == LiveChannel.maximumWaitingPublisherCount - 1)
    }

    @Test func aPushThatEndsBetweenItsTurnAndItsLoopLetsTheNextOneIn() throws {
        let channel = channel(.queue)
        let first = try begin("192.0.2.1:1", channel)
        let second = try begin("192.0.2.2:2", channel)
        let third = try begin("192.0.2.3:3", channel)
        first.end()
        let epoch = second.epoch
        second.end()
        #expect(channel.status().publisher?.address == "192.0.2.3:3")
        second.eventLoop.run()
        #expect(epoch?.isWaiting == false)
        #expect(channel.fanOut.broadcast == nil)
        third.eventLoop.run()
        #expect(channel.fanOut.broadcast != nil)
        third.run(seconds: 3)
        #expect(channel.status().state == .live)
    }

    @Test func shuttingDownKicksThoseWhoWaitToo() throws {
        let channel = channel(.queue)
        let publishers = try (1...3).map { try begin("192.0.2.1:\($0)", channel) }
        channel.close()
        #expect(publishers.allSatisfy { $0.kicks.reasons == ["the server is shutting down"] })
        for publisher in publishers {
            publisher.end()
            publisher.eventLoop.run()
        }
        #expect(channel.status().publisher == nil)
        #expect(channel.publishingError(presetName: nil) == .closed)
    }

    @Test func viewersWhoWaitAreNotSentAwayWhileSomeoneIsNext() throws {
        let channel = channel(.queue)
        let first = try begin("192.0.2.1:1", channel)
        let second = try begin("192.0.2.2:2", channel)
        var answer: Bool?
        channel.wait(for: .firstPart, identifier: 1, on: EmbeddedEventLoop()).assumeIsolated()
            .whenSuccess { answer = $0 }
        first.end()
        #expect(answer == nil)
        second.eventLoop.run()
        second.run(seconds: 2.5)
        #expect(answer == true)
    }

    @Test func readersGetTheNextPushWhenTheFirstHasEnded() throws {
        let channel = channel(.takeOver)
        let first = try begin("192.0.2.1:1", channel)
        #expect(channel.fanOut.broadcast?.identifier == 1)
        let second = try begin("192.0.2.2:2", channel)
        #expect(channel.fanOut.broadcast?.identifier == 1)
        first.end(isIntended: true)
        #expect(channel.fanOut.broadcast == nil)
        second.eventLoop.run()
        #expect(channel.fanOut.broadcast?.identifier == 2)
        second.end()
        #expect(channel.fanOut.broadcast == nil)
    }

    // MARK: Threads

    /// A push on a thread of its own, which ends when it is kicked, as a connection does.
    private final class ThreadedPublisher: Sendable {
        let eventLoop = NIOAsyncTestingEventLoop()
        private let state = Mutex(State())

        private struct State {
            var epoch: NIOLoopBound<PublishingEpoch>?
            var isKicked = false
        }

        func begin(_ channel: LiveChannel, name: String) async throws {
            let description = Publisher(
                remoteAddress: name, userAgent: nil, transport: "RTSP/TCP", presetName: nil)
            try await eventLoop.executeInContext { [self] in
                let epoch = try channel.beginPublishing(
                    description,
                    tracks: [PublishedTrack(track: TestMedia.videoTrack, configuration: TestMedia.video360)],
                    on: eventLoop, onKick: { _ in self.eventLoop.execute { self.end() } })
                let bound = NIOLoopBound(epoch, eventLoop: eventLoop)
                state.withLock { $0.epoch = bound }
            }
        }

        private func end() {
            let epoch = state.withLock { state in
                state.isKicked = true
                return state.epoch
            }
            epoch?.value.end(reason: "kicked", isIntended: true)
        }

        /// - Returns: whether the push goes on.
        func push(_ unit: AccessUnit) async throws -> Bool {
            await eventLoop.run()
            return try await eventLoop.executeInContext { [self] in
                let (epoch, isKicked) = state.withLock { ($0.epoch, $0.isKicked) }
                if !isKicked { epoch?.value.append(unit, trackID: 0) }
                return !isKicked
            }
        }
    }

    @Test func publishersOnThreadsOfTheirOwnNeverOverlap() async throws {
        let channel = channel(.takeOver)
        let publishers = (0..<24).map { _ in ThreadedPublisher() }
        let unit = AccessUnit(
            decodeTime: 0, presentationTime: 0, isRandomAccessPoint: true, payload: .frame(ByteBuffer(string: "x")))
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, publisher) in publishers.enumerated() {
                group.addTask {
                    try await publisher.begin(channel, name: "\(number)")
                    for _ in 0..<20 where try await publisher.push(unit) {}
                }
            }
            try await group.waitForAll()
        }
        // All that have been told to end do so, whichever way the threads ran.
        for _ in 0..<2 { for publisher in publishers { await publisher.eventLoop.run() } }
        var survivors = 0
        for publisher in publishers where try await publisher.push(unit) { survivors += 1 }
        #expect(survivors == 1)
        #expect(channel.status().publisher != nil && channel.status().waitingPublishers.isEmpty)
        #expect(channel.fanOut.broadcast != nil)
        #expect(channel.status().errors.isEmpty)
        // Each epoch that was shown has its own segments, one after the other.
        let listed = channel.window().rendition(named: "video")?.listed ?? []
        #expect(zip(listed, listed.dropFirst()).allSatisfy { $1.mediaSequence == $0.mediaSequence + 1 })
        channel.close()
        for publisher in publishers { await publisher.eventLoop.run() }
        #expect(channel.status().publisher == nil && channel.fanOut.broadcast == nil)
    }
}
