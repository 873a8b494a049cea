import Accounts
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import Messaging
import NIOCore
import TestSupport

/// A server with every feature, asked over HTTP by members who have logged in.
struct MessagingSite {
    struct Answer {
        var status: Int
        var json: JSONNode?
        var text: String

        func string(_ name: String) -> String { json?[name]?.string ?? "" }
        var items: [JSONNode] { json?["items"]?.elements ?? [] }
    }

    let station: TestStation
    let table: EndpointTable
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation()
        table = station.table
        responder = table.router().buildResponder()
    }

    func session(_ name: String, _ role: Role = .member) async throws -> NewSession {
        try await station.fixture.session(name, role)
    }

    /// The header fields of a browser that has logged in.
    static func cookie(_ session: NewSession?) -> HTTPFields {
        guard let session, let name = HTTPField.Name("X-CSRF-Token") else { return [:] }
        return [.cookie: "antena_session=\(session.secret.text)", name: CSRFToken.text(for: session.secret)]
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, by session: NewSession?,
        type: String = "application/json"
    ) async throws -> Answer {
        try await send(method, path, body, fields: Self.cookie(session), type: type)
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, fields: HTTPFields,
        type: String = "application/json"
    ) async throws -> Answer {
        var headers = fields
        if body != nil { headers[.contentType] = type }
        return try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) }
            ) { answer in
                Answer(
                    status: answer.status.code, json: try? JSONParser.parse(answer.body.readableBytesView),
                    text: String(buffer: answer.body))
            }
        }
    }

    /// Makes contacts of two members.
    func connect(_ first: NewSession, _ second: NewSession) async throws {
        let name = second.principal.member?.username ?? ""
        let sent = try await send(.post, "/api/v1/me/contact-invitations", #"{"username": "\#(name)"}"#, by: first)
        let path = "/api/v1/me/contact-invitations/\(sent.string("id"))/answer"
        _ = try await send(.post, path, #"{"accept": true}"#, by: second)
    }
}
