import APIContract
import Foundation
import TestSupport
import Testing

@testable import APIClient

/// The operator token that a command sends.
struct OperatorAccessTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(label: "token") }

    private var path: String { "\(folder.path)/\(OperatorToken.fileName)" }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    /// Only an explicitly given token is sent to another machine.
    @Test func theDefaultTokenStaysOnThisMachine() throws {
        let token = OperatorToken()
        try folder.write(token.text, to: OperatorToken.fileName)
        let found = try OperatorAccess(environment: ["ANTENA_DATA": folder.path])
        for server in ["http://127.0.0.1:8080", "http://localhost:1", "https://[::1]:8443", "http://127.0.0.9"] {
            #expect(found.token(for: try url(server)) == token)
        }
        for server in ["http://127.0.0.1.example.org", "http://192.0.2.1", "http://media.example", "http://[::2]"] {
            #expect(found.token(for: try url(server)) == nil)
        }
        let far = try url("http://media.example")
        #expect(found.advice(for: far).contains("on another machine"))
        #expect(try OperatorAccess(dataDirectory: folder.path, environment: [:]).token(for: far) == token)
        #expect(try OperatorAccess(tokenFile: path, environment: [:]).token(for: far) == token)
        let other = OperatorToken()
        let named = try OperatorAccess(environment: ["ANTENA_TOKEN": other.text, "ANTENA_DATA": folder.path])
        #expect(named.token(for: far) == other)
    }

    @Test func whatIsMissingIsSaid() throws {
        let none = try OperatorAccess(dataDirectory: "/nonexistent", environment: [:])
        let server = try url("http://127.0.0.1:8080")
        #expect(none.token(for: server) == nil)
        #expect(none.advice(for: server).hasPrefix("There is no file /nonexistent/operator-token. Name"))
        #expect(throws: ServerClientError.self) { try OperatorAccess(tokenFile: "/nonexistent", environment: [:]) }
        #expect(throws: ServerClientError.self) { try OperatorAccess(environment: ["ANTENA_TOKEN": "short"]) }
    }
}
