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
@testable import WebAPI

/// Uploads of files in the body of a request.
@Suite(.eachEngine) struct PlainUploadTests {
    private let content = InMemoryContent()
    private let table: EndpointTable

    init() throws { table = EndpointTable.serving(content) }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: [String: String], body: String, isOperator: Bool = true
    ) async throws -> TestResponse {
        var fields: HTTPFields = [:]
        for (name, value) in headers { fields[try #require(HTTPField.Name(name))] = value }
        if isOperator { fields[.authorization] = TestOperator.authorization }
        return try await Application(router: table.router()).test(.live) { [fields] client in
            try await client.execute(uri: path, method: method, headers: fields, body: ByteBuffer(string: body))
        }
    }

    private var files: [String] {
        ["media/vod", "media/audio", "data/uploads"].flatMap { folder in
            (try? FileManager.default.contentsOfDirectory(atPath: "\(content.folder.path)/\(folder)")) ?? []
        }.sorted()
    }

    private static func form(_ parts: [(disposition: String, body: String)], boundary: String = "b-1") -> String {
        parts.map { "--\(boundary)\r\nContent-Disposition: form-data; \($0.disposition)\r\n\r\n\($0.body)\r\n" }
            .joined()
            + "--\(boundary)--\r\n"
    }

    @Test(arguments: [
        ("POST", "/api/v1/titles?name=a.mp3", ["Content-Type": "audio/mpeg"]),
        ("POST", "/api/v1/titles?name=a", ["Content-Type": "audio/mpeg"]),
        (
            "POST", "/api/v1/titles",
            ["Content-Type": "application/octet-stream", "Content-Disposition": "attachment; filename=\"a.mp3\""]
        ),
        ("PUT", "/api/v1/titles/a.mp3", [:]),
    ])
    func theBodyIsTheFile(method: String, path: String, headers: [String: String]) async throws {
        let answer = try await send(try #require(HTTPRequest.Method(method)), path, headers, body: "0123456789")
        #expect(answer.status == .created)
        #expect(answer.headers[.location] == "/api/v1/tracks/a")
        let json = try JSONParser.parse(answer.body.readableBytesView)
        #expect(json["id"]?.string == "a" && json["state"]?.string == "queued")
        #expect(json["job"]?["kind"]?.string == "track" && json["job"]?["resource"]?.string == "/api/v1/tracks/a")
        #expect(files == ["a.mp3"])
        let text = try String(contentsOfFile: "\(content.folder.path)/media/audio/a.mp3", encoding: .utf8)
        #expect(text == "0123456789")
        // A second upload never replaces a file.
        let again = try await send(.put, "/api/v1/titles/a.mp3", [:], body: "other")
        #expect(again.status == .created && again.headers[.location] != "/api/v1/tracks/a")
        #expect(files.count == 2)
    }

    @Test func aNameInAPathIsDecoded() async throws {
        let answer = try await send(.put, "/api/v1/titles/a%20%C3%B1%2F..%2Fb%20c.mp3", [:], body: "x")
        #expect(answer.status == .created)
        #expect(files == ["b c.mp3"])
    }

    @Test func aFormWithAFile() async throws {
        let body = Self.form([
            ("name=\"note\"", "hello"), ("name=\"file\"; filename=\"a.mp3\"", "01\r\n--b-\r\n23"), ("name=\"x\"", ""),
        ])
        let answer = try await send(
            .post, "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"], body: body)
        #expect(answer.status == .created)
        #expect(answer.headers[.location] == "/api/v1/tracks/a")
        #expect(files == ["a.mp3"])
        let text = try String(contentsOfFile: "\(content.folder.path)/media/audio/a.mp3", encoding: .utf8)
        #expect(text == "01\r\n--b-\r\n23")
    }

    @Test(arguments: [
        // No name, not a media type, an empty body, too large.
        ("POST", "/api/v1/titles", ["Content-Type": "video/mp4"], "x", 422),
        ("POST", "/api/v1/titles?name=a.txt", ["Content-Type": "application/octet-stream"], "x", 422),
        ("PUT", "/api/v1/titles/a.m3u8", [:], "x", 422),
        ("PUT", "/api/v1/titles/a.mp3", [:], "", 422),
        // Not a form, or not exactly one file.
        ("POST", "/api/v1/titles", ["Content-Type": "multipart/form-data"], "x", 422),
        ("POST", "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"], "--b-1--\r\n", 400),
        ("POST", "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"], "--b-1\r\n", 400),
        (
            "POST", "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"],
            Self.form([("name=f; filename=a.mp3", "x")]).replacing("--b-1--", with: ""), 400
        ),
        (
            "POST", "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"],
            Self.form([("name=f; filename=a.mp3", "x"), ("name=g; filename=b.mp3", "y")]), 400
        ),
        (
            "POST", "/api/v1/titles", ["Content-Type": "multipart/form-data; boundary=b-1"],
            Self.form([("name=f; filename=a.mp3", "")]), 400
        ),
        ("POST", "/api/v1/titles", ["Content-Type": "text/plain"], "x", 415),
    ])
    func whatIsRefusedLeavesNothing(
        method: String, path: String, headers: [String: String], body: String, status: Int
    ) async throws {
        let answer = try await send(try #require(HTTPRequest.Method(method)), path, headers, body: body)
        #expect(answer.status.code == status, "\(String(buffer: answer.body))")
        #expect(files == [])
    }

    /// Headers that a page, a proxy or a local program may send do not replace the token.
    @Test(arguments: [[:], ["Origin": "http://localhost"], ["Host": "127.0.0.1"], ["X-Forwarded-For": "127.0.0.1"]])
    func onlyOperatorsUpload(headers: [String: String]) async throws {
        let answer = try await send(.put, "/api/v1/titles/a.mp3", headers, body: "x", isOperator: false)
        #expect(answer.status == .unauthorized)
        #expect(files == [])
    }
}

struct MultipartFileParserTests {
    private static let type = "multipart/form-data; boundary=\"x y\""
    private static let file = "\r\n--x\r\r\n--x z"
    private static let body =
        "preamble\r\n--x y\r\nContent-Disposition: form-data; name=a\r\n\r\n1\r\n--x y\r\n"
        + "content-disposition: form-data; name=\"f\"; filename=\"a \u{F1}.mp4\"\r\nContent-Type: video/mp4\r\n\r\n"
        + "\(file)\r\n--x y--\r\nepilogue"

    private func parse(_ body: String, type: String = Self.type, pieceByteCount: Int) throws -> (String?, String?) {
        var parser = try #require(MultipartFileParser(contentType: type))
        var bytes = ByteBuffer(string: body)
        var name: String?
        var file = ""
        while true {
            switch try parser.next() {
            case .name(let text): name = text
            case .bytes(let piece): file += String(buffer: piece)
            case .end: return (name, file)
            case nil:
                guard let piece = bytes.readSlice(length: min(pieceByteCount, bytes.readableBytes)),
                    piece.readableBytes > 0
                else { return (name, nil) }
                parser.append(piece)
            }
        }
    }

    /// The parser does not depend on how the body is split, and text that resembles a boundary belongs to the file.
    @Test(arguments: 1...60)
    func findsTheFile(pieceByteCount: Int) throws {
        let (name, bytes) = try parse(Self.body, pieceByteCount: pieceByteCount)
        #expect(name == "a \u{F1}.mp4")
        #expect(bytes == Self.file)
    }

    @Test func limitsWhatIsNoFile() throws {
        let long = String(repeating: "a", count: MultipartFileParser.maximumSkippedByteCount + 100)
        #expect(throws: MultipartFileParser.Failure.self) { try parse(long, pieceByteCount: 1_000) }
        let header = "--x y\r\nA: " + long
        #expect(throws: MultipartFileParser.Failure.self) { try parse(header, pieceByteCount: 1_000) }
        #expect(throws: MultipartFileParser.Failure.self) { try parse("--x yz\r\n", pieceByteCount: 3) }
    }

    @Test(arguments: [
        "multipart/form-data", "multipart/form-data; boundary=", "multipart/mixed; boundary=a",
        "multipart/form-data; boundary=" + String(repeating: "a", count: 71), "multipart/form-data; boundary=a\u{F1}",
        "video/mp4",
    ])
    func needsABoundary(_ type: String) { #expect(MultipartFileParser(contentType: type) == nil) }
}
