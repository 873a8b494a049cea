import APIDeclarations
import APIContract
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import APIClient
@testable import HTTPEndpoints
@testable import JSONDocument
@testable import WebAPI
@testable import VODLibrary

@Suite(.eachEngine) struct MediaStoreEndpointTests {
    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, isOperator: Bool = true
    ) async throws -> TestResponse {
        let table = EndpointTable.serving(InMemoryContent())
        return try await Application(router: table.router()).test(.live) { client in
            var fields: HTTPFields = isOperator ? [.authorization: TestOperator.authorization] : [:]
            if body != nil { fields[.contentType] = "application/json" }
            return try await client.execute(
                uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        }
    }

    @Test(arguments: [
        (HTTPRequest.Method.get, "/api/v1/media-store", nil as String?),
        (.post, "/api/v1/media-store/move", "{\"to\": \"store\"}"),
        (.post, "/api/v1/media-store/verify", "{}"),
    ])
    func isForOperatorsAndSaysThatThereIsNoStore(
        method: HTTPRequest.Method, path: String, body: String?
    ) async throws {
        #expect(try await send(method, path, body, isOperator: false).status == .unauthorized)
        let answer = try await send(method, path, body)
        #expect(answer.status == .conflict)
        #expect(String(buffer: answer.body).contains("start it with --media-store"))
    }

    @Test func theReportSaysWhatLiesWhere() throws {
        var status = MediaStoreStatus(
            destination: .store, storedCount: 3, storedByteCount: 5 << 20, waitingCount: nil, movedCount: 0,
            movedByteCount: 0, error: nil)
        func report() throws -> String {
            let json = APIResources.mediaStore(status, address: "s3://club").json.rendered
            return MediaStoreReport(answer: try APIObject(parsing: json.utf8)).text
        }
        #expect(
            try report() == """
                media store: s3://club
                files in it: 3, 5 MiB
                files that move to the media store: not counted yet
                """)
        status.waitingCount = 2
        status.error = "the store does not answer"
        #expect(
            try report().hasSuffix(
                "files that move to the media store: 2\nlast problem: the store does not answer"))
        status.destination = .folder
        status.waitingCount = 0
        #expect(try report().contains("all files that can be moved are in the server's folders"))
    }
}
