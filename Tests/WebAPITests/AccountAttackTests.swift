import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import TestSupport
import Testing

@testable import WebAPI

/// The attacks of strangers and members on the account endpoints, over HTTP.
@Suite(.eitherEngine) struct AccountAttackTests {
    private let fixture: TestAccounts
    private let responder: GatewayResponder

    init() async throws {
        fixture = try await TestAccounts()
        let table = EndpointTable.serving(InMemoryContent(), authority: TestOperator.authority(fixture.accounts))
        responder = table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String = "", session: NewSession? = nil,
        cookie: String? = nil
    ) async throws -> TestResponse {
        var headers: HTTPFields = [.contentType: "application/json"]
        headers[.cookie] = (session?.secret.text ?? cookie).map { "antena_session=\($0)" }
        if let session, let name = HTTPField.Name("X-CSRF-Token") {
            headers[name] = CSRFToken.text(for: session.secret)
        }
        return try await Application(responder: responder).test(.live) { [headers] client in
            try await client.execute(
                uri: "/api/v1/\(path)", method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private static func logIn(_ name: String, _ password: String) -> String {
        #"{"username": "\#(name)", "password": "\#(password)"}"#
    }

    @Test(arguments: ["session", "session/second-factor", "users", "device/token", "password-resets"])
    func deepAndLargeBodiesAreRefused(_ path: String) async throws {
        let deep = #"{"username":"# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + "}"
        let refused = try await send(.post, path, deep)
        #expect(refused.status == .badRequest, "\(refused.status)")
        let large = Self.logIn("ana", String(repeating: "x", count: 100_000))
        #expect(try await send(.post, path, large).status == .contentTooLarge)
        #expect(try await send(.post, path, #"{"username": "\ud800\u0041", "password": "x"}"#).status.code < 500)
    }

    @Test func nobodyGivesThemselvesARole() async throws {
        let body = #"{"username": "eva", "password": "\#(TestAccounts.password)", "role": "administrator"}"#
        #expect(try await send(.post, "users", body).status == .unauthorized)
        let ana = try await fixture.session("ana")
        #expect(try await send(.post, "users", body, session: ana).status == .forbidden)
        for field in [#""role": "administrator""#, #""state": "active""#, #""id": "1""#, #""emailConfirmedAt": 0"#] {
            let answer = try await send(.patch, "me", "{\"name\": \"Ana\", \(field)}", session: ana)
            #expect(answer.status == .unprocessableContent, "\(field)")
        }
        #expect(try await send(.patch, "users/ana", #"{"role": "administrator"}"#, session: ana).status == .forbidden)
        let account = try JSONParser.parse(try await send(.get, "me", session: ana).body.readableBytesView)
        #expect(account["role"]?.string == "member" && account["name"]?.string == nil)
    }

    /// Everything that acts on others, by everybody who may not.
    @Test func onlyAdministratorsAdminister() async throws {
        _ = try await fixture.session("victim")
        var sessions: [NewSession?] = [nil]
        for role in Role.allCases where role != .administrator {
            sessions.append(try await fixture.session("x-\(role.rawValue)", role))
        }
        let role = #"{"role": "administrator"}"#
        let new = #"{"username": "new", "password": "\#(TestAccounts.password)", "role": "administrator"}"#
        let requests: [(HTTPRequest.Method, String, String)] = [
            (.get, "users", ""), (.get, "users/victim", ""), (.post, "users", new), (.patch, "users/victim", role),
            (.patch, "users/victim", #"{"state": "suspended"}"#), (.patch, "users/victim", #"{"state": "active"}"#),
            (.patch, "users/victim", #"{"password": "\#(TestAccounts.password)"}"#), (.delete, "users/victim", ""),
            (.put, "users/victim/channels/canalA", #"{"permissions": ["publish"]}"#),
            (.post, "users/victim/password-link", ""), (.delete, "users/victim/second-factor", ""),
            (.get, "invitations", ""), (.post, "invitations", role), (.delete, "invitations/\(OpaqueID().text)", ""),
            (.get, "audit", ""), (.get, "tokens?user=victim", ""),
        ]
        let before = try await fixture.accounts.auditLog().items.count
        for session in sessions {
            for (method, path, body) in requests {
                let status = try await send(method, path, body, session: session).status
                #expect(status == (session == nil ? .unauthorized : .forbidden), "\(method) \(path)")
            }
        }
        #expect(try await fixture.accounts.auditLog().items.count == before)
    }

    @Test(arguments: ["\u{430}dmin", "ana\u{200B}", "ana\\u0000", "ana\\n", "ana@example.org", "..", "a/b"])
    func namesThatDeceiveAreRefused(_ name: String) async throws {
        let answer = try await send(.post, "users", Self.logIn(name, TestAccounts.password))
        #expect(answer.status == .unprocessableContent)
    }

    @Test func aSessionFromBeforeTheLogInIsNotContinued() async throws {
        // Somebody has put a session of their own, or an invented one, into the visitor's browser.
        let eva = try await fixture.session("eva")
        _ = try await fixture.session("ana")
        for planted in [eva.secret.text, "antena_s_" + String(repeating: "A", count: 43)] {
            let answer = try await send(
                .post, "session", Self.logIn("ana", TestAccounts.password), cookie: planted)
            guard answer.status != .ok else {
                #expect(answer.headers[.setCookie]?.contains(planted) == false)
                continue
            }
            // Without the token of the session it is refused altogether.
            #expect(answer.status == .forbidden)
        }
        let answer = try await send(.post, "session", Self.logIn("ana", TestAccounts.password), session: eva)
        #expect(answer.status == .ok && answer.headers[.setCookie]?.contains(eva.secret.text) == false)
        let before = try JSONParser.parse(
            try await send(.get, "session", cookie: eva.secret.text).body.readableBytesView)
        #expect(before["username"]?.string == nil, "the session from before has ended")
    }

    @Test func guessingEndsWithAClear429() async throws {
        _ = try await fixture.session("ana")
        var statuses: [Int] = []
        var last: TestResponse?
        for _ in 0..<20 where last?.status != .tooManyRequests {
            let answer = try await send(.post, "session", Self.logIn("ana", "wrong"))
            statuses.append(answer.status.code)
            last = answer
        }
        let refused = try #require(last)
        #expect(refused.status == .tooManyRequests && statuses.dropLast().allSatisfy { $0 == 401 }, "\(statuses)")
        #expect(refused.headers[.retryAfter].flatMap { Int($0) } ?? 0 > 0)
        let (known, unknown) = (
            String(buffer: try await send(.post, "session", Self.logIn("ana", "x")).body).withSameRequestIdentifier,
            String(buffer: try await send(.post, "session", Self.logIn("nobody", "x")).body).withSameRequestIdentifier
        )
        #expect(known == unknown, "the answer does not show which accounts there are")
    }

    /// Identities that are counted could be tried one after the other.
    @Test func identitiesCannotBeCounted() async throws {
        let (ana, eva) = (try await fixture.session("ana"), try await fixture.session("eva"))
        let token = try await fixture.token(ana)
        for path in ["tokens/\(token.token.id.text)", "me/sessions/\(ana.session.id.text)"] {
            let answers = [
                try await send(.delete, path, session: eva),
                try await send(.delete, path.replacing(/[^\/]+$/, with: OpaqueID().text), session: eva),
            ]
            #expect(answers.allSatisfy { $0.status == .notFound }, "\(path): \(answers.map(\.status))")
        }
        #expect(token.token.id.text.count >= 20 && ana.session.id.text.count >= 20)
        #expect(try await send(.get, "me", session: ana).status == .ok)
    }

    @Test func noPageOfTheSiteIsShownInAFrame() async throws {
        let answer = try await send(.get, "session")
        let name = try #require(HTTPField.Name("Content-Security-Policy"))
        #expect(answer.headers[name]?.contains("frame-ancestors 'none'") == true)
    }
}
