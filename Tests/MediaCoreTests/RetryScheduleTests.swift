import Testing

@testable import MediaCore

struct RetryScheduleTests {
    private static let schedule = RetrySchedule(
        first: .seconds(5), maximum: .seconds(60), jitter: 0.8...1.2, maximumRequestedDelay: .seconds(90))

    @Test func delaysDoubleUpToTheLimit() {
        #expect((0...5).map { Self.schedule.delay(after: $0) } == [5, 5, 10, 20, 40, 60].map(Duration.seconds))
        #expect(Self.schedule.delay(after: .max) == .seconds(60) && Self.schedule.delay(after: .min) == .seconds(5))
        #expect(Self.schedule.delay(after: 2, factor: 0.8) == .seconds(8))
    }

    @Test func theOtherSideCanAskForMoreUpToALimit() {
        #expect(Self.schedule.delay(after: 1, requestedDelay: .seconds(30)) == .seconds(30))
        #expect(Self.schedule.delay(after: 3, requestedDelay: .zero) == .seconds(20))
        #expect(Self.schedule.delay(after: 1, requestedDelay: .seconds(900)) == .seconds(90))
    }
}
