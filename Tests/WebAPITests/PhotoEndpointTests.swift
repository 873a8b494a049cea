import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import NIOCore
import TestSupport
import Testing
import Workflows

@testable import WebAPI

/// Photos of accounts over the API.
@Suite(.eitherEngine) struct PhotoEndpointTests {
    private let fixture: TestAccounts
    private let content = InMemoryContent()

    init() async throws { fixture = try await TestAccounts() }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ session: NewSession?, type: String = "image/jpeg",
        _ body: [UInt8] = [], with fields: HTTPFields = [:]
    ) async throws -> TestResponse {
        let table = EndpointTable.serving(content, authority: TestOperator.authority(fixture.accounts))
        var headers = fields
        headers[.contentType] = type
        if let session {
            headers[.cookie] = "antena_session=\(session.secret.text)"
            if let name = HTTPField.Name("X-CSRF-Token") {
                headers[name] = CSRFToken.text(for: session.secret)
            }
        }
        return try await Application(router: table.router()).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: method, headers: headers, body: ByteBuffer(bytes: body))
        }
    }

    @Test func aMemberHasAPhotoThatOthersSee() async throws {
        let (ana, eva) = (try await fixture.session("ana"), try await fixture.session("eva"))
        #expect(try await send(.get, "me/photo", ana).status == .notFound)
        let image: [UInt8] = [0xFF, 0xD8, 0xFF, 1, 2, 3]
        let answer = try await send(.put, "me/photo", ana, image)
        #expect(answer.status == .ok)
        let version = try #require(try JSONParser.parse(answer.body.readableBytesView)["photo"]?.string)
        for (path, session) in [("me/photo", ana), ("users/ANA/photo", ana), ("users/ana/photo", eva)] {
            let photo = try await send(.get, path, session)
            #expect(photo.status == .ok && Array(photo.body.readableBytesView) == image)
            #expect(photo.headers[.contentType] == "image/jpeg" && photo.headers[.eTag] == "\"\(version)\"")
            #expect(photo.headers[.cacheControl]?.contains("private") == true)
            let again = try await send(.get, path, session, with: [.ifNoneMatch: "\"\(version)\""])
            #expect(again.status == .notModified && again.body.readableBytes == 0)
        }
        #expect(try await send(.get, "users/ana/photo", nil).status == .unauthorized)
        let (none, nobody) = (
            try await send(.get, "users/eva/photo", eva), try await send(.get, "users/nobody/photo", eva)
        )
        #expect(none.status == .notFound && none.status == nobody.status)
        // But for the address, which the answer repeats.
        let text = String(buffer: none.body).withSameRequestIdentifier
        #expect(text.replacing("eva", with: "nobody") == String(buffer: nobody.body).withSameRequestIdentifier)
        let export = try JSONParser.parse(try await send(.get, "me/export", ana).body.readableBytesView)
        #expect(export["photo"]?.string == "/9j/AQID")
        #expect(try await send(.delete, "me/photo", ana).status == .noContent)
        #expect(try await send(.get, "users/ana/photo", eva).status == .notFound)
    }

    @Test func whatIsNoImageIsRefusedAndThePhotoStays() async throws {
        let ana = try await fixture.session("ana")
        let image: [UInt8] = [0xFF, 0xD8, 0xFF, 1]
        #expect(try await send(.put, "me/photo", ana, image).status == .ok)
        let damaged = try await send(.put, "me/photo", ana, Array("hello".utf8))
        #expect(damaged.status == .unprocessableContent)
        // The reason names no path of the server.
        #expect(String(buffer: damaged.body).contains("the image is neither a JPEG nor a PNG file"))
        #expect(try await send(.put, "me/photo", ana, []).status == .unprocessableContent)
        #expect(try await send(.put, "me/photo", ana, type: "image/svg+xml", image).status == .unsupportedMediaType)
        let large = [UInt8](repeating: 0xFF, count: PhotoUpload.maximumByteCount + 1)
        #expect(try await send(.put, "me/photo", ana, large).status == .contentTooLarge)
        #expect(Array(try await send(.get, "me/photo", ana).body.readableBytesView) == image)
    }

    @Test(arguments: [true, false]) func aPhotoComesWithTheSignUp(isUsable: Bool) async throws {
        func form(_ fields: [String: String]) -> [UInt8] {
            let texts = fields.map { "Content-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n--x\r\n" }
            return Array(
                "--x\r\n\(texts.joined())Content-Disposition: form-data; name=\"photo\"; filename=\"a\"\r\n\r\n".utf8)
                + (isUsable ? [0xFF, 0xD8, 0xFF, 1] : Array("hello".utf8)) + Array("\r\n--x--\r\n".utf8)
        }
        let type = "multipart/form-data; boundary=x"
        let values = ["username": "ana", "password": TestAccounts.password]
        let unknown = try await send(.post, "users", nil, type: type, form(values.merging(["shoes": "42"]) { $1 }))
        #expect(unknown.status == .unprocessableContent)
        let answer = try await send(.post, "users", nil, type: type, form(values))
        #expect(answer.status == .created, "\(String(buffer: answer.body))")
        let photo = try JSONParser.parse(answer.body.readableBytesView)["photo"]
        #expect((photo?.string != nil) == isUsable && (photo?.value == .null) != isUsable)
        let role = try await send(.post, "users", nil, type: type, form(values.merging(["role": "operator"]) { $1 }))
        #expect(role.status == .forbidden || role.status == .unauthorized)
    }

    @Test func tokensChangeNoPhoto() async throws {
        let ana = try await fixture.session("ana")
        let token = try await fixture.token(ana)
        let answer = try await send(
            .put, "me/photo", nil, [0xFF, 0xD8, 0xFF], with: [.authorization: "Bearer \(token.secret.text)"])
        #expect(answer.status == .forbidden)
    }
}
