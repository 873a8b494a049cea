import MediaCore
import TestSupport
import Testing

@testable import LiveChannels

struct QualityWatchTests {
    private let clock = TestClock()

    /// Samples of one second each.
    private func pass(
        _ watch: inout QualityWatch, seconds: Int, lost: Int = 0, jitter: Duration = .zero,
        shortfalls: Set<QualityProblem> = []
    ) -> [QualityWatch.Change] {
        (0..<seconds).compactMap { _ in
            clock.advance(by: .seconds(1))
            return watch.note(
                .init(receivedPacketCount: 100 - lost, lostPacketCount: lost, jitter: jitter, shortfalls: shortfalls),
                now: clock.time)
        }
    }

    @Test func lossThatLastsIsToldOnceAndItsEndOnce() {
        var watch = QualityWatch()
        #expect(pass(&watch, seconds: 60).isEmpty)
        #expect(pass(&watch, seconds: 16, lost: 5) == [.init(problems: [.loss], loss: 0.05)])
        #expect(pass(&watch, seconds: 100, lost: 5).isEmpty)
        #expect(pass(&watch, seconds: 20) == [.init(problems: [], loss: 0)])
        #expect(pass(&watch, seconds: 100).isEmpty)
    }

    @Test func aShortBurstIsNotTold() {
        var watch = QualityWatch()
        _ = pass(&watch, seconds: 20)
        #expect(pass(&watch, seconds: 4, lost: 50).isEmpty)
        #expect(pass(&watch, seconds: 60).isEmpty)
    }

    @Test func qualityThatChangesAllTheTimeIsToldOncePerInterval() {
        var watch = QualityWatch()
        var changes: [QualityWatch.Change] = []
        let period = Int(QualityWatch.windowDuration.seconds) * QualityWatch.goodWindowCount + 1
        let rounds = 40
        for _ in 0..<rounds {
            changes += pass(&watch, seconds: period, lost: 9)
            changes += pass(&watch, seconds: period)
        }
        let intervals = Double(rounds * 2 * period) / QualityWatch.minimumChangeInterval.seconds
        #expect(!changes.isEmpty && Double(changes.count) <= intervals + 1)
        for (number, change) in changes.enumerated() { #expect(change.problems.isEmpty == (number % 2 == 1)) }
    }

    @Test func aProblemThatIsOnlySmallerIsNotOver() {
        var watch = QualityWatch()
        #expect(pass(&watch, seconds: 20, jitter: .milliseconds(400)).map(\.problems) == [[.jitter]])
        #expect(pass(&watch, seconds: 200, jitter: .milliseconds(200)).isEmpty)
        #expect(pass(&watch, seconds: 30, jitter: .milliseconds(20)).map(\.problems) == [[]])
        // Nor is it a problem when it begins so.
        #expect(pass(&watch, seconds: 200, jitter: .milliseconds(200)).isEmpty)
    }

    @Test func allProblemsAreNamedInOrder() {
        var watch = QualityWatch()
        let changes = pass(
            &watch, seconds: 20, lost: 100, jitter: .seconds(1), shortfalls: [.audioBitRate, .frameRate, .videoBitRate])
        #expect(changes == [.init(problems: QualityProblem.allCases, loss: 1)])
    }

    @Test func aNewPushBeginsWithoutProblemsAndDoesNotShortenTheInterval() {
        var watch = QualityWatch()
        #expect(pass(&watch, seconds: 16, lost: 5).count == 1)
        watch.begin()
        #expect(pass(&watch, seconds: 40, lost: 5).isEmpty)
        #expect(pass(&watch, seconds: 30, lost: 5).map(\.problems) == [[.loss]])
    }

    @Test func aTimeWithoutSamplesSaysNothing() {
        var watch = QualityWatch()
        _ = pass(&watch, seconds: 9, lost: 5)
        clock.advance(by: .seconds(3_600))
        #expect(pass(&watch, seconds: 60).isEmpty)
        clock.set(TestClock.start)
        #expect(pass(&watch, seconds: 60).isEmpty)
    }
}
