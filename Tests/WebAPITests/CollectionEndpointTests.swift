import Catalogue
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import LibraryDetails
import MediaAccess
import NIOCore
import Testing

@testable import HTTPEndpoints
@testable import WebAPI

/// Series, albums and artists in the API.
@Suite(.eachEngine) struct CollectionEndpointTests {
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() { table = EndpointTable.serving(content) }

    private func get(_ path: String) async throws -> (status: HTTPResponse.Status, json: JSONNode) {
        let answer = try await Application(router: table.router()).test(.live) { client in
            try await client.execute(uri: "/api/v1/\(path)", method: .get)
        }
        return (answer.status, try JSONParser.parse(answer.body.readableBytesView))
    }

    private func items(_ path: String) async throws -> [JSONNode] {
        let (status, json) = try await get(path)
        #expect(status == .ok, "\(path)")
        return json["items"]?.elements ?? []
    }

    private func addEpisode(_ id: String, _ season: Int, _ episode: Int) async throws {
        var title = InMemoryContent.title(id)
        var details = ItemDetails()
        details[.title] = .text(id)
        details[.series] = .text("Jardín")
        details[.season] = .number(season)
        details[.episode] = .number(episode)
        title.fileDetails = details
        title.show(details)
        try await content.folder.catalogue.save(title)
    }

    private func addTrack(_ id: String, _ number: Int) async throws {
        var track = InMemoryContent.track(id)
        track.file = "\(id).mp3"
        var details = track.details
        details[.trackNumber] = .number(number)
        track.fileDetails = details
        track.show(details)
        try await content.folder.catalogue.save(track)
    }

    @Test func aSeriesListsItsTitlesInOrder() async throws {
        #expect(try await items("series").isEmpty)
        for (id, season, episode) in [("b", 2, 1), ("a", 1, 2), ("c", 1, 1)] {
            try await addEpisode(id, season, episode)
        }
        let series = try #require(try await items("series").first)
        #expect(series["name"]?.string == "Jardín" && series["titleCount"]?.integer == 3)
        let id = try #require(series["id"]?.string)
        #expect(try await get("series/\(id)").json["name"]?.string == "Jardín")
        var (ids, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try await get("series/\(id)/titles?limit=2\(cursor.map { "&cursor=\($0)" } ?? "")").json
            ids += page["items"]?.elements?.compactMap { $0["id"]?.string } ?? []
            cursor = page["next"]?.string
        } while cursor != nil && ids.count < 10
        #expect(ids == ["c", "a", "b"])
        for path in ["series/none", "series/none/titles", "albums/none", "albums/none/tracks"] {
            #expect(try await get(path).status == .notFound, "\(path)")
        }
        #expect(try await get("series/\(id)/titles?cursor=AAAA").status == .unprocessableContent)
        #expect(try await get("albums?artist=x").status == .badRequest)
    }

    @Test func anAlbumListsItsTracksAndAnArtistTheAlbums() async throws {
        for (id, number) in [("two", 2), ("one", 1)] { try await addTrack(id, number) }
        let artist = try #require(try await items("artists").first?["id"]?.string)
        let album = try #require(try await items("albums?artist=\(artist)").first)
        #expect(album["artist"]?.string == "Artist" && album["artistId"]?.string == artist)
        #expect(album["trackCount"]?.integer == 2 && album["year"]?.integer == 1999)
        let id = try #require(album["id"]?.string)
        #expect(try await get("albums/\(id)").json["name"]?.string == "Album")
        #expect(try await items("albums/\(id)/tracks").map { $0["id"]?.string } == ["one", "two"])
        #expect(try await items("albums?artist=\(String(repeating: "0", count: 24))").isEmpty)
    }
}
