import Features
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import NIOCore
import Synchronization
import Testing

@testable import HTTPEndpoints
@testable import JSONDocument
@testable import WebAPI
@testable import Workflows

struct ConfigurationEndpointTests {
    private let file = FakeReloader()

    private func send(
        _ method: HTTPRequest.Method, _ path: String, body: String? = nil, ifMatch: String? = "\"v1\"",
        authorization: String? = TestOperator.authorization
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = authorization
        headers[.ifMatch] = ifMatch
        if body != nil { headers[.contentType] = "application/json" }
        let table = EndpointTable.serving(InMemoryContent()) { $0.reloader = file }
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/configuration\(path)", method: method, headers: headers,
                body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test func theFileIsShownWithItsVersion() async throws {
        let all = try await send(.get, "")
        #expect(all.status == .ok && all.headers[.eTag] == "\"v1\"")
        let one = try await send(.get, "/channels/canalA")
        #expect(String(buffer: one.body) == #"{"name":"canalA"}"# && one.headers[.eTag] == "\"v1\"")
        #expect(try await send(.get, "/channels/none").status == .notFound)
    }

    @Test func changesReachTheFile() async throws {
        var channels = LiveChannelChanges()
        channels.changed = ["canalA"]
        let outcome = ChannelsReload(channels: channels)
        file.answer.withLock { $0 = .success(outcome) }
        let changed = try await send(.patch, "/channels/canalA", body: #"{"title":"A"}"#)
        #expect(changed.status == .ok && changed.headers[.eTag] == "\"v2\"")
        #expect(String(buffer: changed.body).contains(#""changed":["canalA"]"#))
        _ = try await send(.put, "/channels/new", body: #"{"presets":["low"]}"#, ifMatch: "*")
        _ = try await send(.delete, "/channels/canalA")
        _ = try await send(.patch, "", body: #"{"encrypt":true}"#)
        #expect(
            file.edits.withLock { $0 } == [
                .changeChannel(name: "canalA", .object([("title", .string("A"))])),
                .setChannel(name: "new", .object([("presets", .array([.string("low")]))])),
                .removeChannel(name: "canalA"), .settings(.object([("encrypt", .boolean(true))])),
            ])
    }

    @Test func aChangeNeedsTheVersionThatItIsFor() async throws {
        #expect(try await send(.delete, "/channels/canalA", ifMatch: nil).status == .preconditionRequired)
        #expect(try await send(.delete, "/channels/canalA", ifMatch: "\"v0\"").status == .preconditionFailed)
        // A weak tag is not enough for a change.
        #expect(try await send(.delete, "/channels/canalA", ifMatch: "W/\"v1\"").status == .preconditionFailed)
        #expect(try await send(.delete, "/channels/canalA", ifMatch: "\"v0\", \"v1\"").status == .ok)
        #expect(file.edits.withLock(\.count) == 1)
    }

    /// With the program that decodes images: `ReloadTests` of the end-to-end tests.
    @Test func anImageIsForAChannelThatThereIs() async throws {
        func send(
            _ method: HTTPRequest.Method, _ channel: String, type: String? = nil, body: String? = nil,
            ifMatch: String? = "\"v1\""
        ) async throws -> HTTPResponse.Status {
            var headers: HTTPFields = [:]
            headers[.authorization] = TestOperator.authorization
            (headers[.ifMatch], headers[.contentType]) = (ifMatch, type)
            let table = EndpointTable.serving(InMemoryContent()) { $0.reloader = file }
            return try await Application(router: table.router()).test(.live) { [headers] client in
                try await client.execute(
                    uri: "/api/v1/configuration/channels/\(channel)/cover", method: method, headers: headers,
                    body: body.map { ByteBuffer(string: $0) }
                ).status
            }
        }
        #expect(try await send(.put, "canalA", type: "image/png", body: "x", ifMatch: nil) == .preconditionRequired)
        #expect(try await send(.put, "canalA", type: "image/png", body: "x", ifMatch: "\"v0\"") == .preconditionFailed)
        #expect(try await send(.put, "canalA", type: "image/png", body: "") == .unprocessableContent)
        #expect(try await send(.put, "canalA", type: "image/webp", body: "x") == .unsupportedMediaType)
        #expect(try await send(.put, "none", type: "image/png", body: "x") == .notFound)
        #expect(try await send(.delete, "none") == .notFound)
        #expect(file.edits.withLock { $0.isEmpty })
        #expect(try await send(.delete, "canalA") == .ok)
        #expect(
            file.edits.withLock { $0 } == [.changeChannel(name: "canalA", .object([("cover", .null)]))])
    }

    @Test(arguments: [
        (ConfigurationError.Code.noSuchChannel, HTTPResponse.Status.notFound),
        (.changedMeanwhile, .preconditionFailed), (.notPossible, .unprocessableContent), (.notWritable, .conflict),
        (.notAllowed, .forbidden),
    ])
    func whatGoesWrongIsSaid(code: ConfigurationError.Code, status: HTTPResponse.Status) async throws {
        file.failure.withLock { $0 = ConfigurationError(code, "no") }
        #expect(try await send(.delete, "/channels/canalA").status == status)
    }

    @Test func onlyAdministratorsSeeAndChangeIt() async throws {
        #expect(try await send(.get, "", authorization: nil).status == .unauthorized)
        #expect(try await send(.patch, "", body: "{}", authorization: nil).status == .unauthorized)
    }
}
