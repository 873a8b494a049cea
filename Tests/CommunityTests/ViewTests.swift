import Accounts
import Database
import DatabaseTestSupport
import MediaCore
import TestSupport
import Testing

@testable import Community

@Suite(.eachEngine, .timeLimit(.minutes(2)))
struct ViewTests {
    private let fixture: CommunityFixture
    private let ana: Caller
    private var community: Community { fixture.community }

    init() async throws {
        fixture = try await CommunityFixture()
        for id in ["a", "b", "c"] { try await fixture.add(id) }
        ana = try await fixture.member("ana")
    }

    private func publish(_ title: String, _ visibility: VideoVisibility = .public) async throws -> OpaqueID {
        try await community.publish(VideoContents(name: title, visibility: visibility), title: title, by: ana).id
    }

    private func views(_ id: OpaqueID) async throws -> Int64 {
        try await community.flushViews()
        return try await community.video(id, for: ana, maySeeHidden: true).counts.views
    }

    @Test func theSameViewerCountsOnceAnHour() async throws {
        let (video, other) = (try await publish("a"), try await publish("b", .unlisted))
        let account = VideoView.Viewer.account(try CommunityFixture.id(ana))
        try await community.count([
            VideoView(account, .id("a")), VideoView(account, .id("a")), VideoView(.stranger(1), .id("a")),
            VideoView(.stranger(2), .id("a")), VideoView(account, .id("b")), VideoView(account, .id("c")),
            VideoView(account, .id("nothing")),
        ])
        #expect(try await community.video(video, for: ana, maySeeHidden: false).counts.views == 0, "not written yet")
        #expect(try await views(video) == 3)
        #expect(try await views(other) == 1, "an unlisted video has views, too")
        fixture.clock.advance(by: .seconds(3_599))
        try await community.count([VideoView(account, .id("a")), VideoView(.stranger(3), .id("a"))])
        #expect(try await views(video) == 4)
        fixture.clock.advance(by: .seconds(1))
        try await community.count([VideoView(account, .id("a"))])
        #expect(try await views(video) == 5)
        #expect(community.viewBuffer.viewerCount == 2, "those of an hour ago are forgotten")
    }

    @Test func theFileOfATitleNamesTheSameVideo() async throws {
        let video = try await publish("a")
        let file: String? = try await fixture.database.read { db in
            try db.firstValue("SELECT file FROM title WHERE id = 'a'")
        }
        try await community.count([
            VideoView(.stranger(1), .id("a")), VideoView(.stranger(1), .file(try #require(file))),
            VideoView(.stranger(2), .file(try #require(file))),
        ])
        #expect(try await views(video) == 2)
    }

    @Test func moderatorsWhoPlayWhatIsHiddenDoNotCount() async throws {
        let video = try await publish("a")
        try await fixture.database.write { db in
            try VideoRows.setState(
                .hidden, of: try VideoRows.required(video, reader: nil, db), isUpload: false, db)
        }
        try await community.count([VideoView(.stranger(1), .id("a"))])
        #expect(try await views(video) == 0)
    }

    @Test func whatDoesNotFitIsNotCounted() async throws {
        let video = try await publish("a")
        let crowd = (0...UInt64(ViewBuffer.maximumViewerCount)).map { VideoView(.stranger($0), .id("a")) }
        try await community.count(crowd)
        #expect(try await views(video) == Int64(ViewBuffer.maximumViewerCount))
    }

    @Test func viewsOfAVideoThatIsGoneAreDropped() async throws {
        let (video, other) = (try await publish("a"), try await publish("b"))
        try await community.count([VideoView(.stranger(1), .id("a")), VideoView(.stranger(1), .id("b"))])
        try await community.withdraw(video, by: ana, mayManage: false)
        #expect(try await views(other) == 1)
    }
}
