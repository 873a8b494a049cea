import TestSupport
import Testing

@testable import MediaStorage

struct AttemptBudgetTests {
    private static func failure(isRetryable: Bool = true, retryAfter: Duration? = nil) -> AttemptFailure {
        var failure = AttemptFailure(MediaStorageError(.unavailable, "away"), isRetryable: isRetryable)
        failure.retryAfter = retryAfter
        return failure
    }

    @Test func delaysGrowUpToABoundAndAreSpread() throws {
        var policy = RetryPolicy()
        policy.maximumTryCount = 12
        policy.totalLimit = .seconds(1_000)
        var random = SeededGenerator(seed: 1)
        var longest = [Duration](repeating: .zero, count: 11)
        var shortest = [Duration](repeating: .seconds(100), count: 11)
        for _ in 0..<200 {
            var budget = AttemptBudget(policy)
            for index in 0..<11 {
                let delay = budget.delay(after: Self.failure(), elapsed: .zero, using: &random)
                longest[index] = max(longest[index], try #require(delay))
                shortest[index] = min(shortest[index], try #require(delay))
            }
            let last = budget.delay(after: Self.failure(), elapsed: .zero, using: &random)
            #expect(last == nil)
        }
        #expect(longest[0] <= .milliseconds(200) && longest[0] > .milliseconds(180))
        #expect(longest[1] <= .milliseconds(400) && longest[1] > .milliseconds(360))
        #expect(longest[10] <= .seconds(5) && longest[10] > .milliseconds(4_500))
        #expect(shortest.allSatisfy { $0 < .milliseconds(500) })
    }

    @Test func endsAfterTheTotalLimit() {
        var random = SeededGenerator(seed: 1)
        var budget = AttemptBudget(RetryPolicy())
        let late = budget.delay(after: Self.failure(), elapsed: .seconds(30), using: &random)
        #expect(late == nil)
        let inTime = budget.delay(after: Self.failure(), elapsed: .seconds(29), using: &random)
        #expect(inTime != nil)
    }

    @Test func waitsAsLongAsTheStoreAsksUpToALimit() throws {
        var random = SeededGenerator(seed: 1)
        var budget = AttemptBudget(RetryPolicy())
        let asked = budget.delay(after: Self.failure(retryAfter: .seconds(7)), elapsed: .zero, using: &random)
        #expect(asked == .seconds(7))
        let tooLong = budget.delay(after: Self.failure(retryAfter: .seconds(900)), elapsed: .zero, using: &random)
        #expect(tooLong == .seconds(20))
    }

    @Test func doesNotRepeatWhatCannotSucceed() {
        var random = SeededGenerator(seed: 1)
        var budget = AttemptBudget(RetryPolicy())
        let delay = budget.delay(after: Self.failure(isRetryable: false), elapsed: .zero, using: &random)
        #expect(delay == nil)
    }
}
