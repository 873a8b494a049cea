import Catalogue
import Community
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import MediaCore
import TestSupport
import Testing

@testable import WebSite

/// The operator's banners on the public pages of the community.
@Suite(.timeLimit(.minutes(2))) struct CommunityBannerTests {
    private let fixture: TestAccounts
    private let community: Community
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        _ = try await Catalogue.open(fixture.database, program: "test")
        community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
        table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts), with: community)
    }

    @Test func bannersStandWhereTheConfigurationSays() async throws {
        let competition = try await community.createCompetition(
            name: "Rally", description: "",
            schedule: try CompetitionSchedule(
                timeZone: "UTC", firstDay: try #require(CivilDate(parsing: "2026-01-01")), dayCount: 1),
            by: TestAccounts.machine)
        let browser = AccountPagesTests.Browser(table)
        let pages = ["/comunidad", "/comunidad/\(competition.id)", "/comunidad/videos"]
        for page in pages {
            try await browser.open(page)
            #expect(browser.status == .ok && !browser.html.contains("banner"), "\(page)")
        }
        community.settings.banners = [
            CommunityBanner(
                place: .top, image: "banners/garage.jpg", link: "https://garage.example/?a=1&b=\"><script>",
                text: "Garage <b>"),
            CommunityBanner(place: .bottom, image: "/secret/folder/x.png", link: "http://b.example", text: "Bar"),
        ]
        for page in pages {
            try await browser.open(page)
            let links = browser.html.matches(
                of: /<a href="([^"]*)" rel="sponsored noopener"><img src="([^"]*)" alt="([^"]*)"><\/a>/)
            #expect(links.map { String($0.3) } == ["Garage &lt;b&gt;", "Bar"], "\(page)")
            #expect(links.first?.1 == "https://garage.example/?a=1&amp;b=&quot;&gt;&lt;script&gt;")
            #expect(links.allSatisfy { $0.2.hasPrefix("/comunidad/banner/") }, "no other server is asked")
            #expect(!browser.html.contains("secret") && !browser.html.contains("garage.jpg"))
            let heading = try #require(browser.html.range(of: "<h1>")).lowerBound
            #expect(links.first.map { $0.range.lowerBound < heading } == true)
            #expect(links.last.map { $0.range.lowerBound > heading } == true)
        }
        try await browser.open("/acerca")
        #expect(!browser.html.contains("banner"))
    }

    @Test func theServerSendsTheImageOfAFile() async throws {
        let bytes: [UInt8] = [0xFF, 0xD8, 0xFF, 7]
        try content.folder.write(Data(bytes), to: "media/banners/garage.jpg")
        try content.folder.write(Data("text".utf8), to: "media/banners/text.jpg")
        let names = ["garage.jpg", "text.jpg", "missing.jpg"]
        community.settings.banners = names.map {
            CommunityBanner(place: .top, image: "banners/\($0)", link: "https://a.example", text: "A")
        }
        let browser = AccountPagesTests.Browser(table)
        try await browser.open("/comunidad")
        let paths = browser.html.matches(of: /<img src="(\/comunidad\/banner\/[^"]*)"/).map { String($0.1) }
        #expect(Set(paths).count == 3)
        for (path, status) in zip(paths, [HTTPResponse.Status.ok, .notFound, .notFound]) {
            try await browser.open(path)
            #expect(browser.status == status, "\(path)")
            if status == .ok { #expect(browser.headers[.contentType] == "image/jpeg") }
        }
        // A banner that is not configured any more is not sent.
        community.settings.banners = []
        try await browser.open(paths[0])
        #expect(browser.status == .notFound)
    }
}
