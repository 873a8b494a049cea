import Broadcaster
import Foundation
import Synchronization
import Testing

@Suite struct BroadcastPlanTests {
    /// Nothing listens at port 1 of this machine.
    private static func plan() throws -> BroadcastPlan {
        var profile = BroadcastProfile()
        try profile.set("server", to: "http://127.0.0.1:1")
        try profile.set("channel", to: "canalA")
        var source = SourceChoice()
        source.usesTestCard = true
        return BroadcastPlan(profile: profile, source: source)
    }

    @Test func aServerThatDoesNotAnswerIsAnError() async throws {
        let plan = try Self.plan()
        let error = await #expect(throws: BroadcastError.self) { try await plan.settings(environment: [:]) }
        #expect(error?.code == .unreachable)
    }

    @Test func whoeverWaitsIsToldOnceAndEndsWhenCancelled() async throws {
        let plan = try Self.plan()
        let told = Mutex(0)
        await withTaskGroup { group in
            group.addTask {
                let error = await #expect(throws: BroadcastError.self) {
                    try await plan.settings(environment: [:]) { _ in told.withLock { $0 += 1 } }
                }
                #expect(error?.code == .unreachable)
            }
            while told.withLock({ $0 }) == 0 { await Task.yield() }
            group.cancelAll()
        }
        #expect(told.withLock { $0 } == 1)
    }
}
