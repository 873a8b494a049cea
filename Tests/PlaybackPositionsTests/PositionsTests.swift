import Accounts
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import PlaybackPositions

@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct PositionsTests {
    private let fixture: TestAccounts
    private let positions: Positions
    private let ana: UserID

    init() async throws {
        fixture = try await TestAccounts()
        positions = try await Positions.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        ana = try #require(try await fixture.caller("ana").principal.member).id
    }

    private func write(_ seconds: Double, of duration: Double = 1_000, _ item: String = "film") async throws {
        try await positions.write(.seconds(seconds), of: .seconds(duration), .title, item, by: ana)
    }

    @Test func theLastWriteCountsAndTheListBeginsWithIt() async throws {
        try await write(100)
        try await write(200, "other")
        try await write(90)
        let found = try #require(try await positions.position(.title, "film", of: ana))
        #expect(found.position == .seconds(90) && found.duration == .seconds(1_000) && !found.isFinished)
        #expect(try await positions.positions(of: ana).items.map(\.item) == ["film", "other"])
        let first = try await positions.positions(of: ana, limit: 1)
        let next = try await positions.positions(of: ana, after: first.next, limit: 1)
        #expect(next.items.map(\.item) == ["other"] && next.next == nil)
        let eva = try #require(try await fixture.caller("eva").principal.member).id
        #expect(try await positions.positions(of: eva).items.isEmpty)
        #expect(await Refusal.of { try await positions.positions(of: ana, after: "x") }?.code == .invalidCursor)
    }

    @Test func theBeginningIsNoPositionAndTheEndIsFinished() async throws {
        try await write(29.9)
        #expect(try await positions.position(.title, "film", of: ana) == nil)
        try await write(30)
        #expect(try await positions.position(.title, "film", of: ana)?.position == .seconds(30))
        try await write(949.9)
        #expect(try await positions.position(.title, "film", of: ana)?.isFinished == false)
        try await write(950)
        #expect(try await positions.position(.title, "film", of: ana)?.isFinished == true)
        // Somebody has begun again.
        try await write(3)
        #expect(try await positions.position(.title, "film", of: ana) == nil)
        try await write(40)
        try await positions.remove(.title, "film", of: ana)
        try await positions.remove(.title, "film", of: ana)
        #expect(try await positions.positions(of: ana).items.isEmpty)
    }

    @Test(arguments: [(-1.0, 10.0), (11, 10), (0, 0), (5, -5), (1, 1e9)])
    func timesThatCannotBeAreRefused(_ position: Double, _ duration: Double) async throws {
        let code = await Refusal.of { try await write(position, of: duration) }?.code
        #expect(code == .invalidField)
    }

    @Test func aMemberKeepsAThousandForAYear() async throws {
        for number in 0..<1_003 { try await write(100, "title-\(number)") }
        var (names, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await positions.positions(of: ana, after: cursor, limit: 100)
            names += page.items.map(\.item)
            cursor = page.next
        } while cursor != nil
        #expect(names.count == 1_000 && names.first == "title-1002" && names.last == "title-3")
        fixture.clock.advance(by: .seconds(364 * 86_400))
        try await write(100, "late")
        fixture.clock.advance(by: .seconds(2 * 86_400))
        try await positions.sweep()
        #expect(try await positions.positions(of: ana).items.map(\.item) == ["late"])
    }

    /// Devices that write at the same time leave one position, which is one of theirs.
    @Test func simultaneousWritesLeaveOne() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 { group.addTask { try await write(100 + Double(number)) } }
            try await group.waitForAll()
        }
        let found = try await positions.positions(of: ana).items
        #expect(found.count == 1 && (100...107).contains(found.first?.position.seconds ?? 0))
    }
}
