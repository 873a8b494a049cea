import MediaCore
import TestSupport
import Testing

@testable import Webhooks

struct DeliveryRetriesTests {
    private static let begin = TestClock.start

    private static func next(
        _ count: Int, after elapsed: Duration = .zero, asking delay: Duration? = nil, factor: Double = 1
    ) -> Duration? {
        DeliveryRetries.nextAttempt(
            after: count, createdAt: begin, at: begin + elapsed, requestedDelay: delay, factor: factor
        ).map { $0 - begin - elapsed }
    }

    @Test func delaysDoubleUpToTheLimit() {
        #expect((1...4).map { Self.next($0) } == [.seconds(5), .seconds(10), .seconds(20), .seconds(40)])
        #expect(Self.next(12) == .seconds(10_240) && Self.next(13) == DeliveryRetries.schedule.maximumDelay)
        #expect(Self.next(.max) == DeliveryRetries.schedule.maximumDelay && Self.next(.min) == .seconds(5))
        #expect(Self.next(1, factor: 0.8) == .seconds(4) && Self.next(1, factor: 1.2) == .seconds(6))
    }

    @Test func theLastAttemptIsADayAfterTheMessage() {
        #expect(Self.next(20, after: .seconds(86_399)) == .seconds(1))
        #expect(Self.next(20, after: DeliveryRetries.patience) == nil)
    }

    @Test func aReceiverCanAskForALongerDelayAndNotForAShorterOne() {
        #expect(Self.next(1, asking: .seconds(60)) == .seconds(60) && Self.next(1, asking: .zero) == .seconds(5))
        #expect(Self.next(1, asking: .seconds(1_000_000)) == DeliveryRetries.schedule.maximumRequestedDelay)
    }
}
