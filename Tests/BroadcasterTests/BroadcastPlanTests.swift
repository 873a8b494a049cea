import Broadcaster
import Testing

@Suite struct BroadcastPlanTests {
    /// A plan for a server that does not exist: nothing listens at port 1 of this machine.
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
        let (told, continuation) = AsyncStream<BroadcastError>.makeStream()
        let waiting = Task {
            defer { continuation.finish() }
            return try await plan.settings(environment: [:]) { continuation.yield($0) }
        }
        var reasons: [BroadcastError] = []
        for await reason in told {
            reasons.append(reason)
            waiting.cancel()
        }
        #expect(reasons.map(\.code) == [.unreachable])
        let error = await #expect(throws: BroadcastError.self) { try await waiting.value }
        #expect(error?.code == .unreachable)
    }
}
