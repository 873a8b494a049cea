import Accounts
import Catalogue
import Database
import DatabaseTestSupport
import GatewayTestSupport
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Community

/// Members' uploads, until they are published and after.
@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct UploadTests {
    private let fixture: CommunityFixture
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture(CommunitySettings(uploadQuota: 1_000))
    }

    private func begin(_ byteCount: Int64 = 100, by caller: Caller) async throws -> MemberUpload {
        try await community.beginUpload(fileName: "My race.MP4", fileExtension: "mp4", byteCount: byteCount, by: caller)
    }

    /// The library's work on a complete file.
    private func makeTitle(of upload: MemberUpload, _ state: TitleState = .ready) async throws -> TitleRecord {
        var title = InMemoryContent.title("", state: state)
        title.file = upload.file
        return try await fixture.catalogue.add(title)
    }

    private func hold(_ title: String) async throws -> HoldReason? {
        try await fixture.database.read { db in try AudienceRows.hold(in: .titles, of: title, db) }
    }

    private func count(_ table: String) async throws -> Int64? {
        try await fixture.database.read { db in try db.firstValue("SELECT COUNT(*) FROM \(table)") }
    }

    private func isListed(_ title: TitleRecord) async throws -> Bool {
        let everyone = RecordVisibility(showsUnset: true, audiences: [.everyone])
        let query = RecordQuery(matching: nil, visible: everyone)
        return try await fixture.catalogue.titles(query, after: nil, limit: 10).items.contains { $0.id == title.id }
    }

    @Test func aTitleOfAMemberIsKeptFromOthersFromItsFirstMoment() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        let upload = try await begin(by: ana)
        #expect(
            upload.state == .receiving && upload.contents.name == "My race" && upload.file == "video-\(upload.id).mp4")
        let title = try await makeTitle(of: upload)
        #expect(try await hold(title.id) == .unlisted)
        #expect(try await !isListed(title))
        #expect(title.kind == .memberVideo)
        let sent = try await community.upload(upload.id, by: ana)
        #expect(sent.state == .ready && sent.title?.id == title.id)
        #expect(await CommunityFixture.code { try await community.upload(upload.id, by: eva) } == .notFound)
        #expect(try await community.isUpload(title: title.id, of: ana))
        #expect(try await !community.isUpload(title: title.id, of: eva))

        // The media folder was away for a while.
        try await fixture.catalogue.deleteTitle(id: title.id)
        let again = try await makeTitle(of: upload)
        #expect(try await hold(again.id) == .unlisted)
    }

    @Test func itIsPublishedAsSoonAsItPlays() async throws {
        let ana = try await fixture.member("ana")
        let upload = try await begin(by: ana)
        let wanted = try await community.describe(upload.id, publishes: true, by: ana) { $0.tags = ["rally"] }
        #expect(wanted.isWanted && wanted.video == nil)
        #expect(try await community.openUploads().isEmpty)
        let title = try await makeTitle(of: upload, .transcoding)
        #expect(try await community.openUploads().isEmpty)
        #expect(try await community.upload(upload.id, by: ana).state == .processing)
        try await fixture.database.write { db in try db.execute("UPDATE title SET state = 'ready'") }
        let open = try #require(try await community.openUploads().first)
        let published = try await community.publish(open)
        let id = try #require(published.video)
        #expect(try await community.publish(open).video == id, "what is published is not published again")
        #expect(try await hold(title.id) == nil)
        let video = try await community.video(id, for: ana, maySeeHidden: false)
        #expect(video.name == "My race" && video.tags == ["rally"] && video.ownerName == "ana")
        try await community.close(published)
        #expect(try await community.openUploads().isEmpty)
        #expect(
            await CommunityFixture.code { try await community.describe(upload.id, publishes: false, by: ana) { _ in } }
                == .conflict)
        #expect(try await community.counterDifferences() == [])
    }

    @Test func theOwnerIsToldOnceThatItPlaysOrDoesNot() async throws {
        let ana = try await fixture.member("ana")
        let told = Mutex<[CommunityDeed]>([])
        community.observeDeeds { deed, _, _ in told.withLock { $0.append(deed) } }
        let (good, bad) = (try await begin(by: ana), try await begin(by: ana))
        _ = try await makeTitle(of: good)
        let broken = try await makeTitle(of: bad, .failed)
        let open = try await community.openUploads()
        #expect(open.map(\.state) == [.ready, .failed])
        for _ in 0..<2 {
            try await community.close(open[0])
            try await community.noteFailure(of: open[1])
        }
        #expect(try await community.openUploads().isEmpty)
        let deeds = Set(told.withLock { $0 })
        let owner = try CommunityFixture.id(ana)
        #expect(
            deeds == [
                .prepared(good.id, name: "My race", owner: owner, plays: true),
                .prepared(bad.id, name: "My race", owner: owner, plays: false),
            ])
        // An operator has the ingest tried again.
        try await fixture.database.write { db in
            try db.execute("UPDATE title SET state = 'ready' WHERE id = ?1", .text(broken.id))
        }
        #expect(try await community.openUploads().map(\.id) == [bad.id])
    }

    @Test func whatIsMissingIsNamed() async throws {
        let ana = try await fixture.member("ana")
        let upload = try await begin(by: ana)
        func code(_ change: @escaping @Sendable (inout VideoContents) -> Void) async -> Refusal? {
            do {
                _ = try await community.describe(upload.id, publishes: true, by: ana, change)
                return nil
            } catch { return error as? Refusal }
        }
        #expect(await code { $0.name = " " }?.field == "name")
        #expect(await code { $0.day = 2 }?.field == "day")
        #expect(await code { $0.competition = OpaqueID() }?.field == "competition")
        // A draft may lack a name.
        let saved = try await community.describe(upload.id, publishes: false, by: ana) { $0.name = "" }
        #expect(saved.contents.name.isEmpty && !saved.isWanted)
        let changed = await CommunityFixture.code {
            try await community.describe(upload.id, from: [1], publishes: false, by: ana) { _ in }
        }
        #expect(changed == .changedMeanwhile)
    }

    @Test func whatCannotBePublishedLaterSaysWhy() async throws {
        let ana = try await fixture.member("ana")
        let upload = try await begin(by: ana)
        _ = try await community.describe(upload.id, publishes: true, by: ana) { _ in }
        let title = try await makeTitle(of: upload)
        try await fixture.database.write { db in try AudienceRows.hold(.hidden, in: .titles, of: title.id, db) }
        let open = try #require(try await community.openUploads().first)
        let refused = try await community.publish(open)
        #expect(refused.video == nil && !refused.isWanted && refused.problem?.contains("hidden") == true)
    }

    @Test func roomAndNumberAreLimited() async throws {
        let (ana, eva) = (try await fixture.member("ana"), try await fixture.member("eva"))
        #expect(await CommunityFixture.code { try await begin(1_001, by: ana) } == .tooMany)
        #expect(await CommunityFixture.code { try await begin(0, by: ana) } == .tooMany)
        #expect(await CommunityFixture.code { try await begin(.max, by: ana) } == .tooMany)
        let first = try await begin(900, by: ana)
        #expect(await CommunityFixture.code { try await begin(101, by: ana) } == .tooMany)
        _ = try await begin(50, by: ana)
        _ = try await begin(50, by: ana)
        #expect(try await community.uploads(by: ana).usage.free == 0)
        #expect(try await community.uploads(by: eva).usage.free == 1_000)
        try await community.deleteUpload(first.id, by: ana)
        let removed = try #require(try await community.openUploads().first)
        #expect(removed.isRemoved && removed.id == first.id)
        try await community.forget(removed)
        #expect(try await community.uploads(by: ana).usage.free == 900)
        _ = try await begin(100, by: ana)
        #expect(await CommunityFixture.code { try await begin(100, by: ana) } == .tooMany, "three are not complete")
        community.settings.uploadQuota = 0
        #expect(await CommunityFixture.code { try await begin(1, by: eva) } == .forbidden)
    }

    @Test func aVideoTakesItsFileAlong() async throws {
        let ana = try await fixture.member("ana")
        let (first, second) = (try await begin(by: ana), try await begin(by: ana))
        let (old, new) = (try await makeTitle(of: first), try await makeTitle(of: second))
        _ = try await community.upload(second.id, by: ana)
        let published = try await community.describe(first.id, publishes: true, by: ana) { _ in }
        let video = try #require(published.video)

        // Another file: likes and comments stay, and the old file goes.
        _ = try await community.setLike(true, of: video, by: ana)
        let changed = try await community.change(video, title: new.id, from: nil, by: ana, mayManage: false) { _ in }
        #expect(changed.title == new.id && changed.counts.likes == 1)
        #expect(try await hold(old.id) == .hidden)
        #expect(try await hold(new.id) == nil)
        let open = try await community.openUploads()
        #expect(open.filter(\.isRemoved).map(\.id) == [first.id])
        #expect(try await community.upload(second.id, by: ana).video == video)

        try await community.withdraw(video, by: ana, mayManage: false)
        #expect(try await hold(new.id) == .hidden, "nobody finds the title before it is deleted")
        #expect(try await community.openUploads().allSatisfy(\.isRemoved))
        #expect(try await community.uploads(by: ana).page.items.isEmpty)
    }

    @Test func aDeletedAccountLeavesNothing() async throws {
        let ana = try await fixture.member("ana")
        fixture.accounts.beforeRemoval { [community] user, db in try community.forget(user, db) }
        let (draft, shown, unfinished) = (try await begin(by: ana), try await begin(by: ana), try await begin(by: ana))
        let titles = [try await makeTitle(of: draft), try await makeTitle(of: shown)]
        _ = try await community.describe(shown.id, publishes: true, by: ana) { _ in }
        try await fixture.accounts.removeAccount(
            try await community.member(named: "ana"), by: fixture.operatorCaller)
        for title in titles { #expect(try await hold(title.id) != nil, "nobody finds the title before it is deleted") }
        let open = try await community.openUploads()
        #expect(Set(open.map(\.id)) == [draft.id, shown.id, unfinished.id] && open.allSatisfy(\.isRemoved))
        for upload in open {
            if let title = upload.title { try await fixture.catalogue.deleteTitle(id: title.id) }
            try await community.forget(upload)
        }
        #expect(try await count("memberUpload") == 0)
        #expect(try await count("heldFile") == 0)
    }

    @Test func whatWasGivenUpIsForgotten() async throws {
        let ana = try await fixture.member("ana")
        let (waiting, lost) = (try await begin(by: ana), try await begin(by: ana))
        let title = try await makeTitle(of: lost)
        _ = try await community.upload(lost.id, by: ana)
        try await fixture.catalogue.deleteTitle(id: title.id)
        #expect(try await community.openUploads().isEmpty)
        try await community.sweep()
        #expect(try await community.openUploads().map(\.id) == [lost.id])
        fixture.clock.advance(by: MemberUpload.maximumAge + .seconds(1))
        #expect(Set(try await community.openUploads().map(\.id)) == [waiting.id, lost.id])
    }
}
