import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import MediaCore
import TestSupport
import Testing
import VODLibrary
import Workflows

/// A member's own places for files that are not complete, in the community and in the library.
@Suite(.eachEngine) struct MemberUploadPlacesTests {
    @Test func anUploadWithoutBytesForTenMinutesMakesRoom() async throws {
        let (accounts, clock) = (try await TestAccounts(), TestClock())
        _ = try await Catalogue.open(accounts.database, program: "test")
        let community = try await Community.open(accounts.database, program: "test")
        let library = LibraryFolder(clock: clock).library()
        let uploads = MemberUploads(community, library: library, audiences: nil) { [] }
        let (ana, eva) = (try await accounts.caller("ana"), try await accounts.caller("eva"))
        func begin(_ name: String) async throws -> MemberUpload {
            let begun = try await uploads.begin(name: name, type: nil, byteCount: 10, by: ana)
            clock.advance(by: .seconds(1))
            return begun.upload
        }
        func names() async throws -> [String] { try await community.uploads(by: ana).page.items.map(\.fileName) }
        _ = try await uploads.begin(name: "eva.mp4", type: nil, byteCount: 10, by: eva)
        for name in ["1.mp4", "2.mp4", "3.mp4"] { _ = try await begin(name) }
        let refusal = await #expect(throws: Refusal.self) { _ = try await begin("4.mp4") }
        #expect(refusal?.code == .tooMany)
        clock.advance(by: .seconds(600))
        let first = try #require(try await community.uploads(by: ana).page.items.last)
        _ = try await begin("4.mp4")
        #expect(try await names() == ["4.mp4", "3.mp4", "2.mp4"])
        let ended = try #require(first.upload)
        #expect(try await library.upload(id: ended) == nil)
        for name in ["5.mp4", "6.mp4"] { _ = try await begin(name) }
        let again = await #expect(throws: Refusal.self) { _ = try await begin("7.mp4") }
        #expect(again?.code == .tooMany)
        #expect(try await names() == ["6.mp4", "5.mp4", "4.mp4"], "what was begun just now stays")
        let others = try #require(try await community.uploads(by: eva).page.items.first?.upload)
        #expect(try await library.upload(id: others) != nil)
    }
}
