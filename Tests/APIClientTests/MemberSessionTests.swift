import Foundation
import JSONDocument
import TestSupport
import Testing

@testable import APIClient

/// The session of `antena me`.
struct MemberSessionTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory(label: "session") }

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    @Test func itIsKeptForItsUserOnly() throws {
        let path = "\(folder.path)/a/b/session.json"
        #expect(throws: ServerClientError.self) { try MemberSession.read(path) }
        let session = MemberSession(server: "https://tv.example.org", username: "ana", token: "secret")
        try session.write(to: path)
        #expect(try MemberSession.read(path) == session)
        for file in [path, "\(folder.path)/a/b"] {
            let mode = try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int
            #expect((mode ?? 0o777) & 0o077 == 0, "\(file)")
        }
        let other = MemberSession(server: "http://127.0.0.1:1", username: "eva", token: "other")
        try other.write(to: path)
        #expect(try MemberSession.read(path) == other)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/a/b") == ["session.json"])
        MemberSession.remove(path)
        #expect(throws: ServerClientError.self) { try MemberSession.read(path) }
        try folder.write("{}", to: "damaged.json")
        let error = #expect(throws: ServerClientError.self) { try MemberSession.read("\(folder.path)/damaged.json") }
        #expect(error?.description.contains("is damaged") == true)
    }

    @Test func itIsSentToItsServerOnly() throws {
        let session = MemberSession(server: "https://tv.example.org", username: "ana", token: "secret")
        let access = MemberAccess(session)
        #expect(access.credential(for: try url("https://tv.example.org")) == "secret")
        for other in ["http://tv.example.org", "https://tv.example.org:8443", "https://example.org"] {
            #expect(access.credential(for: try url(other)) == nil, "\(other)")
        }
        #expect(MemberAccess().credential(for: try url("https://tv.example.org")) == nil)
    }

    @Test func aMistakeInTypingIsNotTheEndOfTheSession() throws {
        let access = MemberAccess(MemberSession(server: "https://tv", username: "ana", token: "secret"))
        func text(_ problem: String) throws -> String {
            access.explanation(
                of: try JSONParser.parse(Array(problem.utf8)), from: "https://tv", at: try url("https://tv"))
        }
        #expect(
            try text(#"{"type": "/api/v1/docs#wrong-credentials", "detail": "the password is wrong"}"#)
                == "https://tv: the password is wrong")
        #expect(try text(#"{"type": "about:blank", "detail": "no"}"#).contains("has ended; log in again"))
    }
}
