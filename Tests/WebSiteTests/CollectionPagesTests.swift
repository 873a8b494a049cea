import Catalogue
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LibraryDetails
import Synchronization
import Testing

@testable import HTTPEndpoints
@testable import WebSite

/// The pages of series, albums and artists.
@Suite(.eachEngine) struct CollectionPagesTests {
    private let content = InMemoryContent()

    private func page(
        _ path: String, language: String = "en"
    ) async throws -> (status: HTTPResponse.Status, html: String) {
        let table = EndpointTable.serving(content)
        let response = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(
                uri: path, method: .get, headers: [.acceptLanguage: language, .accept: "text/html"])
        }
        return (response.status, String(buffer: response.body))
    }

    private func add(_ id: String, series: String, season: Int? = nil, episode: Int? = nil) async throws {
        var title = InMemoryContent.title(id)
        var details = ItemDetails()
        details[.title] = .text("Title \(id)")
        details[.series] = .text(series)
        details[.season] = season.map(DetailValue.number)
        details[.episode] = episode.map(DetailValue.number)
        title.fileDetails = details
        title.show(details)
        try await content.folder.catalogue.save(title)
        content.state.withLock { [title] in $0.titles.append(title) }
    }

    private func link(_ pattern: some RegexComponent<(Substring, Substring)>, in html: String) -> String? {
        html.firstMatch(of: pattern).map { String($0.output.1) }
    }

    @Test(arguments: ["/videoclub/series", "/radio/albumes", "/radio/artistas"])
    func anEmptyListSaysHowItIsFilled(_ path: String) async throws {
        for (language, text) in [("en", "appear here"), ("es", "aparecen")] {
            let (status, html) = try await page(path, language: language)
            #expect(status == .ok && html.contains(text) && html.contains("aria-current"), "\(path) \(language)")
        }
        let missing = try await page("\(path)/0123")
        #expect(missing.status == .notFound)
    }

    @Test func aSeriesShowsItsSeasonsAndLeadsToItsTitles() async throws {
        try await add("b", series: "The <b> & Garden", season: 2, episode: 1)
        try await add("a", series: "the <b> & garden", season: 1, episode: 2)
        try await add("c", series: "The <b> & Garden", season: 1, episode: 1)
        try await add("d", series: "The <b> & Garden")
        let list = try await page("/videoclub/series").html
        #expect(list.contains("4 titles") && list.contains("&lt;b&gt;") && !list.contains("<b>"))
        let path = try #require(link(/href="(\/videoclub\/series\/[0-9a-f]+)"/, in: list))
        let (status, html) = try await page(path, language: "es")
        #expect(status == .ok && html.contains("Temporada 1") && html.contains("Otros títulos"))
        let places = ["Title c", "Title a", "Temporada 2", "Title b", "Otros títulos", "Title d"].map {
            html.firstRange(of: $0)?.lowerBound
        }
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted() && !places.contains(nil))
        #expect(html.contains(#"href="/videoclub?title=c""#))
        // The page of a title leads back.
        #expect(try await page("/videoclub?title=c").html.contains(#"href="\#(path)""#))
        #expect(try await page("/videoclub").html.contains(#"href="/videoclub/series""#))
    }

    @Test func aLongSeriesHasPages() async throws {
        for number in 1...30 { try await add("t\(number)", series: "S\(number < 10 ? "0" : "")\(number)") }
        let first = try await page("/videoclub/series").html
        #expect(first.contains("S01") && first.contains("S20") && !first.contains("S21"))
        let next = try #require(link(/href="(\?cursor=[^"]+)" rel="next"/, in: first))
        let second = try await page("/videoclub/series\(next)").html
        #expect(second.contains("S21") && second.contains("S30") && !second.contains("S20"))
        #expect(second.contains(#"href="?""#))
    }

    @Test func anAlbumShowsItsTracksAndLeadsToItsArtist() async throws {
        for (id, number) in [("two", 2), ("one", 1)] {
            var track = InMemoryContent.track(id, title: "Track \(id)")
            track.file = "\(id).mp3"
            var details = track.details
            details[.trackNumber] = .number(number)
            track.fileDetails = details
            track.show(details)
            try await content.folder.catalogue.save(track)
            content.state.withLock { [track] in $0.tracks.append(track) }
        }
        let albums = try await page("/radio/albumes").html
        let path = try #require(link(/href="(\/radio\/albumes\/[0-9a-f]+)"/, in: albums))
        let album = try await page(path).html
        #expect(album.contains("1999 · 2 tracks"))
        let places = ["Track one", "Track two"].map { album.firstRange(of: $0)?.lowerBound }
        #expect(places.compactMap(\.self) == places.compactMap(\.self).sorted() && !places.contains(nil))
        let artist = try #require(link(/href="(\/radio\/artistas\/[0-9a-f]+)"/, in: album))
        #expect(try await page(artist).html.contains(#"href="\#(path)""#))
        #expect(try await page("/radio/artistas").html.contains(#"href="\#(artist)""#))
        // The player of a track leads to both.
        let radio = try await page("/radio?track=one").html
        #expect(radio.contains(#"href="\#(path)""#) && radio.contains(#"href="\#(artist)""#))
    }
}
