import Accounts
import Features
import Forum
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

/// A server with every feature, to which requests are sent.
struct ForumSite {
    let station: TestStation
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation()
        responder = station.table.router().buildResponder()
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, _ fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        var headers = fields
        if let body {
            headers[.contentType] = body.hasPrefix("{") ? "application/json" : "application/x-www-form-urlencoded"
        }
        return try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, _ session: NewSession
    ) async throws -> TestResponse {
        try await send(method, path, body, [.authorization: "Bearer \(session.secret.text)"])
    }

    func api(
        _ method: HTTPRequest.Method, _ path: String, _ body: String?, by session: NewSession? = nil,
        as authorization: String? = nil
    ) async throws -> (status: Int, json: JSONNode?) {
        var fields: HTTPFields = [:]
        fields[.authorization] = authorization ?? session.map { "Bearer \($0.secret.text)" }
        let answer = try await send(method, "/api/v1/topics\(path)", body, fields)
        return (answer.status.code, try? JSONParser.parse(answer.body.readableBytesView))
    }

    func member(_ name: String, _ role: Role = .member) async throws -> NewSession {
        try await station.fixture.session(name, role)
    }

    /// A member who has accepted the rules.
    func author(_ name: String, _ role: Role = .member) async throws -> NewSession {
        let session = try await member(name, role)
        _ = try await api(.put, "/rules/acceptance", nil, by: session)
        return session
    }

    /// - Returns: the ID of a new category.
    func category(_ name: String) async throws -> String {
        let new = try await api(
            .post, "/categories", #"{"name": "\#(name)"}"#, as: TestOperator.authorization)
        return try #require(new.json?["id"]?.string)
    }

    /// - Returns: the ID of a new topic.
    func topic(
        _ title: String, _ text: String = "first", in category: String, by author: NewSession
    ) async throws -> String {
        let body = JSONText.object([
            ("title", .string(title)), ("text", .string(text)), ("category", .string(category)),
        ])
        let new = try await api(.post, "", body.rendered, by: author)
        return try #require(new.json?["id"]?.string)
    }
}
