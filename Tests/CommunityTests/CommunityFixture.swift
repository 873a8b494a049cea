import Accounts
import Catalogue
import Database
import GatewayTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

/// A community in a database of the test's own, with a clock that the test moves.
final class CommunityFixture: Sendable {
    private let base: TestAccounts
    let catalogue: Catalogue
    let community: Community
    let operatorCaller = TestAccounts.machine

    var clock: TestClock { base.clock }
    var database: any SQLDatabase { base.database }
    var accounts: Accounts { base.accounts }

    init(_ settings: CommunitySettings = CommunitySettings()) async throws {
        base = try await TestAccounts()
        catalogue = try await Catalogue.open(base.database, program: "test")
        community = try await Community.open(
            base.database, program: "test", settings: settings, wallClock: base.clock.wallClock)
    }

    /// Adds a title that can be played.
    func add(_ id: String) async throws { _ = try await catalogue.add(InMemoryContent.title(id)) }

    /// Adds a title that a member has sent, which can be played.
    ///
    /// - Returns: the ID of the title.
    func upload(by caller: Caller) async throws -> String {
        let upload = try await community.beginUpload(
            fileName: "own.mp4", fileExtension: "mp4", byteCount: 100, by: caller)
        var title = InMemoryContent.title("")
        title.file = upload.file
        let added = try await catalogue.add(title)
        _ = try await community.upload(upload.id, by: caller)
        return added.id
    }

    func member(_ name: String, role: Role = .member) async throws -> Caller { try await base.caller(name, role) }

    static func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    static func code(_ body: () async throws -> some Any) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }
}
