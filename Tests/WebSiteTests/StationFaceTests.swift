import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Testing

@testable import WebSite

/// The look of the station on its pages, and the site as an app.
@Suite struct StationFaceTests {
    private typealias Browser = AccountPagesTests.Browser

    private func browser(_ change: (inout StationFace) -> Void = { _ in }) -> Browser {
        var face = StationFace()
        change(&face)
        return Browser(EndpointTable.serving(InMemoryContent(), with: CurrentFace(face)))
    }

    @Test func pagesBearNameLogoColourAndTextOfTheStation() async throws {
        let browser = browser { face in
            face.name = "<i>TV</i> Norte"
            face.accent = AccentColor(parsing: "#ffcc00")
            face.logo = StationLogo(Array("<svg viewBox=\"0 0 30 10\"></svg>".utf8))
            face.texts = ["en": "For <b>all</b>"]
        }
        try await browser.open("/acerca")
        let page = browser.html
        #expect(page.contains("· &lt;i&gt;TV&lt;/i&gt; Norte</title>") && !page.contains("<i>TV"))
        #expect(page.contains("For &lt;b&gt;all&lt;/b&gt;") && page.contains(#"width="84" height="28""#))
        let logo = try #require(page.firstMatch(of: #/src="(\/site\/[^"]+\/logo)"/#)).1
        try await browser.open(String(logo))
        #expect(browser.status == .ok && browser.headers[.contentType] == "image/svg+xml")
        #expect(browser.headers[.contentSecurityPolicy]?.contains("sandbox") == true)
        let style = try #require(page.firstMatch(of: #/href="(\/site\/[^"]+\/station.css)"/#)).1
        try await browser.open(String(style))
        #expect(browser.html.contains(":root{--accent:#"))
        try await browser.open("/site/0/station.css")
        #expect(browser.headers[.location] == String(style) || browser.path == String(style))
    }

    @Test func aStationWithoutAFaceHasThatOfTheProgram() async throws {
        let browser = browser()
        try await browser.open("/acerca")
        #expect(browser.html.contains("· Antena</title>") && !browser.html.contains("station.css"))
        try await browser.open("/site/0/station.css")
        #expect(browser.status == .notFound)
        try await browser.open("/site/0/logo")
        #expect(browser.status == .notFound)
    }

    /// People see the operator's message, and may log in; programs go on.
    @Test(arguments: ["en", "es"]) func pagesOfAStationInMaintenanceSaySo(_ language: String) async throws {
        var face = StationFace()
        face.maintenance = "Back at <b>ten</b>"
        let browser = Browser(EndpointTable.serving(InMemoryContent(), with: CurrentFace(face)), language: language)
        for path in ["/", "/videoclub", "/directo", "/buscar?q=a"] {
            try await browser.open(path)
            #expect(browser.status == .serviceUnavailable && browser.html.contains("Back at &lt;b&gt;ten"), "\(path)")
            #expect(browser.headers[.retryAfter] == "300" && !browser.html.contains("<nav"), "\(path)")
        }
        try await browser.open("/cuenta/entrar")
        #expect(browser.status != .serviceUnavailable && !browser.html.contains("Back at"))
        try await browser.open("/site/manifest.webmanifest")
        #expect(browser.status == .ok)
    }

    /// What a browser needs to install the site: a name, an address to start, and icons of 192 and 512 pixels.
    @Test func theManifestLetsBrowsersInstallTheSite() async throws {
        let browser = browser { $0.name = "Norte \"1\"" }
        try await browser.open("/site/manifest.webmanifest")
        #expect(browser.headers[.contentType] == "application/manifest+json")
        let manifest = try #require(
            try JSONSerialization.jsonObject(with: Data(browser.html.utf8)) as? [String: Any])
        #expect(manifest["name"] as? String == "Norte \"1\"" && manifest["start_url"] as? String == "/")
        let icons = try #require(manifest["icons"] as? [[String: String]])
        #expect(Set(icons.compactMap { $0["sizes"] }).isSuperset(of: ["192x192", "512x512"]))
        for icon in icons {
            try await browser.open(try #require(icon["src"]))
            #expect(browser.status == .ok && browser.headers[.contentType] == icon["type"])
        }
        let target = try #require(manifest["share_target"] as? [String: Any])
        #expect(target["method"] as? String == "POST" && target["action"] as? String == "/compartir")
    }

    /// The service worker takes what is shared. Without it, the server takes nothing.
    @Test func theServerTakesNoSharedFile() async throws {
        let browser = browser()
        try await browser.post("/compartir", "video=1")
        #expect(browser.status == .methodNotAllowed || browser.status == .forbidden)
        try await browser.open("/service-worker.js")
        #expect(!browser.html.contains("{{") && browser.html.contains("'/compartir'"))
    }

    @Test(arguments: ["en", "es"]) func pagesOfTheAppAreForEverybody(_ language: String) async throws {
        let table = EndpointTable.serving(InMemoryContent(), with: CurrentFace(StationFace()))
        let browser = Browser(table, language: language)
        for path in ["/instalar", "/sin-conexion"] {
            try await browser.open(path)
            #expect(browser.status == .ok && browser.html.contains("<h1>"), "\(path)")
        }
    }
}
