import Accounts
import Catalogue
import Community
import DatabaseTestSupport
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

@testable import OperatorAPI

/// The archive with all data of a member.
@Suite(.eachEngine) struct MemberExportTests {
    private let fixture: TestAccounts
    private let community: Community

    init() async throws {
        fixture = try await TestAccounts()
        let catalogue = try await Catalogue.open(fixture.database, program: "test")
        _ = try await catalogue.add(InMemoryContent.title("a"))
        community = try await Community.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock)
    }

    private func get(_ path: String, _ fields: HTTPFields) async throws -> TestResponse {
        let table = EndpointTable.serving(
            InMemoryContent(),
            authority: TestOperator.authority(
                fixture.accounts, publicAddress: PublicAddress(parsing: "https://tv.example.org")),
            community: community)
        return try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: "/api/v1/\(path)", method: .get, headers: fields)
        }
    }

    @Test func theArchiveHasAFileForEachAreaAndOtherProgramsReadIt() async throws {
        let session = try await fixture.session("ana")
        let ana = Caller(session.principal, TestAccounts.origin)
        let video = try await community.publish(VideoContents(name: "Salida en Cádiz"), title: "a", by: ana)
        let cookie: HTTPFields = [.cookie: "antena_session=\(session.secret.text)", .acceptLanguage: "es"]
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
        #expect(areas.count == 11)
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
        #expect(Set(names) == Set(areas.map { "\($0).json" } + ["videos.json", "LEEME.txt"]))
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
