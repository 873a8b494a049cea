import Testing

@testable import MediaCore

struct BeatClockTests {
    private let now = ContinuousClock.now

    @Test func sleepersWakeTogether() {
        let beats = (0..<50).map { BeatClock.beat(for: now + .milliseconds(10 * $0)) }
        #expect(Set(beats).count <= 2)
        for beat in beats.dropFirst() {
            let distance = beats[0].duration(to: beat)
            #expect(distance == .zero || distance == BeatClock.interval)
        }
    }

    @Test func aSleeperIsWokenHardlyEarlyAndNotMuchLater() {
        for milliseconds in stride(from: 0, to: 3_000, by: 7) {
            let deadline = now + .milliseconds(milliseconds)
            let delay = deadline.duration(to: BeatClock.beat(for: deadline))
            #expect(delay >= .zero - BeatClock.tolerance && delay < BeatClock.interval)
        }
    }

    /// Work between two sleeps does not make it miss each second beat.
    @Test func whoSleepsForABeatAgainAndAgainWakesAtEachBeat() {
        var beat = BeatClock.beat(for: now)
        for _ in 0..<10 {
            let next = BeatClock.beat(for: beat + .milliseconds(60) + BeatClock.interval)
            #expect(beat.duration(to: next) == BeatClock.interval)
            beat = next
        }
    }

    /// A loop with a short interval does not spin.
    @Test func aShortSleepIsOne() async throws {
        let clock = BeatClock()
        for _ in 0..<3 {
            let start = clock.now
            try await clock.sleep(for: .milliseconds(1))
            #expect(clock.now >= BeatClock.beat(for: start + BeatClock.tolerance))
        }
    }

    @Test func theNextBeatIsAhead() {
        for _ in 0..<100 {
            let time = BeatClock.timeToNextBeat
            #expect(time > .zero && time <= BeatClock.interval + .milliseconds(1))
        }
    }
}
