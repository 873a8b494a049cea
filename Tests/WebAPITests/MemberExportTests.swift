import Accounts
import Catalogue
import Community
import DatabaseTestSupport
import Features
import Foundation
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import TestSupport
import Testing

@testable import WebAPI

/// The archive with all data of a member.
@Suite(.eitherEngine) struct MemberExportTests {
    private let fixture: TestAccounts
    private let community: Community
    private let catalogue: Catalogue
    private let content: InMemoryContent
    private let station: TestStation

    init() async throws {
        station = try await TestStation(titles: ["a"], publicAddress: PublicAddress(parsing: "https://tv.example.org"))
        (fixture, content) = (station.fixture, station.content)
        community = try station.parts.require(Community.self)
        catalogue = try station.parts.require(Catalogue.self)
    }

    private func get(_ path: String, _ fields: HTTPFields) async throws -> TestResponse {
        let table = station.table
        return try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: "/api/v1/\(path)", method: .get, headers: fields)
        }
    }

    @Test func theArchiveHasAFileForEachAreaAndOtherProgramsReadIt() async throws {
        let session = try await fixture.session("ana")
        let ana = Caller(session.principal, TestAccounts.origin)
        let video = try await community.publish(VideoContents(name: "Salida en Cádiz"), title: "a", by: ana)
        let cookie: HTTPFields = [.cookie: "__Host-antena_session=\(session.secret.text)", .acceptLanguage: "es"]
        let answer = try await get("me/export.zip", cookie)
        #expect(answer.status == .ok && answer.headers[.contentType] == "application/zip")
        #expect(answer.headers[.cacheControl] == "no-store")
        #expect(answer.headers[.contentDisposition]?.hasSuffix(".zip\"") == true)

        let folder = try TemporaryDirectory(label: "export")
        let file = try folder.write(Data(answer.body.readableBytesView), to: "ana.zip")
        _ = try await ExternalTool("python3").run(["-m", "zipfile", "-t", file])
        _ = try await ExternalTool("unzip").run(["-q", file, "-d", "\(folder.path)/ana"])
        func content(_ name: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/ana/\(name)")))
        }
        let document = try JSONParser.parse(try await get("me/export", cookie).body.readableBytesView)
        let areas = try #require(document.members).map(\.name).filter { $0 != "photo" }
        #expect(areas.count >= 12 && Set(areas).count == areas.count)
        for area in areas {
            let expected = JSONText(try #require(document[area]))
            #expect(JSONText(try JSONParser.parse(try content("\(area).json"))) == expected, "\(area)")
        }
        let videos = try JSONParser.parse(try content("videos.json"))
        #expect(videos.elements?.first?["name"]?.string == "Salida en Cádiz")
        #expect(videos.elements?.first?["page"]?.string == "https://tv.example.org/comunidad/video/\(video.id)")
        let introduction = String(decoding: try content("LEEME.txt"), as: UTF8.self)
        #expect(introduction.hasPrefix("Todo lo que el servidor sabe de ana."))
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/ana")
        #expect(Set(names) == Set(areas.map { "\($0).json" } + ["videos.json", "messages.json", "LEEME.txt"]))
    }

    /// Sends a file, which becomes a title.
    private func send(_ name: String, _ bytes: [UInt8]?, by caller: Caller) async throws -> MemberUpload {
        let upload = try await community.beginUpload(
            fileName: name, fileExtension: "mp4", byteCount: Int64(bytes?.count ?? 1), by: caller)
        var title = InMemoryContent.title(upload.id.text)
        title.file = upload.file
        _ = try await catalogue.add(title)
        title.sourcePath = "\(content.folder.path)/media/vod/\(upload.file)"
        try await content.folder.add(title)
        if let bytes { try content.folder.write(Data(bytes), to: "media/vod/\(upload.file)") }
        return upload
    }

    @Test func theVideosAreInTheArchiveOnDemand() async throws {
        let session = try await fixture.session("ana")
        let ana = Caller(session.principal, TestAccounts.origin)
        let bytes = (0..<300_001).map { UInt8(truncatingIfNeeded: $0 * 13 >> 2) }
        let kept = try await send("Mi vuelta.mp4", bytes, by: ana)
        let gone = try await send("Perdido.mp4", nil, by: ana)
        let other = try await fixture.session("eva")
        _ = try await send("Of eva.mp4", [1], by: Caller(other.principal, TestAccounts.origin))
        let cookie: HTTPFields = [.cookie: "__Host-antena_session=\(session.secret.text)", .acceptLanguage: "es"]
        let folder = try TemporaryDirectory(label: "export")
        for (query, expected) in [("", []), ("?files=false", []), ("?files=true", ["files/\(kept.file)"])] {
            let answer = try await get("me/export.zip\(query)", cookie)
            #expect(answer.status == .ok)
            let file = try folder.write(Data(answer.body.readableBytesView), to: "ana.zip")
            _ = try await ExternalTool("python3").run(["-m", "zipfile", "-t", file])
            _ = try await ExternalTool("unzip").run(["-tqq", file])
            let names = try await ExternalTool("unzip").run(["-Z1", file]).lines.map(String.init)
            #expect(names.filter { $0.contains("mp4") } == expected && names.count { $0 == "LEEME.txt" } == 1)
        }
        let archive = "\(folder.path)/ana.zip"
        _ = try await ExternalTool("unzip").run(["-q", archive, "-d", "\(folder.path)/ana"])
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: "\(folder.path)/ana/files/\(kept.file)")) == Data(bytes))
        let text = try String(contentsOf: URL(fileURLWithPath: "\(folder.path)/ana/LEEME.txt"), encoding: .utf8)
        #expect(text.contains("files/\(kept.file)\n    Mi vuelta.mp4\n"))
        #expect(text.contains("files/\(gone.file)\n    Perdido.mp4: ya no está en el servidor"))
        #expect(!text.contains("Of eva"))
        #expect(try await get("me/export.zip?files=maybe", cookie).status == .badRequest)
    }

    @Test func downloadsTakeTurns() {
        let places = DownloadPlaces(maximumCount: 2, maximumCountOfHolder: 1)
        var first = places.take("ana")
        #expect(first != nil && places.take("ana") == nil)
        let second = places.take("eva")
        #expect(second != nil && places.take("leo") == nil)
        first = nil
        #expect(places.take("ana") != nil)
        withExtendedLifetime(second) {}
    }

    @Test func nobodyElseGetsIt() async throws {
        let session = try await fixture.session("ana")
        let token = try await fixture.token(session)
        #expect(try await get("me/export.zip", [:]).status == .unauthorized)
        let byToken = try await get("me/export.zip", [.authorization: "Bearer \(token.secret.text)"])
        #expect(byToken.status == (try await get("me/export", [.authorization: "Bearer \(token.secret.text)"]).status))
        #expect(byToken.status == .forbidden)
    }
}
