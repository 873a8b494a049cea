import Accounts
import Catalogue
import Community
import Crypto
import DatabaseTestSupport
import Forum
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import MediaCore
import Notifications
import SupportInbox
import Synchronization
import TestSupport
import Testing

@testable import WebSite

/// Every page can be reached by links from the home page.
@Suite(.eitherEngine, .timeLimit(.minutes(5))) struct PageLinkTests {
    private typealias Browser = AccountPagesTests.Browser

    /// Pages that nobody comes to by a link of another page, each with the reason.
    private static let exceptions: [String: String] = [
        "/cuenta/configurar": "the link is in the log of the first start",
        "/cuenta/confirmar": "the link is in a mail", "/cuenta/nueva-contrasena": "the link is in a mail",
        "/comunidad/avisos/baja": "the link is in a mail",
        "/comunidad/avisos/{id}": "there are no notifications here",
        "/comunidad/incrustado/{id}": "other sites frame it", "/oembed": "other sites ask for it",
        "/comunidad/subir/{id}": "there are no uploads here",
        "/directo/{name}/emitir": "linked for those who may publish; others come by a link of a publisher",
        "/about/chart.svg": "an image", "/favicon.ico": "browsers ask for it",
        "/service-worker.js": "a script asks for it", "/radio/{id}/letra": "a script asks for it",
        "/sin-conexion": "shown without a network", "/compartir": "systems share videos there",
        "/robots.txt": "search engines ask for it",
        "/radio/albumes/{id}": "there are no albums here", "/radio/artistas/{id}": "there are no artists here",
        "/radio/{id}/cover": "an image", "/comunidad/banner/{id}": "an image",
        "/copies/{copy}/{device}/{signature}/copy.bin": "a file for programs",
        "/copies/{copy}/{device}/{signature}/copy.meta4": "a file for programs",
        "/cuenta/entrar": "for those who have not logged in", "/cuenta/registro": "for those who have not logged in",
        "/cuenta/inicio": "a service of the operator leads there", "/cuenta/clave": "the link is in a mail",
        "/operator/pistas/{id}": "there are no tracks here",
        "/comunidad/publicar/{id}": "not linked yet; see issue 45",
        "/comunidad/video/{id}/editar": "the visitor has no video here",
        "/videoclub/series/{id}": "there are no series here",
    ]
    private static let skipped = ["/api/", "/site/", "/vod/", "/live/", "/signed/", "/healthz", "/readyz", "/metrics"]
    /// More than the pages that there are with one of each thing.
    private static let maximumPageCount = 400

    private let fixture: TestAccounts
    private let table: EndpointTable
    private let community: Community

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        let community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        _ = try await Forum.open(fixture.database, community: community, program: "test")
        let notifications = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts, key: SymmetricKey(size: .bits256),
            wallClock: fixture.clock.wallClock)
        let inbox = try await SupportInbox.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        let content = InMemoryContent()
        let titles = [InMemoryContent.title("a"), InMemoryContent.title("b")]
        for title in titles { _ = try await catalogue.add(title) }
        let channel = try InMemoryContent.channel("canalA")
        content.state.withLock { ($0.titles, $0.channels) = (titles, [channel]) }
        table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: community, notifications, inbox)
        self.community = community
        let ana = try await fixture.caller("ana")
        let video = try await community.publish(VideoContents(name: "Video"), title: "a", by: ana)
        _ = try await community.setLike(true, of: video.id, by: try await fixture.caller("eva"))
        _ = try await community.setFollow(true, "ana", by: try await fixture.caller("leo"))
        _ = try await community.createCompetition(
            name: "Rally", description: "",
            schedule: try CompetitionSchedule(
                timeZone: "Europe/Madrid", firstDay: try #require(CivilDate(parsing: "2026-01-01")), dayCount: 2),
            by: TestAccounts.machine)
    }

    /// The paths that links of pages lead to, without query and fragment, from the home page on.
    private func crawl(_ browser: Browser) async throws -> Set<String> {
        var (waiting, known) = (["/"], Set(["/"]))
        var reached: Set<String> = []
        while let address = waiting.popLast(), reached.count < Self.maximumPageCount {
            let path = String(address.prefix { $0 != "?" })
            reached.insert(path)
            guard !Self.skipped.contains(where: { path.hasPrefix($0) }), !Self.exceptions.keys.contains(path) else {
                continue
            }
            try await browser.open(address)
            guard browser.status == .ok else { continue }
            for match in browser.html.matches(of: #/(?:href|action)="(\/[^"#]*)/#) {
                let link = String(match.1).replacing("&amp;", with: "&")
                if known.insert(link).inserted { waiting.append(link) }
            }
        }
        return reached
    }

    private static func matches(_ path: String, _ pattern: String) -> Bool {
        let (parts, expected) = (path.split(separator: "/"), pattern.split(separator: "/"))
        return parts.count == expected.count
            && zip(parts, expected).allSatisfy { part, wanted in wanted.contains("{") || part == wanted }
    }

    @Test(arguments: [Role.administrator, .member]) func everyPageIsLinked(_ role: Role) async throws {
        let browser = try await Browser.loggedIn("visitor", role, at: table, of: fixture)
        let reached = try await crawl(browser)
        var missing: [String] = []
        for endpoint in table.endpoints where endpoint.method == .get {
            let pattern = endpoint.path
            guard !Self.skipped.contains(where: { pattern.hasPrefix($0) }), Self.exceptions[pattern] == nil,
                !reached.contains(where: { Self.matches($0, pattern) })
            else { continue }
            // What a member may not see needs no link.
            try await browser.open(pattern.contains("{") ? pattern.replacing(#/\{[^}]*\}/#, with: "a") : pattern)
            if browser.status != .forbidden { missing.append(pattern) }
        }
        #expect(missing.isEmpty, "no link leads to \(missing.sorted())")
        #expect(reached.contains("/comunidad/siguiendo"))
        if role == .administrator {
            #expect(reached.contains("/directo/canalA/emitir"))
            #expect(reached.isSuperset(of: ["/operator/moderacion", "/operator/buzon", "/cuenta/usuarios"]))
        }
    }
}
