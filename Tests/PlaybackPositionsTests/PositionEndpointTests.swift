import Accounts
import Catalogue
import DatabaseTestSupport
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import PlaybackPositions
import Synchronization
import TestSupport
import Testing

/// Positions over HTTP, at a server with every feature.
@Suite(.eachEngine, .timeLimit(.minutes(3)))
struct PositionEndpointTests {
    private let station: TestStation
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation(titles: ["film", "other"])
        responder = station.table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, by session: NewSession?
    ) async throws -> (status: Int, json: JSONNode?) {
        var headers: HTTPFields = [:]
        headers[.cookie] = session.map { "antena_session=\($0.secret.text)" }
        if let session, let name = HTTPField.Name("X-CSRF-Token") {
            headers[name] = CSRFToken.text(for: session.secret)
        }
        if body != nil { headers[.contentType] = "application/json" }
        let answer = try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: "/api/v1/me/\(path)", method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
        return (answer.status.code, try? JSONParser.parse(answer.body.readableBytesView))
    }

    private static let position = #"{"position": 754.2, "duration": 6120}"#

    @Test func aMemberGoesOnOnAnotherDevice() async throws {
        let ana = try await station.fixture.session("ana")
        #expect(try await send(.put, "positions/title/film", Self.position, by: ana).status == 204)
        let found = try await send(.get, "positions/title/film", by: ana)
        #expect(found.status == 200 && found.json?["position"]?.number == 754.2)
        #expect(found.json?["finished"]?.boolean == false)
        let list = try await send(.get, "positions", by: ana).json?["items"]?.elements ?? []
        #expect(list.map { $0["id"]?.string } == ["film"] && list.first?["page"]?.string == "/videoclub?title=film")
        #expect(try await send(.delete, "positions/title/film", by: ana).status == 204)
        #expect(try await send(.get, "positions/title/film", by: ana).status == 404)
    }

    @Test func whatIsFinishedGoneOrNotTheirsIsNotListed() async throws {
        let (ana, eva) = (try await station.fixture.session("ana"), try await station.fixture.session("eva"))
        for (title, body) in [("film", #"{"position": 990, "duration": 1000}"#), ("other", Self.position)] {
            #expect(try await send(.put, "positions/title/\(title)", body, by: ana).status == 204)
        }
        func listed(_ session: NewSession) async throws -> [String?] {
            (try await send(.get, "positions", by: session).json?["items"]?.elements ?? []).map { $0["id"]?.string }
        }
        #expect(try await listed(ana) == ["other"])
        #expect(try await listed(eva) == [])
        station.content.state.withLock { $0.titles.removeAll { $0.id == "other" } }
        #expect(try await listed(ana) == [])
    }

    @Test func strangersTokensAndWrongPositionsAreRefused() async throws {
        let ana = try await station.fixture.session("ana")
        #expect(try await send(.put, "positions/title/film", Self.position, by: nil).status == 401)
        #expect(try await send(.get, "positions", by: nil).status == 401)
        for (path, body, status) in [
            ("positions/title/none", Self.position, 404), ("positions/channel/canalA", Self.position, 404),
            ("positions/title/film", #"{"position": 5}"#, 422), ("positions/title/film", #"{"duration": 5}"#, 422),
            ("positions/title/film", #"{"position": 9, "duration": 5}"#, 422),
            ("positions/title/film", #"{"position": 1e300, "duration": 1e300}"#, 422),
            ("positions/title/film", #"{"position": "9", "duration": 10}"#, 422),
            ("positions/video/none", Self.position, 404), ("positions/track/none", Self.position, 404),
        ] {
            #expect(try await send(.put, path, body, by: ana).status == status, "\(path) \(body)")
        }
    }
}
