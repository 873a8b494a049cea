import NIOCore
import NIOEmbedded
import Testing
import MediaCore

@testable import HLSDelivery

struct DeliveryBudgetTests {
    let eventLoop = EmbeddedEventLoop()

    private func group(_ number: Int) throws -> AddressGroup {
        AddressGroup(try SocketAddress(ipAddress: "192.0.2.\(number)", port: 1))
    }

    /// Records the outcome of one claim.
    private final class Claimant {
        var claim: DeliveryClaim?
        var hasFailed = false
        var cancel: (@Sendable () -> Void)?
    }

    private func claim(
        _ byteCount: Int, isShared: Bool = false, _ budget: DeliveryBudget, _ number: Int
    ) throws -> Claimant {
        let claimant = Claimant()
        switch budget.claim(.init(byteCount: byteCount, isShared: isShared), of: try group(number), on: eventLoop) {
        case .granted(let claim): claimant.claim = claim
        case .refused: claimant.hasFailed = true
        case .waiting(let future, let cancel):
            claimant.cancel = cancel
            future.assumeIsolated().whenComplete { result in
                switch result {
                case .success(let claim): claimant.claim = claim
                case .failure: claimant.hasFailed = true
                }
            }
        }
        return claimant
    }

    @Test func whatIsClaimedIsGivenBack() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let first = try claim(250, budget, 1)
        #expect(budget.usedByteCount == 250)
        first.claim = nil
        #expect(budget.usedByteCount == 0)
    }

    @Test func requestsBeyondTheBudgetWaitTheirTurn() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let holders = try (1...4).map { try claim(250, budget, $0) }
        let waiting = try (5...7).map { try claim(250, budget, $0) }
        #expect(holders.allSatisfy { $0.claim != nil } && waiting.allSatisfy { $0.claim == nil && !$0.hasFailed })
        for (index, holder) in holders.prefix(3).enumerated() {
            holder.claim = nil
            eventLoop.run()
            #expect(waiting.prefix(index + 1).allSatisfy { $0.claim != nil })
            #expect(waiting.dropFirst(index + 1).allSatisfy { $0.claim == nil })
            #expect(budget.usedByteCount == 1_000)
        }
        #expect(budget.waitingCount == 0)
    }

    @Test func waitingEndsAfterAWhile() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let holder = try claim(1_000, budget, 1)
        let waiting = try claim(10, budget, 2)
        eventLoop.advanceTime(by: TimeAmount(DeliveryBudget.maximumWait - .milliseconds(1)))
        #expect(!waiting.hasFailed)
        eventLoop.advanceTime(by: .milliseconds(1))
        #expect(waiting.hasFailed && budget.waitingCount == 0)
        holder.claim = nil
        #expect(budget.usedByteCount == 0)
    }

    @Test func aClientThatGoesAwayWaitsNoLonger() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let holder = try claim(600, budget, 1)
        let large = try claim(900, budget, 2)
        let small = try claim(100, budget, 3)
        #expect(small.claim == nil, "those who need much are not passed over for ever")
        large.cancel?()
        eventLoop.run()
        #expect(large.hasFailed && small.claim != nil)
        withExtendedLifetime(holder) {}
    }

    @Test func oneAddressHoldsAQuarterWhileOthersAreServed() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let greedy = try (0..<20).map { _ in try claim(50, budget, 1) }
        #expect(greedy.count { $0.claim != nil } == 5)
        let others = try (2...4).map { try claim(200, budget, $0) }
        #expect(others.allSatisfy { $0.claim != nil })
        greedy[0].claim = nil
        eventLoop.run()
        #expect(greedy.count { $0.claim != nil } == 5, "the next one of the same address")
    }

    @Test func addressesTakeTurns() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let holder = try claim(1_000, budget, 9)
        var order: [Int] = []
        let waiting = try [1, 1, 1, 2, 3].map { ($0, try claim(100, budget, $0)) }
        holder.claim = nil
        for (number, _) in waiting { order.append(number) }
        eventLoop.run()
        let granted = waiting.filter { $0.1.claim != nil }.map(\.0)
        #expect(granted.contains(2) && granted.contains(3))
        #expect(granted.count { $0 == 1 } == 2, "a quarter of the budget")
    }

    @Test func clientsOnThisMachineShareOneAddressBehindAProxy() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let proxy = AddressGroup(try SocketAddress(ipAddress: "127.0.0.1", port: 1))
        var claims: [DeliveryClaim] = []
        for _ in 0..<10 {
            guard case .granted(let claim) = budget.claim(.init(byteCount: 100), of: proxy, on: eventLoop) else {
                Issue.record("it has to wait")
                return
            }
            claims.append(claim)
        }
        #expect(budget.usedByteCount == 1_000)
    }

    @Test func aSharedResourceIsChargedOnceAndAsLongAsAnybodyHoldsIt() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let first = try claim(300, budget, 1)
        let charge = try #require(first.claim).charge(120)
        #expect(budget.usedByteCount == 120, "making it took more memory than it has")
        first.claim = nil
        #expect(budget.usedByteCount == 120)
        let sharing = try (2...9).map { try claim(120, isShared: true, budget, $0) }
        #expect(sharing.allSatisfy { $0.claim != nil } && budget.usedByteCount == 120)
        withExtendedLifetime(charge) {}
    }

    @Test func theQueueIsBounded() throws {
        let budget = DeliveryBudget(maximumByteCount: 1_000)
        let holder = try claim(1_000, budget, 1)
        let waiting = try (0...DeliveryBudget.maximumWaitingCountPerGroup).map { _ in try claim(1, budget, 2) }
        #expect(waiting.count(where: \.hasFailed) == 1)
        #expect(try claim(1_001, budget, 3).hasFailed, "more than there will ever be")
        withExtendedLifetime(holder) {}
    }
}
