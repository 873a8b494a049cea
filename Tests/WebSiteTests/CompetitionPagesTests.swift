import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import MediaCore
import TestSupport
import Testing

@testable import WebSite

/// The pages of competitions without a script. The clock begins on 2026-01-01.
@Suite(.eitherEngine, .timeLimit(.minutes(5)))
struct CompetitionPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    private let fixture: TestAccounts
    private let community: Community
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        // Lists of videos name titles.
        _ = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        table = EndpointTable.serving(
            InMemoryContent(), authority: TestOperator.authority(fixture.accounts), with: community)
    }

    private func loggedIn(_ name: String, _ role: Role, language: String = "en") async throws -> Browser {
        _ = try await fixture.accounts.createAccount(
            Registration(username: name, password: TestAccounts.password), role: role, by: TestAccounts.machine)
        let browser = Browser(table, language: language)
        try await browser.open("/cuenta/entrar")
        try await browser.submit("/cuenta/entrar", ["username": name, "password": TestAccounts.password])
        return browser
    }

    private func make(_ name: String, _ first: String, _ count: Int = 1, _ description: String = "") async throws
        -> Competition
    {
        try await community.createCompetition(
            name: name, description: description,
            schedule: try CompetitionSchedule(
                timeZone: "Europe/Madrid", firstDay: try #require(CivilDate(parsing: first)), dayCount: count),
            by: TestAccounts.machine)
    }

    @Test func visitorsSeeCompetitionsByStart() async throws {
        _ = try await make("Later <b>", "2026-05-02")
        let over = try await make("Over", "2025-10-01", 2)
        let sooner = try await make("Sooner", "2026-01-01", 3)
        let browser = Browser(table)
        try await browser.open("/comunidad")
        #expect(browser.status == .ok && browser.heading == "Community")
        let links = browser.html.matches(of: /href="\/comunidad\/([0-9a-z]{26})"/).map { String($0.1) }
        // What cannot be entered yet is no link, and says when it opens.
        #expect(links == [sooner.id.text])
        #expect(browser.html.contains("Opens on <time datetime=\"2026-04-25\">"))
        #expect(browser.html.contains("Later &lt;b&gt;") && browser.html.contains("2 May 2026"))
        #expect(browser.html.contains("<span class=\"badge\">Running</span>"))
        #expect(browser.html.contains("aria-current=\"page\">Community</a>"))
        #expect(!browser.html.contains("/operator/"))
        try await browser.open("/comunidad?section=finished")
        #expect(browser.html.contains("/comunidad/\(over.id)") && !browser.html.contains("/comunidad/\(sooner.id)"))
        #expect(browser.html.contains("1 October 2025 – 2 October 2025"))
        try await browser.open("/comunidad?q=LATER")
        #expect(browser.html.contains("Later &lt;b&gt;") && !browser.html.contains(sooner.id.text))
        try await browser.open("/comunidad?q=none")
        #expect(browser.html.contains("Nothing found for “none”"))
        try await browser.open("/comunidad?limit=1")
        let next = try #require(browser.html.firstMatch(of: /href="(\?cursor=[^"]*)" rel="next"/)?.1)
        try await browser.open("/comunidad\(next)&limit=1")
        #expect(browser.html.contains("Later &lt;b&gt;") && !browser.html.contains(sooner.id.text))
    }

    /// Neither by a link nor by an address that somebody has kept.
    @Test func aClosedCompetitionCannotBeEntered() async throws {
        let (closed, open) = (try await make("Later", "2026-05-02", 2), try await make("Sooner", "2026-01-01", 2))
        let browser = Browser(table)
        func videos(_ competition: Competition, _ day: String = "") -> String {
            "/comunidad/videos?competition=\(competition.id)\(day)"
        }
        try await browser.open("/comunidad/\(closed.id)")
        #expect(browser.status == .ok && browser.html.contains("Day 2"))
        #expect(!browser.html.contains("videos?competition="))
        for day in ["", "&day=1"] {
            try await browser.open(videos(closed, day))
            #expect(browser.path == "/comunidad/\(closed.id)")
            try await browser.open("/api/v1/videos?competition=\(closed.id)\(day)")
            #expect(browser.status == .conflict && browser.html.contains("it opens on 2026-04-25"))
        }
        let operatorBrowser = try await loggedIn("olga", .operator)
        try await operatorBrowser.open(videos(closed, "&day=2"))
        #expect(operatorBrowser.status == .ok && operatorBrowser.heading == "Later · Day 2")
        try await browser.open(videos(open, "&day=2"))
        #expect(browser.status == .ok && browser.heading == "Sooner · Day 2")
        #expect(browser.html.contains("<title>Sooner · Day 2 · Antena</title>"))
        fixture.clock.advance(by: .seconds(115 * 86_400))
        try await browser.open(videos(closed))
        #expect(browser.status == .ok && browser.heading == "Later")
    }

    @Test func aCompetitionHasDaysStandingsAndAPreview() async throws {
        let made = try await make("Rally \"1\"", "2026-03-28", 2, "Uno\nDos <i>")
        let standings = try Standings(header: ["Pos", "Piloto"], rows: [["1", "<script>"]])
        _ = try await community.setStandings(standings, of: made.id, from: nil, by: TestAccounts.machine)
        let image = try #require(CompetitionImage(jpeg: [0xFF, 0xD8, 0xFF]))
        _ = try await community.setImage(image, ofCompetition: made.id, by: TestAccounts.machine)
        let browser = Browser(table, language: "es")
        try await browser.open("/comunidad/\(made.id)")
        let html = browser.html
        #expect(browser.status == .ok && html.contains("<h1>Rally &quot;1&quot;</h1>"))
        #expect(html.contains("<title>Rally &quot;1&quot; · Antena</title>"))
        #expect(html.contains("<span class=\"badge\">Cerrada</span>") && html.contains("Uno\nDos &lt;i&gt;"))
        #expect(html.contains("<time datetime=\"2026-03-21\">"))
        #expect(html.contains("Día 2") && html.contains("<time datetime=\"2026-03-29\">domingo, 29 de marzo de 2026"))
        #expect(html.contains("<th scope=\"col\">Piloto</th>") && html.contains("<td>&lt;script&gt;</td>"))
        #expect(html.contains("/api/v1/competitions/\(made.id)/calendar.ics"))
        let properties = html.matches(of: /<meta property="([^"]*)" content="([^"]*)">/).map { ($0.1, $0.2) }
        #expect(
            properties.map(\.0) == ["og:type", "og:site_name", "og:title", "og:url", "og:description", "og:image"])
        #expect(properties.map(\.1)[2] == "Rally &quot;1&quot;" && properties.map(\.1)[4] == "Uno Dos &lt;i&gt;")
        #expect(properties.map(\.1)[5].hasSuffix("/image?v=\(image.version)"))
        #expect(!html.contains("{{") && !html.contains("/operator/"))
        for path in ["/comunidad/none", "/comunidad/\(OpaqueID())"] {
            try await browser.open(path)
            #expect(browser.status == .notFound)
        }
    }

    @Test func operatorsMakeChangeAndDeleteCompetitions() async throws {
        let browser = try await loggedIn("olga", .operator)
        try await browser.open("/comunidad")
        #expect(browser.html.contains("href=\"/operator/competiciones/nueva\""))
        try await browser.open("/operator/competiciones/nueva")
        let values = [
            "name": "Rally", "description": "Uno\r\nDos", "timeZone": "Asia/Tokyo", "firstDay": "2026-04-01",
            "dayCount": "3",
        ]
        var wrong = values
        wrong["dayCount"] = "61"
        try await browser.submit("/operator/competiciones/nueva", wrong)
        #expect(browser.status == .unprocessableContent && !browser.problem.isEmpty)
        #expect(browser.html.contains("aria-describedby=\"wrong-dayCount\"") && browser.html.contains("value=\"61\""))
        #expect(browser.html.contains(">Uno\nDos</textarea>") && browser.html.contains("value=\"Asia/Tokyo\" selected"))
        try await browser.submit("/operator/competiciones/nueva", values)
        #expect(browser.status == .ok && browser.heading == "Edit competition", "\(browser.problem)")
        let made = try #require(try await community.competitions().items.first)
        #expect(made.schedule.zone.identifier == "Asia/Tokyo" && made.description == "Uno\nDos")

        let path = "/operator/competiciones/\(made.id)"
        let other = try await loggedIn("oscar", .operator)
        try await other.open(path)
        var changed = values
        changed["name"] = "Rallye"
        try await browser.submit(path, changed)
        #expect(try await community.competition(made.id).name == "Rallye")
        // The later form keeps what was typed, and does not undo the change.
        changed["name"] = "Too late"
        try await other.submit(path, changed)
        #expect(other.status == .preconditionFailed && other.html.contains("value=\"Too late\""))
        #expect(try await community.competition(made.id).name == "Rallye")

        try await browser.open("\(path)/clasificacion")
        try await browser.submit("\(path)/clasificacion", ["table": "Pos,Driver\r\n1,Ana,x"])
        #expect(browser.status == .unprocessableContent && browser.html.contains("Pos,Driver\n1,Ana,x</textarea>"))
        try await browser.submit("\(path)/clasificacion", ["table": "Pos,Driver\r\n1,=Ana\r\n"])
        #expect(browser.status == .ok && browser.html.contains("=Ana&quot;"), "\(browser.problem)")
        #expect(try await community.standings(of: made.id).standings.rows == [["1", "=Ana"]])
        try await browser.submit("\(path)/clasificacion", ["table": ""])
        #expect(try await community.standings(of: made.id).standings.isEmpty)

        try await browser.open(path)
        try await browser.submit("\(path)/borrar")
        #expect(browser.path == "/comunidad")
        #expect(try await community.competitions().items.isEmpty)
    }

    @Test func standingsThatAreTooLargeForAFormAreNotCut() async throws {
        let made = try await make("Rally", "2026-05-02")
        let cell = String(repeating: "ñ", count: 100)
        let large = try Standings(header: ["A"], rows: Array(repeating: [cell], count: 200))
        _ = try await community.setStandings(large, of: made.id, from: nil, by: TestAccounts.machine)
        let browser = try await loggedIn("olga", .operator)
        try await browser.open("/operator/competiciones/\(made.id)/clasificacion")
        #expect(browser.status == .ok && !browser.html.contains("<textarea"))
        #expect(browser.html.contains("too large for a form"))
    }

    @Test func membersFollowWithAButton() async throws {
        let made = try await make("Rally", "2026-05-02")
        let path = "/comunidad/\(made.id)"
        let browser = try await loggedIn("mia", .member)
        try await browser.open(path)
        #expect(browser.html.contains("Follow</button>"))
        try await browser.submit("\(path)/seguir")
        #expect(browser.path == path && browser.html.contains("Unfollow</button>"))
        try await browser.submit("\(path)/seguir")
        #expect(browser.html.contains("Follow</button>"))
        let stranger = Browser(table)
        try await stranger.open(path)
        #expect(!stranger.html.contains("/seguir"))
    }

    @Test func membersHaveNoForms() async throws {
        let made = try await make("Rally", "2026-05-02")
        let browser = try await loggedIn("mia", .member)
        for path in ["/operator/competiciones/nueva", "/operator/competiciones/\(made.id)"] {
            try await browser.open(path)
            #expect(browser.status == .forbidden, "\(path)")
        }
        for path in ["/comunidad", "/comunidad/\(made.id)"] {
            try await browser.open(path)
            #expect(browser.status == .ok && !browser.html.contains("/operator/competiciones"))
        }
    }
}
