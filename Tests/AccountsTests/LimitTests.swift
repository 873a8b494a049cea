import MediaCore
import NIOCore
import Testing

@testable import Accounts

struct LimitTests {
    private func group(_ address: String) -> AddressGroup {
        AddressGroup(try? SocketAddress(ipAddress: address, port: 1))
    }

    @Test func attemptsArePacedAndThenStopped() {
        var limiter = AttemptLimiter<String>(
            AttemptLimits(maximumCount: 8, window: .seconds(300), freeCount: 3, maximumPause: .seconds(4)))
        var now = Duration.zero
        var waits: [Duration] = []
        while waits.count < 8 {
            let wait = limiter.admit("a", now: now)
            if let wait {
                now += wait
                waits[waits.count - 1] += wait
            } else {
                waits.append(.zero)
            }
        }
        #expect(waits.map { $0 / .seconds(1) } == [0, 0, 1, 2, 4, 4, 4, 0])
        // The first was at 0.
        #expect(limiter.admit("a", now: now) == .seconds(300) - now)
        #expect(limiter.admit("b", now: now) == nil)
        #expect(limiter.admit("a", now: .seconds(301)) == nil)
    }

    @Test func whatIsTakenBackDoesNotCount() {
        var limiter = AttemptLimiter<Int>(AttemptLimits(maximumCount: 2, window: .seconds(10)))
        for _ in 0..<10 {
            #expect(limiter.admit(1, now: .zero) == nil)
            limiter.takeBack(1)
        }
        limiter.takeBack(2)
        #expect(limiter.keyCount == 0)
        #expect(limiter.admit(1, now: .zero) == nil && limiter.admit(1, now: .zero) == nil)
        #expect(limiter.admit(1, now: .zero) == .seconds(10))
    }

    @Test func theMemoryIsBoundedAndTheOldestAreForgotten() {
        var limiter = AttemptLimiter<Int>(
            AttemptLimits(maximumCount: 1, window: .seconds(1_000), maximumKeyCount: 100))
        for key in 0..<1_000 {
            #expect(limiter.admit(key, now: .milliseconds(key)) == nil)
            #expect(limiter.keyCount <= 100)
        }
        #expect(limiter.admit(999, now: .seconds(1)) != nil)
        #expect(limiter.admit(0, now: .seconds(1)) == nil)
    }

    @Test func aWholeIPv6NetworkIsOneAddress() {
        var limiter = LogInLimiter()
        for number in 1...5 {
            let wait = limiter.admit(
                group("2001:db8::\(number)"), account: "\(number)", isFamiliar: false, now: .zero)
            #expect(wait == nil)
        }
        #expect(limiter.admit(group("2001:db8::99"), account: "x", isFamiliar: false, now: .zero) != nil)
        #expect(limiter.admit(group("2001:db8:0:1::1"), account: "x", isFamiliar: false, now: .zero) == nil)
    }

    @Test func strangersDoNotLockOutTheOwner() {
        var limiter = LogInLimiter()
        // Strangers from many addresses use up the account's attempts.
        var refused = false
        for number in 0..<100 {
            let wait = limiter.admit(
                group("198.51.100.\(number)"), account: "ana", isFamiliar: false, now: .seconds(number))
            refused = refused || wait != nil
        }
        #expect(refused)
        #expect(limiter.admit(group("192.0.2.1"), account: "ana", isFamiliar: true, now: .seconds(100)) == nil)
        // Who guesses from the owner's own address is limited as well.
        var waits = 0
        for _ in 0..<20
        where limiter.admit(group("192.0.2.1"), account: "ana", isFamiliar: true, now: .seconds(100)) != nil {
            waits += 1
        }
        #expect(waits >= 15)
    }

    @Test func manyAtOnceDoNotPass() {
        var limiter = LogInLimiter()
        let admitted = (0..<100).count { _ in
            limiter.admit(group("192.0.2.1"), account: "ana", isFamiliar: false, now: .zero) == nil
        }
        #expect(admitted == 5)
    }
}
