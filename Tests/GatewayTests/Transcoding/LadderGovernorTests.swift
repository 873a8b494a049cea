import NIOCore
import Testing

@testable import LiveWorkers

struct LadderGovernorTests {
    private static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    /// Seconds and the number of qualities that are left out, at each change.
    private static func changes(
        of governor: inout LadderGovernor, seconds: Range<Int64>, delay: (Int64) -> TimeAmount
    ) -> [[Int64]] {
        seconds.compactMap { second in
            governor.note(delay: delay(second), now: start + .seconds(second))
                ? [second, Int64(governor.droppedCount)] : nil
        }
    }

    @Test func oneAfterTheOtherGoesWhileTheMachineIsLate() {
        var governor = LadderGovernor(rungCount: 3)
        let changes = Self.changes(of: &governor, seconds: 0..<20) { _ in .milliseconds(800) }
        #expect(changes == [[1, 1], [4, 2], [7, 3]])
    }

    @Test func oneHiccupCostsNothing() {
        var governor = LadderGovernor(rungCount: 3)
        let changes = Self.changes(of: &governor, seconds: 0..<100) { .milliseconds($0 % 2 == 0 ? 900 : 10) }
        #expect(changes.isEmpty)
    }

    @Test func aQualityComesBackAfterThirtySecondsOfHeadroom() {
        var governor = LadderGovernor(rungCount: 2)
        let changes = Self.changes(of: &governor, seconds: 0..<200) { .milliseconds($0 < 10 ? 800 : 20) }
        #expect(changes == [[1, 1], [4, 2], [40, 1], [71, 0]])
    }

    @Test func delaysBetweenTheLimitsAreNoHeadroom() {
        var governor = LadderGovernor(rungCount: 1)
        let changes = Self.changes(of: &governor, seconds: 0..<200) { .milliseconds($0 < 3 ? 800 : 150) }
        #expect(changes == [[1, 1]])
    }

    /// A machine that has time only without it would lose it every half minute.
    @Test func aQualityThatHasToGoAgainSoonStaysAwayForLonger() {
        var governor = LadderGovernor(rungCount: 1)
        var isEncoded = true
        var returns: [Int64] = []
        for second in Int64(0)..<2_000 {
            let delay = TimeAmount.milliseconds(isEncoded ? 900 : 10)
            guard governor.note(delay: delay, now: Self.start + .seconds(second)) else { continue }
            isEncoded = governor.droppedCount == 0
            if isEncoded { returns.append(second) }
        }
        let distances = zip(returns, returns.dropFirst()).map { $1 - $0 }
        #expect(distances.count >= 4 && zip(distances, distances.dropFirst()).allSatisfy { $1 > $0 })
        #expect(governor.patience <= LadderGovernor.longestPatience)
    }
}

struct SourceRateTests {
    private static func measured(_ bitRate: Int) -> SourceRate {
        var rate = SourceRate()
        let start = NIODeadline.uptimeNanoseconds(1_000_000_000)
        _ = rate.measure(now: start)
        rate.add(byteCount: bitRate / 8 * 5)
        _ = rate.measure(now: start + SourceRate.firstInterval)
        return rate
    }

    @Test func qualitiesHaveTheBitRatesOfTheirPresets() {
        let presets = [1_200_000, 400_000]
        #expect(SourceRate().bitRates(presets, current: presets) == presets, "before a measurement")
        #expect(Self.measured(2_500_000).bitRates(presets, current: presets) == presets)
    }

    @Test func qualitiesStayBelowTheSource() {
        let presets = [1_200_000, 400_000]
        #expect(Self.measured(600_000).bitRates(presets, current: presets) == [450_000, 400_000], "near enough")
        #expect(Self.measured(300_000).bitRates(presets, current: presets) == [225_000, 168_750])
        #expect(Self.measured(0).bitRates(presets, current: presets) == [50_000, 50_000])
        #expect(Self.measured(630_000).bitRates(presets, current: [450_000, 337_500]) == [450_000, 337_500], "near")
    }
}
