import Testing

@testable import MediaStorage

struct CircuitBreakerTests {
    private func breaker() -> CircuitBreaker {
        CircuitBreaker(failuresUntilOpen: 3, openTimes: .seconds(2)...(.seconds(5)))
    }

    private func admits(_ breaker: inout CircuitBreaker, _ now: Duration) -> Bool { breaker.admits(at: now) }

    @Test func opensAfterConsecutiveFailures() {
        var breaker = breaker()
        breaker.failed(at: .zero)
        breaker.failed(at: .zero)
        breaker.succeeded()
        breaker.failed(at: .zero)
        breaker.failed(at: .zero)
        #expect(!breaker.isOpen(at: .zero) && admits(&breaker, .zero))
        breaker.failed(at: .seconds(1))
        #expect(breaker.isOpen(at: .seconds(2)) && !admits(&breaker, .seconds(2)))
    }

    @Test func triesWithOneRequestAtATimeAndWaitsLonger() {
        var breaker = breaker()
        for _ in 0..<3 { breaker.failed(at: .zero) }
        #expect(!breaker.isOpen(at: .seconds(2)))
        #expect(admits(&breaker, .seconds(2)))
        #expect(!admits(&breaker, .seconds(2)) && breaker.isOpen(at: .seconds(100)))
        breaker.failed(at: .seconds(3))
        #expect(breaker.isOpen(at: .seconds(6)) && !breaker.isOpen(at: .seconds(7)))
        #expect(admits(&breaker, .seconds(7)))
        breaker.failed(at: .seconds(7))
        // Never longer than the limit.
        #expect(breaker.isOpen(at: .seconds(11)) && admits(&breaker, .seconds(12)))
        breaker.succeeded()
        #expect(admits(&breaker, .seconds(12)) && admits(&breaker, .seconds(12)))
    }

    @Test func anAbandonedTrialLetsTheNextOneBegin() {
        var breaker = breaker()
        for _ in 0..<3 { breaker.failed(at: .zero) }
        #expect(admits(&breaker, .seconds(2)))
        breaker.abandoned(at: .seconds(2))
        #expect(admits(&breaker, .seconds(2)))
    }
}
