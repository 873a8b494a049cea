import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import WebSite

/// The data of published videos for other sites and programs, in programs that read it:
/// https://pypi.org/project/feedparser/ and https://pypi.org/project/extruct/.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct FeedPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    private static let hostile = #"</script><script>alert(1)</script>]]>&amp;"'<b>{{name}}"#

    private let fixture: TestAccounts
    private let community: Community
    private let table: EndpointTable
    private let visitor: Browser

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        let content = InMemoryContent()
        let titles = ["a", "b", "c"].map { InMemoryContent.title($0) }
        for title in titles { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = titles }
        table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts), with: community)
        visitor = Browser(table)
    }

    private func publish(_ title: String, _ contents: VideoContents, by caller: Caller) async throws -> OpaqueID {
        fixture.clock.advance(by: .seconds(60))
        return try await community.publish(contents, title: title, by: caller).id
    }

    /// Runs a Python program with the text that the visitor has got.
    private func read(_ program: String) async throws -> [String] {
        let python = "\(Repository.path)/.build/feed-readers/bin/python"
        try #require(
            FileManager.default.isExecutableFile(atPath: python), "run Scripts/setup.sh test, which installs it")
        let folder = try TemporaryDirectory()
        let file = try folder.write(visitor.html, to: "page")
        defer { withExtendedLifetime(folder) {} }
        return try await ExternalTool(path: python).run(["-c", program, file]).lines.map(String.init)
    }

    private static let feedReader = """
        import sys, feedparser
        feed = feedparser.parse(sys.argv[1])
        assert not feed.bozo, feed.bozo_exception
        assert feed.version == "atom10", feed.version
        print(feed.feed.id, feed.feed.title, feed.feed.updated)
        for entry in feed.entries:
            print(entry.id, entry.author, entry.published, entry.updated, repr(entry.title),
                  [tag.term for tag in entry.get("tags", [])], entry.link.split("/", 3)[3], sep="|")
        """

    @Test func feedReadersReadEveryList() async throws {
        let (ana, eva) = (try await fixture.caller("ana"), try await fixture.caller("eva"))
        let competition = try await community.createCompetition(
            name: "Rally", description: "",
            schedule: try CompetitionSchedule(
                timeZone: "Europe/Madrid", firstDay: CivilDate(year: 2026, month: 1, day: 1), dayCount: 2),
            by: TestAccounts.machine)
        let first = try await publish(
            "a",
            VideoContents(name: Self.hostile, text: Self.hostile, tags: ["<i>"], competition: competition.id, day: 1),
            by: ana)
        let second = try await publish("b", VideoContents(name: "finish", competition: competition.id, day: 2), by: eva)
        let third = try await publish("c", VideoContents(name: "secret", visibility: .unlisted), by: eva)
        func line(_ id: OpaqueID, _ author: String, _ minute: Int, _ name: String, _ tags: String) -> String {
            let time = "2026-01-01T00:0\(minute):00Z"
            return "urn:antena:video:\(id)|\(author)|\(time)|\(time)|\(name)|\(tags)|comunidad/video/\(id)"
        }
        // The way in which Python writes it.
        let name = #"'</script><script>alert(1)</script>]]>&amp;"\'<b>{{name}}'"#
        let lines = (line(first, "ana", 1, name, "['<i>']"), line(second, "eva", 2, "'finish'", "[]"))
        for (path, title, expected) in [
            ("videos.atom", "Antena · Videos", [lines.1, lines.0]),
            ("videos.atom?q=finish", "Antena · Videos · finish", [lines.1]),
            ("videos.atom?competition=\(competition.id)", "Antena · Videos · Rally", [lines.1, lines.0]),
            ("videos.atom?competition=\(competition.id)&day=1", "Antena · Videos · Rally", [lines.0]),
            ("miembro/ANA/videos.atom", "Antena · ana", [lines.0]),
            ("videos.atom?q=nothing", "Antena · Videos · nothing", []),
        ] {
            try await visitor.open("/comunidad/\(path)")
            #expect(visitor.headers[.contentType] == "application/atom+xml; charset=utf-8")
            let read = try await read(Self.feedReader)
            #expect(read.dropFirst() == expected[...], "\(path)")
            #expect(read.first?.contains(" \(title) ") == true, "\(path): \(read.first ?? "")")
        }
        #expect(!visitor.html.contains(third.text))
        try await visitor.open("/comunidad/miembro/nobody/videos.atom")
        #expect(visitor.status == .notFound)
        for page in [
            "/comunidad/videos?q=finish", "/comunidad/miembro/ana", "/comunidad", "/comunidad/\(competition.id)",
        ] {
            try await visitor.open(page)
            let link = try #require(
                visitor.html.firstMatch(of: /<link rel="alternate" type="application\/atom\+xml" href="([^"]*)"/)?.1)
            try await visitor.open(String(link).replacing("&amp;", with: "&"))
            #expect(visitor.status == .ok, "\(page)")
        }
    }

    @Test func aFeedThatHasNotChangedIsNotSentAgain() async throws {
        let ana = try await fixture.caller("ana")
        let id = try await publish("a", VideoContents(name: "start"), by: ana)
        let path = "/comunidad/videos.atom"
        try await visitor.open(path)
        let (tag, date) = (try #require(visitor.headers[.eTag]), try #require(visitor.headers[.lastModified]))
        #expect(date == "Thu, 01 Jan 2026 00:01:00 GMT")
        for fields: HTTPFields in [[.ifNoneMatch: tag], [.ifModifiedSince: date]] {
            try await visitor.open(path, fields)
            #expect(visitor.status == .notModified && visitor.html.isEmpty && visitor.headers[.eTag] == tag)
        }
        fixture.clock.advance(by: .seconds(60))
        _ = try await community.change(id, from: nil, by: ana, mayManage: false) { $0.name = "Start" }
        for fields: HTTPFields in [
            [.ifNoneMatch: tag], [.ifModifiedSince: date], [.ifNoneMatch: tag, .ifModifiedSince: date],
        ] {
            try await visitor.open(path, fields)
            #expect(visitor.status == .ok && visitor.headers[.eTag] != tag)
        }
    }

    @Test func programsReadWhatAVideoIs() async throws {
        let ana = try await fixture.caller("ana")
        let id = try await publish("a", VideoContents(name: Self.hostile, text: Self.hostile, tags: ["rally"]), by: ana)
        try await visitor.open("/comunidad/video/\(id)")
        let found = try await read(
            """
            import sys, extruct
            found = extruct.extract(open(sys.argv[1]).read(), syntaxes=["json-ld", "opengraph"])
            (video,) = found["json-ld"]
            print(video["@type"], video["name"], video["description"], video["author"]["name"], video["uploadDate"],
                  [entry["userInteractionCount"] for entry in video["interactionStatistic"]], sep="|")
            print(video["embedUrl"].split("/", 3)[3], video["contentUrl"].split("/", 3)[3])
            print(dict(found["opengraph"][0]["properties"])["og:title"])
            """)
        let time = "2026-01-01T00:01:00Z"
        #expect(
            found == [
                "VideoObject|\(Self.hostile)|\(Self.hostile)|ana|\(time)|[0, 0, 0]",
                "comunidad/incrustado/\(id) vod/a/playlist.m3u8", Self.hostile,
            ])
        #expect(!visitor.html.contains("<script>alert"))
        let discovery = try #require(
            visitor.html.firstMatch(of: /type="application\/json\+oembed" href="([^"]*)"/)?.1)
        try await visitor.open(String(discovery).replacing("&amp;", with: "&"))
        let answer = try #require(
            try JSONSerialization.jsonObject(with: Data(visitor.html.utf8)) as? [String: Any])
        #expect(answer["type"] as? String == "video" && answer["version"] as? String == "1.0")
        #expect(answer["title"] as? String == Self.hostile && answer["author_name"] as? String == "ana")
        #expect(answer["width"] as? Int == 640 && answer["height"] as? Int == 360)
        let frame = try #require(answer["html"] as? String)
        #expect(frame.contains("/comunidad/incrustado/\(id)\"") && !frame.contains("<script"))
    }

    @Test func requestsForDescriptionsAreChecked() async throws {
        let ana = try await fixture.caller("ana")
        let id = try await publish("a", VideoContents(name: "start"), by: ana)
        try await visitor.open("/comunidad/videos.atom")
        let origin = try #require(visitor.html.firstMatch(of: /rel="self"[^>]*href="(http:\/\/[^\/]*)/)?.1)
        let page = "url=\(SitePage.queryComponent("\(origin)/comunidad/video/\(id)"))"
        for (query, status) in [
            (page, 200), ("\(page)&format=json&maxwidth=320", 200), ("\(page)&format=xml", 501), ("", 400),
            ("\(page)&maxwidth=0", 400), ("\(page)&maxheight=x", 400), ("\(page)&maxwidth=99999999999999999999", 400),
            ("url=https://elsewhere.example/comunidad/video/\(id)", 404), ("url=javascript:alert(1)", 404),
            ("url=\(SitePage.queryComponent("\(origin)/comunidad/video/"))", 404),
            ("url=\(SitePage.queryComponent("\(origin)/comunidad/video/\(OpaqueID())"))", 404),
        ] as [(String, Int)] {
            try await visitor.open("/oembed?\(query)")
            #expect(visitor.status.code == status, "\(query)")
            if query.hasSuffix("maxwidth=320") { #expect(visitor.html.contains(#""width":320,"height":180"#)) }
        }
        #expect(EmbeddingPages.size(width: 5_000, height: 180) == (320, 180))
        #expect(EmbeddingPages.size(width: 1, height: nil) == (1, 1))
    }

    @Test func onlyThePlayerMayBeFramed() async throws {
        let (ana, eva) = (try await fixture.caller("ana"), try await fixture.caller("eva"))
        let id = try await publish("a", VideoContents(name: Self.hostile), by: ana)
        try await visitor.open("/comunidad/incrustado/\(id)")
        #expect(visitor.status == .ok && visitor.html.contains(#"src="/vod/a/playlist.m3u8""#))
        #expect(visitor.headers[.contentSecurityPolicy]?.hasSuffix("frame-ancestors *") == true)
        let scripts = visitor.html.matches(of: /<script ([^>]*)>/).map { String($0.1) }
        #expect(
            scripts.allSatisfy { $0.contains("src=\"/site/") || $0.contains("type=\"application/json\"") }
                && !visitor.html.contains("<form"), "\(scripts)")
        for page in ["/comunidad/video/\(id)", "/comunidad/videos", "/comunidad/incrustado/\(OpaqueID())"] {
            try await visitor.open(page)
            #expect(visitor.headers[.contentSecurityPolicy]?.hasSuffix("frame-ancestors 'none'") == true, "\(page)")
        }
        community.settings.reportThreshold = 1
        try await community.report(.video, id, .spam, text: "", by: eva)
        for page in ["incrustado/\(id)", "video/\(id)"] {
            try await visitor.open("/comunidad/\(page)")
            #expect(visitor.status == .notFound)
        }
        try await visitor.open("/comunidad/videos.atom")
        #expect(!visitor.html.contains(id.text))
    }
}
