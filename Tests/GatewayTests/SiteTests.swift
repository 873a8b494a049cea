import Catalogue
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Synchronization
import Testing

@testable import Gateway

struct SiteTests {
    private let content = InMemoryContent()

    private func page(_ path: String, headers: HTTPFields = [:]) async throws -> (response: TestResponse, html: String)
    {
        let table = GatewayEndpoints(content: content, presets: [], rtspPort: { 9554 }).table
        let response = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: path, method: .get, headers: headers)
        }
        return (response, String(buffer: response.body))
    }

    @Test(arguments: ["/", "/radio", "/videoclub", "/directo", "/acerca"])
    func everyPageIsCompleteEvenWithNothingToShow(_ path: String) async throws {
        let (response, html) = try await page(path)
        #expect(response.status == .ok)
        #expect(response.headers[.contentType] == "text/html; charset=utf-8")
        let policy = try #require(response.headers[.contentSecurityPolicy])
        #expect(policy.contains("default-src 'none'") && !policy.contains("unsafe"))
        #expect(html.hasPrefix("<!doctype html>") && html.contains("</html>"))
        #expect(html.contains("aria-current=\"page\""))
        #expect(!html.contains("{{") && !html.contains("http://www.") && !html.contains("style="))
    }

    @Test func listsAndPlaysWhatThereIs() async throws {
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { state in
            state.channels = channels
            state.titles = [
                InMemoryContent.title("one", title: "A <b> & \"c\"", poster: "/p.jpg"),
                InMemoryContent.title("two", state: .transcoding), InMemoryContent.title("bad", state: .failed),
            ]
            state.tracks = [InMemoryContent.track("song", cover: "/c")]
        }
        let club = try await page("/videoclub").html
        #expect(club.contains(#"src="/vod/one/playlist.m3u8""#))
        #expect(club.contains(#"<img src="/vod/one/poster.jpg?v="#))
        #expect(club.contains("A &lt;b&gt; &amp; &quot;c&quot;") && !club.contains("<b>"))
        #expect(club.contains("1:02:03"))
        #expect(club.contains(#"<progress max="1" value="0.25""#))
        #expect(club.contains("Failed: &lt;broken&gt;"))
        #expect(try await page("/radio").html.contains(#"src="/radio/song/playlist.m3u8""#))
        let live = try await page("/directo").html
        #expect(live.contains(#"data-state="live""#))
        #expect(live.contains(#"src="/live/canalA.stream/playlist.m3u8""#))
        #expect(!live.contains(#"src="/live/canalB.stream/playlist.m3u8""#))
    }

    @Test func pagesAndSearches() async throws {
        content.state.withLock { state in
            state.titles = (0..<30).map { InMemoryContent.title("t\($0)") }
        }
        #expect(try await page("/videoclub").html.contains(#"href="?cursor=24""#))
        let second = try await page("/videoclub?cursor=24&q=t").html
        #expect(second.contains(#"data-title="t29""#) && second.contains(#"href="?q=t""#))
        #expect(try await page("/videoclub?q=%3Cx%3E").html.contains("“&lt;x&gt;”"))
    }

    @Test(arguments: [
        ("es", "es"), ("es-MX,en;q=0.5", "es"), ("en,es;q=0.9", "en"), ("de,es;q=0.4,en;q=0.3", "es"), ("de", "en"),
        ("es;q=0", "en"), ("", "en"), (";;,,q=", "en"),
    ])
    func speaksTheVisitorsLanguage(_ accept: String, _ expected: String) async throws {
        #expect(SiteText.preferred(accept).language == expected)
        #expect(try await page("/", headers: [.acceptLanguage: accept]).html.contains("<html lang=\"\(expected)\">"))
    }

    @Test func aboutShowsCommandLinesWithTheRealPorts() async throws {
        let channels = [try InMemoryContent.channel("canalA")]
        content.state.withLock { $0.channels = channels }
        let html = try await page("/acerca").html
        #expect(html.contains(":9554/live/canalA.stream"))
    }

    @Test(arguments: [
        ("a.b:80", true), ("[::1]:8080", true), ("a\"b", false), ("a b", false), ("", false), ("a/<", false),
    ])
    func takesOnlyPlainHosts(_ authority: String, _ isTaken: Bool) {
        #expect((SitePage.validated(authority) != nil) == isTaken)
    }

    @Test func spanishHasEveryWord() {
        let english = Mirror(reflecting: SiteText.english).children
        let spanish = Mirror(reflecting: SiteText.spanish).children
        for (left, right) in zip(english, spanish) where left.label != "radio" {
            #expect("\(left.value)" != "\(right.value)", "\(left.label ?? "")")
        }
    }
}
