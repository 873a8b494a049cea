import Accounts
import Catalogue
import Community
import Crypto
import DatabaseTestSupport
import Forum
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Notifications
import Synchronization
import TestSupport
import Testing

@testable import WebSite

/// Visitors' and members' use of the community's pages without a script.
@Suite(.eitherEngine, .timeLimit(.minutes(3))) struct CommunityPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    /// Text that would be markup if a page did not escape it, with what of it must never be there as it is.
    private static let hostile = #"</p><script>alert(1)</script>"><img src=x onerror=alert(2)>{{name}}"#
    private static let markup = ["<script>alert", "<img src=x"]

    private let fixture: TestAccounts
    private let community: Community
    private let notifications: Notifications
    private let table: EndpointTable
    private let webhookOwners = Owners()

    /// The members who have a webhook that wants notifications.
    private final class Owners: Sendable {
        let users = Mutex<Set<UserID>>([])
    }

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(
            fixture.database, program: "test", settings: CommunitySettings(reportThreshold: 1),
            wallClock: fixture.clock.wallClock)
        _ = try await Forum.open(fixture.database, community: community, program: "test")
        notifications = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts,
            key: SymmetricKey(size: .bits256), wallClock: fixture.clock.wallClock
        ) { [webhookOwners] _ in webhookOwners.users.withLock { $0 } }
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
        let content = InMemoryContent()
        let titles = [InMemoryContent.title("a"), InMemoryContent.title("b")]
        for title in titles { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = titles }
        table = EndpointTable.serving(
            content, authority: TestOperator.authority(fixture.accounts), with: community, notifications)
    }

    private func browser(_ name: String, _ role: Role = .member) async throws -> Browser {
        try await .loggedIn(name, role, at: table, of: fixture)
    }

    private func expectNoMarkup(_ browser: Browser) {
        for text in Self.markup { #expect(!browser.html.contains(text), "\(browser.path)") }
    }

    @Test func aTitleIsPublishedTalkedAboutAndModerated() async throws {
        let (station, ana, eva) = (
            try await browser("oper", .operator), try await browser("ana"), try await browser("eva")
        )
        try await station.open("/comunidad/publicar/a")
        try await station.submit(
            "/comunidad/publicar/a",
            ["name": Self.hostile, "text": Self.hostile, "tags": "rally, <img src=x onerror=alert(3)>"])
        let path = station.path
        #expect(station.status == .ok && path.hasPrefix("/comunidad/video/"), "\(station.problem)")
        expectNoMarkup(station)
        #expect(station.html.contains("&lt;script&gt;alert(1)"))

        try await ana.open(path)
        try await ana.submit("\(path)/me-gusta")
        #expect(ana.html.contains("1 like ") && ana.html.contains("Unlike"))
        try await ana.submit("\(path)/me-gusta")
        #expect(ana.html.contains("0 likes"))
        try await ana.post("\(path)/comentar", "text=x")
        #expect(ana.status == .forbidden, "a form of another site has no token")
        try await ana.open(path)
        try await ana.submit("\(path)/comentar", ["text": Self.hostile])
        #expect(ana.status == .ok && ana.html.contains("1 comment<"))
        expectNoMarkup(ana)
        try await ana.submit("\(path)/comentar", ["text": "  "])
        #expect(ana.status == .unprocessableContent && !ana.problem.isEmpty)

        let visitor = Browser(table, language: "es")
        for page in [path, "/comunidad/videos", "/comunidad/videos?q=script&sort=likes", "/comunidad/miembro/ana"] {
            try await visitor.open(page)
            #expect(visitor.status == .ok, "\(page)")
            expectNoMarkup(visitor)
        }
        try await visitor.open("/comunidad/siguiendo")
        #expect(visitor.path.hasPrefix("/cuenta/entrar"))

        try await eva.open(path)
        // The first form is that of the comment; without it, the video is meant.
        try await eva.submit("\(path)/denunciar", ["comment": "", "reason": "spam", "text": Self.hostile])
        try await ana.open(path)
        #expect(ana.status == .notFound, "one report is enough here")
        let moderator = try await browser("mod", .moderator)
        try await eva.open("/operator/moderacion")
        #expect(eva.status == .forbidden)
        try await moderator.open("/operator/moderacion")
        expectNoMarkup(moderator)
        #expect(moderator.html.contains("adverts or spam"))
        try await moderator.submit("/operator/moderacion", ["decision": "restored", "note": Self.hostile])
        #expect(moderator.html.contains("Nothing waits for a decision."))
        try await ana.open(path)
        #expect(ana.status == .ok)
    }

    @Test func membersReadWhatTheyAreToldAndChooseHow() async throws {
        let (station, ana) = (try await browser("oper", .operator), try await browser("ana"))
        for title in ["a", "b"] {
            try await station.open("/comunidad/publicar/\(title)")
            try await station.submit("/comunidad/publicar/\(title)", ["name": Self.hostile])
            try await notifications.tellAll()
            // A session that is not used ends.
            for _ in 0..<4 {
                fixture.clock.advance(by: .seconds(900))
                try await ana.open("/")
            }
        }
        let video = station.path
        try await station.open("/")
        #expect(station.html.contains("aria-label=\"Notifications\""), "nobody is told of their own deeds")
        let visitor = Browser(table)
        try await visitor.open("/")
        #expect(!visitor.html.contains("class=\"bell\""))
        try await visitor.open("/comunidad/avisos")
        #expect(visitor.path.hasPrefix("/cuenta/entrar"))

        try await ana.open("/comunidad")
        #expect(ana.html.contains("aria-label=\"Notifications: 2\""))
        try await ana.open("/comunidad/avisos")
        #expect(ana.html.contains("New video: ") && ana.html.contains("&lt;script&gt;alert(1)"))
        expectNoMarkup(ana)
        let link = try #require(ana.html.firstMatch(of: /href="(\/comunidad\/avisos\/[^"?]+)"/)?.1)
        try await ana.open(String(link))
        #expect(ana.path == video && ana.html.contains("aria-label=\"Notifications: 1\""))
        try await ana.open("/comunidad/avisos")
        try await ana.submit("/comunidad/avisos")
        #expect(ana.html.contains("aria-label=\"Notifications\"") && !ana.html.contains("Mark all as read"))
        try await ana.submit(
            "/comunidad/avisos/preferencias", ["newVideos-mail": "1", "aboutMe-site": "1", "aboutMe-push": "1"])
        #expect(ana.html.contains("Your choice is saved.") && !ana.html.contains("aboutMe-webhook"))
        let user = try await community.member(named: "ana")
        let preferences = try await notifications.preferences(of: user)
        #expect(preferences[.newVideos].contains(.mail) && preferences[.aboutMe] == [.site, .push, .webhook])
        // Those who have a webhook can choose it.
        _ = webhookOwners.users.withLock { $0.insert(user) }
        try await ana.open("/comunidad/avisos")
        #expect(ana.html.contains("About you: by webhook"))
        try await ana.submit("/comunidad/avisos/preferencias", ["newVideos-mail": "1", "aboutMe-site": "1"])
        #expect(try await notifications.preferences(of: user)[.aboutMe] == .site)
        // A mail program sends this without a session (RFC 8058).
        let endOfMail = "/comunidad/avisos/baja?user=\(user)&code="
        let program = Browser(table)
        try await program.post("\(endOfMail)\(String(repeating: "0", count: 64))", "List-Unsubscribe=One-Click")
        #expect(program.status == .notFound)
        try await program.open("\(endOfMail)\(notifications.unsubscribeCode(of: user))")
        #expect(program.status == .ok && program.html.contains("Unsubscribe"))
        #expect(try await notifications.preferences(of: user)[.newVideos].contains(.mail), "a link is no consent")
        try await program.post(
            "\(endOfMail)\(notifications.unsubscribeCode(of: user))", "List-Unsubscribe=One-Click")
        #expect(program.status == .ok)
        #expect(try await !notifications.preferences(of: user)[.newVideos].contains(.mail))
        try await ana.open("/comunidad/avisos/nothing")
        #expect(ana.status == .notFound)
    }

    @Test func theOwnerEditsAndWithdraws() async throws {
        let (station, ana) = (try await browser("oper", .operator), try await browser("ana"))
        try await station.open("/comunidad/publicar/a")
        try await station.submit("/comunidad/publicar/a", ["name": "Start"])
        let path = station.path
        try await ana.open("\(path)/editar")
        #expect(ana.status == .forbidden)
        try await ana.open("/comunidad/publicar/b")
        #expect(ana.status == .forbidden)
        try await station.open("\(path)/editar")
        try await station.submit("\(path)/editar", ["name": "Finish", "competition": "nothing"])
        #expect(station.status == .unprocessableContent)
        try await station.open("\(path)/editar")
        try await station.submit("\(path)/editar", ["name": "Finish"])
        #expect(station.html.contains("<h1>Finish</h1>"))
        try await station.open("\(path)/editar")
        try await station.submit("\(path)/retirar")
        try await station.open(path)
        #expect(station.status == .notFound)
    }

    @Test func membersFollowEachOther() async throws {
        let (ana, eva) = (try await browser("ana"), try await browser("eva"))
        try await ana.open("/comunidad/miembro/eva")
        try await ana.submit("/comunidad/miembro/eva/seguir")
        #expect(ana.html.contains(">1 follower<") && ana.html.contains("Unfollow"))

        try await eva.open("/comunidad/miembro/eva/seguidores")
        #expect(eva.html.contains("/comunidad/miembro/ana") && eva.html.contains(">Follow<"))
        try await eva.submit("/comunidad/miembro/ana/seguir")
        #expect(eva.path == "/comunidad/miembro/eva/seguidores", "the button leads back to the list")
        #expect(eva.html.contains("Unfollow"))
        try await eva.open("/comunidad/miembro/ana/seguidores")
        #expect(eva.html.contains("/comunidad/miembro/eva"))
        #expect(!eva.html.contains("/seguir\""), "nobody follows themselves")
        let visitor = Browser(table, language: "es")
        try await visitor.open("/comunidad/miembro/ana/seguidos")
        #expect(visitor.html.contains("/comunidad/miembro/eva"))
        #expect(!visitor.html.contains("<form method=\"post\""))

        try await ana.open("/comunidad/miembro/eva")
        try await ana.submit("/comunidad/miembro/eva/seguir", ["next": "https://example.com/"])
        #expect(ana.path == "/comunidad/miembro/eva", "a form leads to no other site")
        #expect(ana.html.contains(">0 followers<"))
        try await ana.open("/comunidad/miembro/nobody")
        #expect(ana.status == .notFound)
        try await ana.open("/comunidad/miembro/nobody/seguidores")
        #expect(ana.status == .notFound)
    }

    @Test func whoLikesAVideoAndWhomAMemberFollowsAreLists() async throws {
        let (station, ana) = (try await browser("oper", .operator), try await browser("ana"))
        try await station.open("/comunidad/publicar/a")
        try await station.submit("/comunidad/publicar/a", ["name": Self.hostile])
        let path = station.path
        #expect(!station.html.contains("Liked by"), "there is nobody to show")
        let video = try #require(path.split(separator: "/").last.flatMap { OpaqueID(parsing: String($0)) })
        for number in 0..<22 {
            let caller = try await fixture.caller("m\(number)")
            _ = try await community.setLike(true, of: video, by: caller)
        }
        try await ana.open(path)
        #expect(ana.html.contains("href=\"\(path)/me-gusta\""))
        try await ana.open("\(path)/me-gusta")
        #expect(ana.html.contains("/comunidad/miembro/m21") && !ana.html.contains("/comunidad/miembro/m1\""))
        expectNoMarkup(ana)
        try await ana.submit("/comunidad/miembro/m21/seguir")
        #expect(ana.path == "\(path)/me-gusta" && ana.html.contains("Unfollow"))
        let more = try #require(ana.html.firstMatch(of: /href="([^"]+\?cursor=[^"]+)"/)?.1)
        try await ana.open(String(more))
        #expect(ana.html.contains("/comunidad/miembro/m1\"") && !ana.html.contains("/comunidad/miembro/m21"))

        try await ana.open("/comunidad/perfil")
        try await ana.submit("/comunidad/perfil", ["visibility": "everybody", "showsFollows": "0"])
        let visitor = Browser(table)
        try await visitor.open("/comunidad/miembro/ana")
        #expect(visitor.html.contains("1 following") && !visitor.html.contains("/seguidos"))
        try await visitor.open("/comunidad/miembro/ana/seguidos")
        #expect(visitor.status == .forbidden)
        try await ana.open("/comunidad/miembro/ana/seguidos")
        #expect(ana.html.contains("/comunidad/miembro/m21"))
    }

    @Test func aProfileIsWrittenFoundReportedAndModerated() async throws {
        let (ana, eva) = (try await browser("ana"), try await browser("eva"))
        let moderator = try await browser("mod", .moderator)
        // Everybody finds their own profile from their account.
        try await ana.open("/cuenta")
        let profile = try #require(ana.html.firstMatch(of: /href="(\/comunidad\/miembro\/[^"]+)"/)?.1)
        try await ana.open(String(profile))
        #expect(ana.status == .ok && profile == "/comunidad/miembro/ana")
        try await ana.open("/comunidad/perfil")
        try await ana.submit(
            "/comunidad/perfil", ["about": Self.hostile, "visibility": "everybody", "showsFollows": "1"])
        #expect(ana.status == .ok && ana.html.contains("Saved."), "\(ana.problem)")
        expectNoMarkup(ana)
        try await ana.submit("/comunidad/perfil", ["about": String(repeating: "x", count: 2_001)])
        #expect(ana.status == .unprocessableContent && !ana.problem.isEmpty)
        for page in [
            "/comunidad/miembro/ana", "/comunidad/buscar?q=an", "/comunidad/miembros?q=an", "/comunidad/buscar",
            "/comunidad/buscar?q=%3Cscript%3Ealert(1)%3C/script%3E", "/comunidad/miembros?q=%3Cscript%3Ealert(1)",
        ] {
            try await eva.open(page)
            #expect(eva.status == .ok, "\(page)")
            expectNoMarkup(eva)
        }
        try await eva.open("/comunidad/buscar?q=an")
        #expect(eva.html.contains("/comunidad/miembro/ana") && eva.html.contains("/comunidad/miembros?q=an"))
        try await eva.open("/comunidad/miembro/ana")
        #expect(eva.html.contains("&lt;script&gt;alert(1)"))
        try await eva.submit("/comunidad/miembro/ana/silenciar")
        #expect(eva.html.contains("Unmute"))
        try await eva.submit("/comunidad/miembro/ana/bloquear")
        #expect(eva.html.contains("Unblock") && !eva.html.contains(">Follow<"))
        try await eva.submit("/comunidad/miembro/ana/denunciar", ["reason": "spam", "text": Self.hostile])
        try await eva.open("/comunidad/miembro/ana")
        #expect(eva.status == .notFound, "one report is enough here")
        try await ana.open("/comunidad/miembro/ana")
        #expect(ana.status == .ok && ana.html.contains("Only you and the moderators see this page."))
        try await moderator.open("/operator/moderacion")
        expectNoMarkup(moderator)
        try await moderator.submit("/operator/moderacion", ["decision": "warned", "note": Self.hostile])
        expectNoMarkup(moderator)
        #expect(moderator.html.contains("warned: ") && moderator.html.contains("/comunidad/miembro/ana"))
        try await ana.open("/comunidad/perfil")
        #expect(ana.html.contains("From the moderators"))
        expectNoMarkup(ana)
        try await moderator.open("/operator/moderacion")
        let refused = ["decision": "suspended", "note": "You & I \(Self.hostile)", "days": "3651"]
        try await moderator.submit("/operator/moderacion", refused)
        #expect(moderator.status == .unprocessableContent)
        expectNoMarkup(moderator)
        // What was typed is still there.
        #expect(moderator.html.contains("value=\"You &amp; I ") && moderator.html.contains("value=\"3651\""))
        #expect(moderator.html.contains("<option value=\"suspended\" selected>"))
        // Nobody is suspended with a note that cannot be written.
        let long = String(repeating: "a", count: ModeratedItem.maximumNoteLength + 1)
        try await moderator.submit("/operator/moderacion", ["decision": "suspended", "note": long, "days": "3"])
        #expect(moderator.status == .unprocessableContent && moderator.html.contains(long))
        try await ana.open("/comunidad/perfil")
        #expect(ana.status == .ok)
        // Only an administrator suspends somebody who may do more than a member; the form comes back, too.
        _ = try await browser("boss", .broadcaster)
        try await eva.open("/comunidad/miembro/boss")
        try await eva.submit("/comunidad/miembro/boss/denunciar", ["reason": "spam", "text": ""])
        let boss = try await fixture.accounts.account(named: "boss", by: TestAccounts.machine).id
        try await moderator.submit(
            "/operator/moderacion",
            ["kind": "profile", "id": boss.text, "decision": "suspended", "note": "Stop it", "days": "3"])
        #expect(moderator.status == .forbidden)
        #expect(!moderator.problem.isEmpty)
        #expect(moderator.html.contains("value=\"Stop it\"") && moderator.html.contains("value=\"3\""))
        try await moderator.open("/operator/moderacion")
        let owner = try await fixture.accounts.account(named: "ana", by: TestAccounts.machine).id
        try await moderator.submit(
            "/operator/moderacion",
            ["kind": "profile", "id": owner.text, "decision": "suspended", "note": "", "days": "3"])
        try await ana.open("/comunidad/perfil")
        #expect(ana.path.hasPrefix("/cuenta/entrar"), "her session has ended")
        let spanish = Browser(table, language: "es")
        try await spanish.open("/cuenta/entrar")
        let credentials = ["username": "ana", "password": TestAccounts.password]
        try await spanish.submit("/cuenta/entrar", credentials)
        #expect(spanish.html.contains("Tu cuenta está suspendida hasta el 4 ene 2026, 0:00 UTC"), "\(spanish.problem)")
        fixture.clock.advance(by: .seconds(3 * 86_400))
        try await spanish.submit("/cuenta/entrar", credentials)
        #expect(spanish.status == .ok && spanish.path == "/")
    }

    @Test func activitiesAreShownInThreeLists() async throws {
        let (station, ana, eva) = (
            try await browser("oper", .operator), try await browser("ana"), try await browser("eva")
        )
        try await station.open("/comunidad/publicar/a")
        try await station.submit("/comunidad/publicar/a", ["name": Self.hostile])
        let path = station.path
        try await ana.open(path)
        try await ana.submit("\(path)/me-gusta")
        try await ana.submit("\(path)/comentar", ["text": Self.hostile])
        try await station.open("/comunidad/actividad")
        #expect(station.html.contains("likes your video") && station.html.contains("has commented on your video"))
        expectNoMarkup(station)
        try await eva.open("/comunidad/miembro/ana")
        try await eva.submit("/comunidad/miembro/ana/seguir")
        try await eva.open("/comunidad/actividad?lista=followed")
        #expect(eva.html.contains("likes this video"))
        expectNoMarkup(eva)
        try await ana.open("/comunidad/actividad?lista=own")
        #expect(ana.html.contains("likes this video"))
        let visitor = Browser(table, language: "es")
        try await visitor.open("/comunidad/actividad")
        #expect(visitor.path.hasPrefix("/cuenta/entrar"))
        try await visitor.open("/comunidad/buscar?q=zzz")
        #expect(visitor.html.contains("No se ha encontrado nada."))
    }

    @Test func aProfileForMembersLeadsStrangersToTheLogIn() async throws {
        let ana = try await browser("ana")
        try await ana.open("/comunidad/perfil")
        try await ana.submit("/comunidad/perfil", ["visibility": "members"])
        let visitor = Browser(table)
        for page in ["/comunidad/miembro/ana", "/comunidad/miembro/ana/videos.atom"] {
            try await visitor.open(page)
            #expect(visitor.path.hasPrefix("/cuenta/entrar"), "\(page)")
        }
        try await visitor.open("/comunidad/miembros")
        #expect(!visitor.html.contains("/comunidad/miembro/ana"))
    }
}
