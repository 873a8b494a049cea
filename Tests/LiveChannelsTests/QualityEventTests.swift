import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import LiveChannels

/// The reports to observers of a channel about how well a push arrives.
struct QualityEventTests {
    private final class Events: Sendable {
        let kinds = Mutex<[LiveChannelEvent.Kind]>([])

        var qualities: [[QualityProblem]] {
            kinds.withLock { $0 }.compactMap { if case .quality(let problems, _) = $0 { problems } else { nil } }
        }
        var gaps: [(cause: MediaGapCause, count: Int, seconds: Double)] {
            kinds.withLock { $0 }.compactMap {
                if case .gap(let cause, let count, let seconds) = $0 { (cause, count, seconds) } else { nil }
            }
        }
    }

    private let clock = TestClock()
    private let events = Events()
    private let publisher: SyntheticPublisher

    init() throws {
        // What the preset "medium" promises.
        var settings = SyntheticPublisher.Settings()
        settings.frameByteCount = 5_500
        let channel = LiveChannel(
            configuration: TestMedia.channelConfiguration(),
            with: ChannelEquipment(observer: { [events] event in events.kinds.withLock { $0.append(event.kind) } }),
            clock: clock.wallClock, logger: TestMedia.silent)
        publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: 5)
    }

    private func pass(seconds: Int, lost: Int = 0) {
        for _ in 0..<seconds {
            publisher.epoch?.countReceived(byteCount: 0, packetCount: 100 - lost, trackID: 0)
            publisher.epoch?.countLost(packetCount: lost)
            publisher.run(seconds: 1)
        }
    }

    @Test func aPushAsPromisedIsNotMentioned() {
        pass(seconds: 60)
        #expect(events.qualities.isEmpty && events.gaps.isEmpty)
    }

    @Test func lossAndItsEndAreTold() {
        pass(seconds: 30, lost: 4)
        #expect(events.qualities == [[.loss]])
        pass(seconds: 60)
        #expect(events.qualities == [[.loss], []])
    }

    @Test func aRateFarBelowThePresetIsTold() throws {
        publisher.end()
        publisher.settings.frameByteCount = 500
        publisher.settings.keyFrameByteCount = 1_000
        try publisher.begin()
        pass(seconds: 30)
        #expect(events.qualities == [[.videoBitRate]])
    }

    @Test func framesThatAreMissingAreAGap() throws {
        publisher.muted = [.video]
        publisher.run(seconds: 3)
        publisher.muted = []
        publisher.run(seconds: 5)
        let gap = try #require(events.gaps.first)
        #expect(events.gaps.count == 1 && gap.cause == .missingFrames && gap.count == 1)
        #expect((3...3.2).contains(gap.seconds))
    }

    @Test func theTimeWithoutAPublisherIsAGap() throws {
        publisher.end()
        clock.advance(by: .seconds(7))
        try publisher.begin()
        publisher.run(seconds: 5)
        let gap = try #require(events.gaps.first)
        #expect(events.gaps.count == 1 && gap.cause == .interruption && (6.5...7.5).contains(gap.seconds))
    }

    /// After it, players have forgotten the channel.
    @Test func aPushAfterALongTimeHasNoGapBeforeIt() throws {
        publisher.end()
        clock.advance(by: LiveChannel.retention + .seconds(1))
        try publisher.begin()
        publisher.run(seconds: 5)
        #expect(events.gaps.isEmpty)
    }
}
