import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Monitoring

/// The viewers of the last days, on both engines.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct AudienceHistoryTests {
    private let fixture: TestAccounts
    private let history: AudienceHistory

    init() async throws {
        fixture = try await TestAccounts()
        history = try await AudienceHistory.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
    }

    @Test func samplesAddUpByTheHourAndTheDay() async throws {
        try await history.add([.init(.channel, "canalA", viewers: 3), .init(.title, "film", viewers: 1)])
        try await history.add([.init(.channel, "canalA", viewers: 5), .init(.client, "browser", viewers: 6)])
        fixture.clock.advance(by: .seconds(86_400))
        try await history.add([.init(.channel, "canalB", viewers: 2), .init(.channel, "canalA", viewers: 4)])
        let days = try await history.days()
        #expect(days.map(\.minutes) == [9, 6] && days.map(\.peak) == [5, 4])
        #expect(days[1].day == days[0].day + 1)
        let channels = try await history.most(.channel, limit: 10)
        #expect(channels.map(\.name) == ["canalA", "canalB"] && channels.map(\.minutes) == [12, 2])
        #expect(channels.first?.peak == 5)
        #expect(try await history.most(.channel, limit: 1).map(\.name) == ["canalA"])
        #expect(try await history.most(.client, limit: 9).map(\.minutes) == [6])
    }

    @Test func nobodyIsNotNotedAndOldHoursGo() async throws {
        try await history.add([.init(.channel, "canalA", viewers: 0)])
        #expect(try await history.days().isEmpty)
        try await history.add([.init(.channel, "canalA", viewers: 1)])
        fixture.clock.advance(by: .seconds((AudienceHistory.dayCount + 1) * 86_400))
        try await history.add([])
        #expect(try await history.days().isEmpty)
    }

    /// Names come from titles' IDs; a server with many titles keeps those that are watched most.
    @Test func aSampleHasALimit() async throws {
        let samples = (1...300).map { AudienceSample(.title, "title\($0)", viewers: $0) }
        try await history.add(samples)
        let most = try await history.most(.title, limit: 1_000)
        #expect(most.count == AudienceHistory.maximumSampleCount && most.first?.name == "title300")
        #expect(most.last?.name == "title101")
    }
}
