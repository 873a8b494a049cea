import GatewayTestSupport
import HLSPlaylist
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import LiveChannels
import NIOCore
import Packaging
import Synchronization
import Testing

@testable import HTTPEndpoints
@testable import JSONDocument

struct MetadataEndpointTests {
    let content = InMemoryContent()

    private func post(
        _ body: String, channel: String = "canalA", type: String = "application/json"
    ) async throws -> TestResponse {
        try content.state.withLock { state in
            state.channels = [
                try InMemoryContent.channel("canalA", state: "live"), try InMemoryContent.channel("canalB"),
            ]
        }
        let table = EndpointTable.serving(content)
        return try await Application(router: table.router()).test(.live) { client in
            try await client.execute(
                uri: "/api/v1/channels/\(channel)/metadata", method: .post,
                headers: [.contentType: type, .authorization: TestOperator.authorization],
                body: ByteBuffer(string: body))
        }
    }

    @Test func everyFieldIsTaken() async throws {
        let answer = try await post(
            """
            {"id": "ad-1", "class": "com.example.ad", "duration": 30.5, "plannedDuration": 30, "attributes":
             {"X-TITLE": "Ñandú", "X-WEIGHT": 0.25, "SCTE35-OUT": "0xFc30"},
             "id3": {"description": "title", "value": "Ñandú"}}
            """)
        #expect(answer.status == .created)
        let json = try JSONParser.parse(answer.body.readableBytesView)
        #expect(json["id"]?.string == "ad-1" && json["startDate"]?.string == "1970-01-01T00:00:00.000Z")
        #expect(json["duration"]?.number == 30.5 && json["class"]?.value == .null)
        let metadata = try #require(content.state.withLock { $0.announced }.first)
        #expect(metadata.rangeClass == "com.example.ad" && metadata.plannedDuration == 30 && !metadata.endsOnNext)
        #expect(
            metadata.attributes
                == [
                    DateRange.Attribute("SCTE35-OUT", .hexadecimal([0xFC, 0x30])),
                    DateRange.Attribute("X-TITLE", .string("Ñandú")), DateRange.Attribute("X-WEIGHT", .number(0.25)),
                ].compactMap(\.self))
        #expect(metadata.tag == ID3Tag(description: "title", value: "Ñandú"))
        #expect(try await post("{}").status == .created)
        #expect(try await post(#"{"class": "c", "endOnNext": true, "id": null}"#).status == .created)
    }

    @Test(arguments: [
        ("[]", 422), ("{", 400), (#"{"ID": "x"}"#, 422), (#"{"id": 1}"#, 422), (#"{"id": ""}"#, 422),
        (#"{"id": "a\"b"}"#, 422), (#"{"id": "a\nb"}"#, 422), (#"{"id": "taken"}"#, 409), (#"{"duration": -1}"#, 422),
        (#"{"duration": 1e9}"#, 422), (#"{"duration": "1"}"#, 422), (#"{"plannedDuration": -0.1}"#, 422),
        (#"{"endOnNext": true}"#, 422), (#"{"endOnNext": true, "class": "c", "duration": 1}"#, 422),
        (#"{"endOnNext": 1}"#, 422), (#"{"attributes": []}"#, 422), (#"{"attributes": {"TITLE": "x"}}"#, 422),
        (#"{"attributes": {"X-title": "x"}}"#, 422), (#"{"attributes": {"X-A": -1}}"#, 422),
        (#"{"attributes": {"X-A": true}}"#, 422), (#"{"attributes": {"SCTE35-OUT": "0xF"}}"#, 422),
        (#"{"attributes": {"SCTE35-OUT": "FC"}}"#, 422), (#"{"attributes": {"SCTE35-IN": "0x"}}"#, 422),
        (#"{"id3": {"value": "x"}}"#, 422), (#"{"id3": {"description": "", "value": "x"}}"#, 422),
        (#"{"id3": 1}"#, 422),
        (#"{"id3": {"description": "a", "value": "b", "more": 1}}"#, 422), (#"{"id3": null}"#, 422),
    ])
    func whatMakesNoSenseIsRefused(body: String, status: Int) async throws {
        let answer = try await post(body)
        #expect(answer.status.code == status, "\(body)")
        #expect(answer.headers[.contentType] == "application/problem+json")
        #expect(content.state.withLock { $0.announced }.isEmpty)
    }

    @Test func lengthsAreLimited() async throws {
        func text(_ count: Int) -> String { String(repeating: "a", count: count) }
        let attributes = (0..<17).map { "\"X-A\($0)\": 1" }.joined(separator: ",")
        let cases = [
            (#"{"id": "\#(text(128))"}"#, 201), (#"{"id": "\#(text(129))"}"#, 422),
            (#"{"class": "\#(text(129))"}"#, 422),
            (#"{"attributes": {"X-A": "\#(text(1_024))"}}"#, 201),
            (#"{"attributes": {"X-A": "\#(text(1_025))"}}"#, 422),
            (#"{"attributes": {\#(attributes)}}"#, 422), (#"{"attributes": {"SCTE35-IN": "0x\#(text(1_026))"}}"#, 422),
            (#"{"id3": {"description": "d", "value": "\#(text(1_025))"}}"#, 422), (text(70_000), 413),
        ]
        for (body, status) in cases { #expect(try await post(body).status.code == status, "\(body.prefix(40))") }
    }

    @Test func whoAsksForWhatIsSaid() async throws {
        #expect(try await post("{}", channel: "canalX").status == .notFound)
        #expect(try await post("{}", channel: "canalB").status == .conflict)
        #expect(try await post("{}", type: "text/plain").status == .unsupportedMediaType)
    }
}
