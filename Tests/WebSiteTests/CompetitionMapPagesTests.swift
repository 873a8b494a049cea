import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import WebSite

/// The maps of competitions, and the places of videos, without a script. The clock begins on 2026-01-01.
@Suite(.eitherEngine, .timeLimit(.minutes(5)))
struct CompetitionMapPagesTests {
    private typealias Browser = AccountPagesTests.Browser

    private static let hostile = #"</title></svg><script>alert(1)</script>"><img src=x onerror=alert(2)>{{name}}"#
    private static let markup = ["<script>alert", "<img src=x"]

    private let fixture: TestAccounts
    private let community: Community
    private let table: EndpointTable
    private let competition: Competition
    private var page: String { "/comunidad/\(competition.id)" }
    private var form: String { "/operator/competiciones/\(competition.id)/mapa" }

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
        competition = try await community.createCompetition(
            name: Self.hostile, description: "",
            schedule: try CompetitionSchedule(
                timeZone: "Europe/Madrid", firstDay: try #require(CivilDate(parsing: "2026-01-01")), dayCount: 2),
            by: TestAccounts.machine)
    }

    private func browser(_ name: String, _ role: Role, language: String = "en") async throws -> Browser {
        try await .loggedIn(name, role, at: table, of: fixture, language: language)
    }

    private func expectNoMarkup(_ browser: Browser) {
        for text in Self.markup { #expect(!browser.html.contains(text), "\(browser.path)") }
    }

    /// Sends the form for a map as a browser does.
    private func send(_ file: [UInt8], _ fields: [(String, String)] = [], by browser: Browser) async throws {
        try await browser.open(form)
        let action = try #require(browser.html.firstMatch(of: /action="([^"]*\/mapa\?csrf=[^"]+)" enctype/)?.1)
        var body = fields.reduce(into: [UInt8]()) { body, field in
            body += Array(
                "--x\r\nContent-Disposition: form-data; name=\"\(field.0)\"\r\n\r\n\(field.1)\r\n".utf8)
        }
        body += Array(
            "--x\r\nContent-Disposition: form-data; name=\"map\"; filename=\"\(file.isEmpty ? "" : "m")\"\r\n\r\n".utf8)
        body += file + Array("\r\n--x--\r\n".utf8)
        try await browser.post(String(action), bytes: body, type: "multipart/form-data; boundary=x")
    }

    private static func track(_ name: String) -> [UInt8] {
        let name = name.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
        return Array(
            """
            <gpx><trk><name>\(name)</name><trkseg><trkpt lat="43.30" lon="-6.40"/><trkpt lat="43.40" lon="-6.20"/>
            </trkseg></trk></gpx>
            """.utf8)
    }

    @Test func anOperatorSetsAMapAndVideosAreLinksOnIt() async throws {
        let station = try await browser("olga", .operator)
        try await station.open(page)
        #expect(!station.html.contains("<svg viewBox=\"0 0 1000 ") && station.html.contains("href=\"\(form)\""))
        try await send(Self.track(Self.hostile), by: station)
        #expect(station.status == .ok && station.html.contains("role=\"status\">Saved"), "\(station.problem)")
        #expect(station.html.contains("<svg viewBox=\"0 0 1000 "))
        expectNoMarkup(station)
        for (title, place) in [("a", ("43.35", "-6.30")), ("b", ("43.35", "-6.30")), ("c", ("-43.35", "6.30"))] {
            try await station.open("/comunidad/publicar/\(title)")
            try await station.submit(
                "/comunidad/publicar/\(title)",
                [
                    "name": "\(title)\(Self.hostile)", "competition": competition.id.text, "day": "1",
                    "latitude": place.0, "longitude": place.1, "visibility": "public", "commentPolicy": "open",
                ])
            #expect(station.path.hasPrefix("/comunidad/video/"), "\(station.problem)")
        }
        let visitor = Browser(table)
        for path in [page, "/comunidad/videos?competition=\(competition.id)&day=1"] {
            try await visitor.open(path)
            expectNoMarkup(visitor)
            let links = visitor.html.matches(
                of: /<a href="\/comunidad\/video\/[0-9a-z]{26}" aria-label="([^"]*)"><circle cx="([0-9.]+)"/)
            #expect(links.map { String($0.1.prefix(1)) } == ["b", "a"], "\(path)")
            #expect(links.count == 2 && links[0].2 != links[1].2, "videos of one place are beside each other")
            #expect(links.allSatisfy { $0.1.contains("&lt;script&gt;alert(1)") })
            #expect(visitor.html.contains("One more video is from a place outside the map."))
            #expect(visitor.html.contains("<path class=\"road\" d=\"M") && visitor.html.contains("class=\"scale\""))
            #expect(visitor.html.contains("Stages: &lt;/title&gt;"))
        }
        // Other days, other lists and later pages have no such points.
        try await visitor.open("/comunidad/videos?competition=\(competition.id)&day=2")
        #expect(visitor.html.contains("<svg viewBox=\"0 0 1000 ") && !visitor.html.contains("<circle"))
        for path in ["/comunidad/videos?competition=\(competition.id)", "/comunidad/videos"] {
            try await visitor.open(path)
            #expect(!visitor.html.contains("<svg viewBox=\"0 0 1000 "), "\(path)")
        }
        try await station.open(form)
        try await station.submit("\(form)/quitar")
        try await visitor.open(page)
        #expect(!visitor.html.contains("<svg viewBox=\"0 0 1000 "))
    }

    @Test func anImageIsShownFromItsOwnAddress() async throws {
        let station = try await browser("olga", .operator)
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 60, 0, 80, 3]
        let edges = [("north", "43.5"), ("west", "-6.5"), ("south", "43"), ("east", "-6")]
        try await send(jpeg, edges, by: station)
        #expect(station.status == .ok, "\(station.problem)")
        #expect(station.html.contains("name=\"north\" type=\"number\" value=\"43.5\""))
        let visitor = Browser(table)
        try await visitor.open(page)
        let address = "/api/v1/competitions/\(competition.id)/map/image?v="
        #expect(visitor.html.contains("<image href=\"\(address)"))
        #expect(visitor.html.contains("<svg viewBox=\"0 0 1000 750\""))
    }

    @Test(arguments: ["en", "es"]) func whatIsWrongWithAMapIsSaid(_ language: String) async throws {
        let station = try await browser("olga", .operator, language: language)
        let isEnglish = language == "en"
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 0, 60, 0, 80, 3]
        let cases: [(file: [UInt8], english: String, spanish: String)] = [
            ([], "Choose a GPX", "Elige un archivo"), (Array("<kml/>".utf8), "is not GPX", "no es GPX"),
            (
                Array("<gpx><rte><rtept lat=\"x\" lon=\"1\"/></rte></gpx>".utf8), "Point 1 of segment 1",
                "El punto 1 del segmento 1"
            ),
            (Array("<gpx".utf8), "not XML", "no es XML"), (jpeg, "needs its edges", "necesita sus bordes"),
            ([0x89, 0x50, 0x4E, 0x47], "needs its edges", "necesita sus bordes"),
        ]
        try await send(jpeg, [("north", "4<3"), ("west", "")], by: station)
        #expect(station.status == .unprocessableContent)
        #expect(station.html.contains("value=\"4&lt;3\""), "what was typed stays")
        for (file, english, spanish) in cases {
            try await send(file, by: station)
            #expect(station.status == .unprocessableContent)
            #expect(station.problem.contains(isEnglish ? english : spanish), "\(station.problem)")
        }
        #expect(try await community.competition(competition.id).map == nil)
    }

    @Test func membersAndOtherSitesSetNoMaps() async throws {
        let member = try await browser("mia", .member)
        try await member.open(form)
        #expect(member.status == .forbidden)
        let station = try await browser("olga", .operator)
        try await station.open(form)
        try await station.post(form, bytes: Array("--x--".utf8), type: "multipart/form-data; boundary=x")
        #expect(station.status == .forbidden)
    }

    @Test(arguments: ["en", "es"]) func aPlaceIsWrittenChangedAndTakenAway(_ language: String) async throws {
        let station = try await browser("olga", .operator, language: language)
        let path = "/comunidad/publicar/a"
        try await station.open(path)
        #expect(station.html.contains("data-place") && station.html.contains("name=\"latitude\" type=\"number\""))
        let choices = ["visibility": "public", "commentPolicy": "open"]
        for (latitude, longitude, field) in [
            ("91", "0", "latitude"), ("x<y", "0", "latitude"), ("1", "", "longitude"), ("", "1", "latitude"),
            ("1", "181", "longitude"), ("nan", "1", "latitude"),
        ] {
            try await station.open(path)
            try await station.submit(path, choices.merging(["latitude": latitude, "longitude": longitude]) { $1 })
            #expect(station.status == .unprocessableContent)
            #expect(station.problem.contains(language == "en" ? "from -90 to 90" : "de -90 a 90"), "\(station.problem)")
            #expect(station.html.contains("aria-describedby=\"wrong-\(field)\""), "\(latitude) \(longitude)")
            #expect(station.html.contains("value=\"\(latitude.replacing("<", with: "&lt;"))\""))
        }
        try await station.open(path)
        try await station.submit(path, choices.merging(["latitude": "43,5", "longitude": " -6.25"]) { $1 })
        let page = station.path
        #expect(page.hasPrefix("/comunidad/video/"), "\(station.problem)")
        let id = try #require(OpaqueID(parsing: String(page.suffix(26))))
        func place() async throws -> GeographicPoint? {
            try await community.video(id, for: TestAccounts.machine, maySeeHidden: true).place
        }
        #expect(try await place() == GeographicPoint(latitude: 43.5, longitude: -6.25))
        try await station.open("\(page)/editar")
        #expect(station.html.contains("value=\"43.5\"") && station.html.contains("value=\"-6.25\""))
        try await station.submit("\(page)/editar", choices.merging(["latitude": "", "longitude": ""]) { $1 })
        #expect(try await place() == nil)
    }
}
