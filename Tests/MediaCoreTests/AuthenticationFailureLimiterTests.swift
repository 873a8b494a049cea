import NIOCore
import Testing

@testable import MediaCore

struct AuthenticationFailureLimiterTests {
    static let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test func theFirstFailureIsFreeAndThenDelaysDoubleToABound() {
        var limiter = AuthenticationFailureLimiter()
        var now = Self.start
        var waits: [TimeAmount] = []
        for _ in 0..<8 {
            switch limiter.admit("10.0.0.1", now: now) {
            case .now: waits.append(.zero)
            case .after(let wait):
                waits.append(wait)
                now = now + wait
            case .refused: Issue.record("refused")
            }
            limiter.failed("10.0.0.1", now: now)
        }
        #expect(
            waits == [.zero, .zero, .seconds(1), .seconds(2), .seconds(4)] + Array(repeating: .seconds(8), count: 3))
        #expect(limiter.admit("10.0.0.2", now: now) == .now)
    }

    @Test func whoWaitedMayTryAtOnce() {
        var limiter = AuthenticationFailureLimiter()
        for _ in 0..<2 { limiter.failed("a", now: Self.start) }
        #expect(limiter.admit("a", now: Self.start + .seconds(1)) == .now)
    }

    /// Many connections do not help: turns are assigned one after another, and then refused.
    @Test func attemptsAtTheSameTimeAreSpaced() {
        var limiter = AuthenticationFailureLimiter()
        for _ in 0..<3 { limiter.failed("a", now: Self.start) }
        let admissions = (0..<6).map { _ in limiter.admit("a", now: Self.start) }
        #expect(
            admissions == [
                .after(.seconds(2)), .after(.seconds(4)), .after(.seconds(6)), .after(.seconds(8)),
                .refused(retryAfter: .seconds(10)), .refused(retryAfter: .seconds(10)),
            ])
    }

    @Test func aSuccessHalvesWhatIsHeldAgainstTheAddress() {
        var limiter = AuthenticationFailureLimiter()
        limiter.failed("a", now: Self.start)
        limiter.succeeded("a")
        #expect(limiter.addressCount == 0)
        for _ in 0..<6 { limiter.failed("a", now: Self.start) }
        limiter.succeeded("a")
        limiter.failed("a", now: Self.start + .seconds(20))
        #expect(limiter.admit("a", now: Self.start + .seconds(20)) == .after(.seconds(4)))
        limiter.succeeded("unheard of")
    }

    @Test func failuresAreForgottenInTime() {
        var limiter = AuthenticationFailureLimiter()
        for _ in 0..<5 { limiter.failed("a", now: Self.start) }
        let later = Self.start + limiter.limits.memory
        #expect(limiter.admit("a", now: later) == .now)
        #expect(limiter.addressCount == 0)
        for _ in 0..<5 { limiter.failed("b", now: Self.start) }
        limiter.failed("b", now: later)
        #expect(limiter.admit("b", now: later) == .now)
    }

    @Test func holdsNoMoreAddressesThanItMay() {
        var limits = AuthenticationFailureLimiter.Limits()
        limits.maximumAddressCount = 3
        var limiter = AuthenticationFailureLimiter(limits: limits)
        for (second, address) in ["a", "b", "c", "a", "d"].enumerated() {
            limiter.failed(address, now: Self.start + .seconds(Int64(second)))
        }
        #expect(limiter.addressCount == 3)
        // "b" had no failure for the longest time and was replaced by "d".
        let now = Self.start + .seconds(4)
        limiter.failed("a", now: now)
        #expect(limiter.admit("a", now: now) == .after(.seconds(2)))
        limiter.failed("b", now: now)
        #expect(limiter.admit("b", now: now) == .now)
    }

    @Test func neitherManyFailuresNorLongDelaysTrap() {
        var limits = AuthenticationFailureLimiter.Limits()
        limits.firstDelay = .hours(1_000)
        var limiter = AuthenticationFailureLimiter(limits: limits)
        for _ in 0..<1_000 { limiter.failed("a", now: Self.start) }
        #expect(limiter.admit("a", now: Self.start) == .after(.seconds(8)))
        #expect(limiter.admit("a", now: .distantPast) == .refused(retryAfter: .seconds(17)))
    }
}
