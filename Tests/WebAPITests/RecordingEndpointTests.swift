import APIDeclarations
import APIContract
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import NIOCore
import Synchronization
import Testing

@testable import APIClient
@testable import HTTPEndpoints
@testable import JSONDocument

struct RecordingEndpointTests {
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() throws {
        table = EndpointTable.serving(content)
        let channels = [try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB")]
        content.state.withLock { $0.channels = channels }
    }

    private func post(
        _ path: String, _ body: String, type: String = "application/json", isOperator: Bool = true
    ) async throws -> TestResponse {
        try await Application(router: table.router()).test(.live) { client in
            try await client.execute(
                uri: path, method: .post,
                headers: [.contentType: type, .authorization: isOperator ? TestOperator.authorization : "Basic eDp5"],
                body: ByteBuffer(string: body))
        }
    }

    @Test func startsAndStops() async throws {
        for (action, state) in [("start", "recording"), ("stop", "idle")] {
            let answer = try await post("/api/v1/channels/canalA/recording", "{\"action\": \"\(action)\"}")
            #expect(answer.status == .ok)
            #expect(try JSONParser.parse(answer.body.readableBytesView)["state"]?.string == state)
            #expect(content.state.withLock { $0.recording["canalA"] } == (action == "start"))
        }
    }

    @Test(arguments: [
        ("canalB", #"{"action": "start"}"#, 409), ("none", #"{"action": "start"}"#, 404),
        ("canalA", #"{"action": "pause"}"#, 400), ("canalA", "{}", 400), ("canalA", "{", 400),
        ("canalA", String(repeating: " ", count: 20_000), 413),
    ])
    func refusals(_ channel: String, _ body: String, _ status: Int) async throws {
        let answer = try await post("/api/v1/channels/\(channel)/recording", body)
        #expect(answer.status.code == status)
        #expect(answer.headers[.contentType] == "application/problem+json")
    }

    @Test(arguments: [("canalA", 204), ("canalB", 409), ("none", 404)])
    func aPublisherIsDisconnected(_ channel: String, _ status: Int) async throws {
        func delete(_ authorization: String) async throws -> Int {
            try await Application(router: table.router()).test(.live) { client in
                try await client.execute(
                    uri: "/api/v1/channels/\(channel)/publisher", method: .delete,
                    headers: [.authorization: authorization])
            }.status.code
        }
        #expect(try await delete("Basic eDp5") == 401)
        #expect(content.state.withLock { $0.disconnected } == [])
        #expect(try await delete(TestOperator.authorization) == status)
        #expect(content.state.withLock { $0.disconnected } == (status == 204 ? ["canalA"] : []))
    }

    @Test func makesClips() async throws {
        let bodies = [
            #"{"from": "2026-01-01T00:00:00Z", "to": "2026-01-01T01:00:30.5+01:00", "title": "Gol ñ"}"#,
            #"{"from": 1767225600, "to": 1767225630.5}"#, #"{"from": "1767225600", "to": "1767225630.5"}"#,
        ]
        for body in bodies {
            let answer = try await post("/api/v1/channels/canalA/clips", body)
            #expect(answer.status == .accepted)
            #expect(answer.headers[.location] == "/api/v1/titles/clip")
        }
        #expect(
            content.state.withLock { $0.clips } == [
                "canalA 1767225600000 1767225630500 Gol ñ", "canalA 1767225600000 1767225630500 -",
                "canalA 1767225600000 1767225630500 -",
            ])
    }

    @Test(arguments: [
        ("none", #"{"from": 1767225600, "to": 1767225630}"#, 404), ("canalA", #"{"from": 1767225600}"#, 422),
        ("canalA", #"{"from": "yesterday", "to": 1767225630}"#, 422),
        ("canalA", #"{"from": -5, "to": 1767225630}"#, 422), ("canalA", #"{"from": 1e300, "to": 1767225630}"#, 422),
        ("canalA", #"{"from": 2000000, "to": 1000000}"#, 422), ("canalA", #"{"from": 2, "to": 1000000}"#, 422),
        ("canalA", #"{"from": 2000000, "to": 2000001, "title": ""}"#, 400),
        ("canalA", #"{"from": 2000000, "to": 2000001, "title": 7}"#, 400),
    ])
    func refusesClips(_ channel: String, _ body: String, _ status: Int) async throws {
        let answer = try await post("/api/v1/channels/\(channel)/clips", body)
        #expect(answer.status.code == status, "\(String(buffer: answer.body))")
    }

    @Test(arguments: [("recording", "live, recording"), ("failed", "live, recording failed"), ("idle", "live ")])
    func statusShowsIt(_ state: String, _ cell: String) throws {
        let json =
            #"{"name": "canalA", "state": "live", "recording": {"state": "\#(state)", "bytes": 0, "duration": 0}}"#
        let text = StatusReport(channels: [try APIObject(parsing: json.utf8)], titles: [], tracks: []).text
        #expect(text.contains(cell), "\(text)")
        #expect(text.contains("recording") == (state != "idle"))
    }

    @Test(arguments: [
        (#"{"state": "recording", "bytes": 0, "duration": 0}"#, "recording"),
        (
            #"{"state": "failed", "duration": 61.6, "file": "recordings/a/b.mp4", "reason": "full"}"#,
            "failed, 62 s, recordings/a/b.mp4, full"
        ), (#"{"duration": 1e300}"#, "unknown"),
    ])
    func aRecordingInALine(_ json: String, _ line: String) throws {
        #expect(RecordingReport(status: try APIObject(parsing: json.utf8)).text == line)
    }

    @Test func onlyTheMachinesOwnPeopleRecord() async throws {
        let body = #"{"action": "start"}"#
        #expect(try await post("/api/v1/channels/canalA/recording", body, isOperator: false).status == .unauthorized)
        #expect(
            try await post("/api/v1/channels/canalA/recording", body, type: "text/plain").status
                == .unsupportedMediaType)
        #expect(content.state.withLock { $0.recording.isEmpty })
    }
}
