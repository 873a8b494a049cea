import Catalogue
import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import HTTPEndpoints
@testable import JSONDocument

/// The details of titles and tracks, through a server with a real catalogue.
struct DetailEndpointTests {
    private let content = InMemoryContent()

    private func send(
        _ method: HTTPRequest.Method, _ path: String, body: String? = nil, ifMatch: String? = nil,
        authorization: String? = TestOperator.authorization
    ) async throws -> TestResponse {
        var headers: HTTPFields = [:]
        headers[.authorization] = authorization
        headers[.ifMatch] = ifMatch
        if body != nil { headers[.contentType] = "application/json" }
        let table = EndpointTable.serving(content)
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test func strangersDoNotLearnWhatThereIs() async throws {
        for path in ["/api/v1/titles/a/details", "/api/v1/tracks/a/details"] {
            #expect(try await send(.get, path, authorization: nil).status == .unauthorized)
            #expect(try await send(.patch, path, body: "{}", authorization: nil).status == .unauthorized)
            #expect(try await send(.get, path).status == .notFound)
            #expect(try await send(.patch, path, body: "{}", ifMatch: "*").status == .notFound)
        }
    }

    @Test(arguments: [
        ("[]", HTTPResponse.Status.badRequest), ("{", .badRequest), (#"{"colour":1}"#, .unprocessableContent),
        (#"{"director":"x"}"#, .unprocessableContent), (#"{"year":"x"}"#, .unprocessableContent),
        (#"{"website":"javascript:alert(1)"}"#, .unprocessableContent),
    ])
    func wrongValuesAreRefused(body: String, status: HTTPResponse.Status) async throws {
        let answer = try await send(.patch, "/api/v1/titles/a/details", body: body, ifMatch: "*")
        #expect(answer.status == status, "\(String(buffer: answer.body))")
    }

    @Test func listsTakeAnOrderAndAState() async throws {
        #expect(try await send(.get, "/api/v1/titles?sort=newest&state=ready").status == .ok)
        #expect(try await send(.get, "/api/v1/tracks?sort=-duration").status == .ok)
        for query in ["sort=best", "state=gone", "kind=other"] {
            #expect(try await send(.get, "/api/v1/titles?\(query)").status == .badRequest)
        }
        for query in ["kind=all", "kind=member-video&sort=price", "kind=recording&section=new", "kind=film&genre=a"] {
            #expect(try await send(.get, "/api/v1/titles?\(query)").status == .ok, "\(query)")
        }
        for query in ["kind=all&sort=price", "kind=recording&section=free", "kind=trailer&genre=a"] {
            #expect(try await send(.get, "/api/v1/titles?\(query)").status == .unprocessableContent, "\(query)")
        }
    }
}
