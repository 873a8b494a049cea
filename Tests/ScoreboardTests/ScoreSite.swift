import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import Synchronization
import TestSupport

/// A server with every feature and one channel, asked over HTTP.
struct ScoreSite {
    struct Answer {
        var status: Int
        var json: JSONNode?
        var headers: HTTPFields
        var text: String

        var tag: String? { headers[.eTag] }
    }

    /// The fields with which the operator's program asks.
    static let machine: HTTPFields = [.authorization: TestOperator.authorization]

    let station: TestStation
    let channel = "canalA"
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation()
        responder = station.table.router().buildResponder()
        let status = try InMemoryContent.channel(channel)
        station.content.state.withLock { $0.channels = [status] }
    }

    /// - Parameter type: the media type of the body.
    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, type: String, _ fields: HTTPFields
    ) async throws -> Answer {
        var headers = fields
        if body != nil { headers[.contentType] = type }
        return try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
            ) { answer in
                Answer(
                    status: answer.status.code, json: try? JSONParser.parse(answer.body.readableBytesView),
                    headers: answer.headers, text: String(buffer: answer.body))
            }
        }
    }
}
