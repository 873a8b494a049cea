import DatabaseTestSupport
import Foundation
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import Testing

@testable import HTTPEndpoints

@Suite(.eachEngine) struct UploadEndpointTests {
    private let content = InMemoryContent()
    private let table: EndpointTable
    private static let offsetType = "application/offset+octet-stream"

    init() throws { table = EndpointTable.serving(content) }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String] = [:], body: String? = nil,
        isTus: Bool = true, isOperator: Bool = true
    ) async throws -> TestResponse {
        var fields: HTTPFields = [:]
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        if isTus { fields[try #require(HTTPField.Name("Tus-Resumable"))] = "1.0.0" }
        if isOperator { fields[.authorization] = TestOperator.authorization }
        return try await Application(router: table.router()).test(.live) { [fields] client in
            try await client.execute(
                uri: path, method: method, headers: fields, body: body.map { ByteBuffer(string: $0) })
        }
    }

    private func header(_ response: TestResponse, _ name: String) throws -> String? {
        response.headers[try #require(HTTPField.Name(name))]
    }

    private func create(_ name: String = "a.mp3", length: Int = 10) async throws -> String {
        let metadata = "filename \(Data(name.utf8).base64EncodedString()),flag"
        let answer = try await send(
            .post, "/api/v1/uploads", ["Upload-Length": "\(length)", "Upload-Metadata": metadata])
        #expect(answer.status == .created)
        #expect(try header(answer, "Upload-Expires")?.hasSuffix(" GMT") == true)
        return try #require(try header(answer, "Location"))
    }

    @Test func saysWhatItCan() async throws {
        for path in ["/api/v1/uploads", "/api/v1/uploads/x"] {
            let answer = try await send(.options, path, isTus: false)
            #expect(answer.status == .noContent)
            #expect(try header(answer, "Tus-Version") == "1.0.0")
            #expect(try header(answer, "Tus-Resumable") == "1.0.0")
            #expect(try header(answer, "Tus-Max-Size") == "\(256 << 30)")
            #expect(
                try header(answer, "Tus-Extension") == "creation,creation-with-upload,checksum,termination,expiration")
            #expect(try header(answer, "Tus-Checksum-Algorithm") == "sha1,sha256,md5")
        }
    }

    @Test func aFileInTwoPieces() async throws {
        let path = try await create()
        let first = try await send(
            .patch, path, ["Upload-Offset": "0", "Content-Type": Self.offsetType], body: "01234")
        #expect(first.status == .noContent)
        #expect(try header(first, "Upload-Offset") == "5")
        let head = try await send(.head, path)
        #expect(head.status == .ok)
        #expect(try header(head, "Upload-Offset") == "5")
        #expect(try header(head, "Upload-Length") == "10")
        #expect(head.headers[.cacheControl] == "no-store")
        let last = try await send(
            .post, path,
            ["Upload-Offset": "5", "Content-Type": Self.offsetType, "X-HTTP-Method-Override": "PATCH"], body: "56789")
        #expect(last.status == .noContent)
        #expect(try header(last, "Content-Location") == "/api/v1/tracks/a")
        #expect(try header(try await send(.head, path), "Content-Location") == "/api/v1/tracks/a")
        let text = try String(contentsOfFile: "\(content.folder.path)/media/audio/a.mp3", encoding: .utf8)
        #expect(text == "0123456789")
    }

    @Test func bytesMayComeWithTheCreation() async throws {
        let metadata = "filename \(Data("b.mp3".utf8).base64EncodedString())"
        let answer = try await send(
            .post, "/api/v1/uploads",
            [
                "Upload-Length": "10", "Upload-Metadata": metadata, "Content-Type": Self.offsetType,
                // printf 012 | sha1sum
                "Upload-Checksum": "sha1 \(Data([0x8A, 0xED, 0x13, 0x22]).base64EncodedString())",
            ], body: "012")
        #expect(answer.status.code == 460)
        let other = try await send(
            .post, "/api/v1/uploads",
            ["Upload-Length": "10", "Upload-Metadata": metadata, "Content-Type": Self.offsetType], body: "012")
        #expect(other.status == .created)
        #expect(try header(other, "Upload-Offset") == "3")
    }

    @Test func terminates() async throws {
        let path = try await create()
        #expect(try await send(.delete, path).status == .noContent)
        #expect(try await send(.head, path).status == .notFound)
        #expect(try await send(.delete, path).status == .notFound)
    }

    @Test func refusals() async throws {
        let path = try await create()
        let patch = ["Upload-Offset": "0", "Content-Type": Self.offsetType]
        let name = "filename \(Data("a.mp3".utf8).base64EncodedString())"
        let text = "filename \(Data("a.txt".utf8).base64EncodedString())"
        let cases: [(HTTPRequest.Method, String, [String: String], Int)] = [
            (.patch, path, ["Upload-Offset": "3", "Content-Type": Self.offsetType], 409),
            (.patch, path, ["Upload-Offset": "-1", "Content-Type": Self.offsetType], 400),
            (.patch, path, ["Upload-Offset": "0"], 415), (.patch, path, ["Content-Type": Self.offsetType], 400),
            (.patch, path, patch.merging(["Upload-Checksum": "crc32 AAAA"]) { $1 }, 400),
            (.patch, path, patch.merging(["Upload-Checksum": "sha1 AAAA"]) { $1 }, 460),
            (.patch, "/api/v1/uploads/none", patch, 404), (.post, path, ["X-HTTP-Method-Override": "TRACE"], 400),
            (.post, "/api/v1/uploads", ["Upload-Metadata": name], 400),
            (.post, "/api/v1/uploads", ["Upload-Metadata": name, "Upload-Length": "0"], 400),
            (.post, "/api/v1/uploads", ["Upload-Metadata": name, "Upload-Length": "99999999999999"], 413),
            (.post, "/api/v1/uploads", ["Upload-Metadata": name, "Upload-Defer-Length": "1"], 400),
            (.post, "/api/v1/uploads", ["Upload-Length": "1"], 400),
            (.post, "/api/v1/uploads", ["Upload-Length": "1", "Upload-Metadata": "filename %%%"], 400),
            (.post, "/api/v1/uploads", ["Upload-Length": "1", "Upload-Metadata": text], 422),
        ]
        for (method, path, headers, status) in cases {
            let answer = try await send(method, path, headers, body: "x")
            #expect(answer.status.code == status, "\(method) \(path) \(headers)")
            #expect(try header(answer, "Tus-Resumable") == "1.0.0")
            #expect(answer.headers[.contentType] == "application/problem+json")
        }
        let old = try await send(.head, path, isTus: false)
        #expect(old.status == .preconditionFailed)
        #expect(try header(old, "Tus-Version") == "1.0.0")
        // A router without sockets has no addresses.
        #expect(try await send(.head, path, isOperator: false).status == .unauthorized)
        #expect(try header(try await send(.head, path), "Upload-Offset") == "0")
    }
}
