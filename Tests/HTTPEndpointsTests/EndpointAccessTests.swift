import TestSupport
import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Testing

@testable import HTTPEndpoints

/// The senders that reach the handler of an endpoint, with accounts.
@Suite(.eitherEngine) struct EndpointAccessTests {
    private let fixture: TestAccounts
    private let table: EndpointTable

    init() async throws {
        fixture = try await TestAccounts()
        @Sendable func reply(_ context: GatewayRequestContext, _ text: String = "") -> Response {
            let name = context.principal.member?.username ?? ""
            return Response(status: .ok, body: ResponseBody(byteBuffer: ByteBuffer(string: name + text)))
        }
        let answer: Endpoint.Handler = { _, context in reply(context) }
        table = EndpointTable(
            [
                Endpoint(.get, "/page", .needs(.read, .site), handler: answer),
                Endpoint(.get, "/poster", .needs(.read, .title())) { _, context in
                    var response = reply(context)
                    response.headers[.cacheControl] = "public, max-age=60"
                    return response
                },
                Endpoint(.get, "/style", .open(reason: "test"), handler: answer),
                Endpoint(.get, "/api/system", .needs(.read, .system), handler: answer),
                Endpoint(.post, "/form", .anyone(.any, reason: "test")) { request, context in
                    reply(context, try await FormFields(request)["text"] ?? "")
                },
                Endpoint(.post, "/api/file", .needs(.comment, .title()), handler: answer),
                Endpoint(.post, "/api/channels/{name}/start", .channel(.record), handler: answer),
                Endpoint(.get, "/feed", .filters(reason: "test"), handler: answer).forPrograms,
                Endpoint(.get, "/api/shown", .filters(reason: "test"), handler: answer),
                Endpoint(.get, "/api/watched", .filtersChannels(reason: "test"), handler: answer),
                Endpoint(.get, "/api/own", .member(.read, reason: "test"), handler: answer),
                Endpoint(.get, "/api/password", .member(.session, reason: "test"), handler: answer),
                Endpoint(.get, "/api/key", .credentialed(.permission([.comment, .manage]), reason: "test")) {
                    _, context in reply(context)
                },
                Endpoint(.get, "/api/write", .anyone(.comment, reason: "test"), handler: answer),
                Endpoint(.get, "/api/member", .needs(.read, .site), handler: answer),
            ], authority: TestOperator.authority(fixture.accounts))
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields = [:], body: String = ""
    ) async throws -> TestResponse {
        try await Application(router: table.router()).test(.live) { client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: ByteBuffer(string: body))
        }
    }

    private func cookie(_ session: NewSession) -> HTTPFields {
        [.cookie: "a=b; antena_session=\(session.secret.text); c=d"]
    }

    private static let form = "application/x-www-form-urlencoded"

    @Test func cookiesTokensAndAppPasswordsTellWhoSomebodyIs() async throws {
        let session = try await fixture.session("ana", .operator)
        #expect(String(buffer: try await send(.get, "/page", cookie(session)).body) == "ana")
        let token = try await fixture.token(session)
        let bearer: HTTPFields = [.authorization: "Bearer \(token.secret.text)"]
        #expect(try await send(.get, "/api/system", bearer).status == .ok)
        #expect(try await send(.get, "/api/system", cookie(session)).status == .ok)
        #expect(try await send(.get, "/api/system", cookie(try await fixture.session("ben"))).status == .forbidden)
        let stranger = try await send(.get, "/api/system")
        #expect(stranger.status == .unauthorized && stranger.headers[.wwwAuthenticate] == "Bearer")
    }

    @Test func sharedCachesKeepWhatStrangersGetOnly() async throws {
        #expect(try await send(.get, "/poster").headers[.cacheControl] == "public, max-age=60")
        let member = cookie(try await fixture.session("ana"))
        #expect(try await send(.get, "/poster", member).headers[.cacheControl] == "private, max-age=60")
    }

    /// A sender of a credential wants to be more than a stranger.
    @Test(arguments: ["Bearer antena_api_x", "Basic YW5hOng=", "Basic %", "Digest a", "Bearer"])
    func aWrongCredentialIsRefusedEvenWhereStrangersMay(_ value: String) async throws {
        #expect(try await send(.get, "/page", [.authorization: value]).status == .unauthorized)
        #expect(try await send(.get, "/style", [.authorization: value]).status == .ok)
    }

    /// A browser keeps a cookie longer than the session lasts.
    @Test func aStaleCookieMakesAStrangerAndIsRemoved() async throws {
        let session = try await fixture.session("ana")
        try await fixture.accounts.logOut(Caller(session.principal, TestAccounts.origin))
        for headers in [cookie(session), [.cookie: "antena_session=<script>"]] {
            let answer = try await send(.get, "/page", headers)
            #expect(answer.status == .ok && answer.body.readableBytes == 0)
            #expect(
                answer.headers[.setCookie]?.contains("antena_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0")
                    == true)
        }
    }

    @Test func aChangeByCookieNeedsTheTokenOfItsSession() async throws {
        let (ana, ben) = (try await fixture.session("ana"), try await fixture.session("ben"))
        let token = CSRFToken.text(for: ana.secret)
        var headers = cookie(ana)
        #expect(try await send(.post, "/api/file", headers).status == .forbidden)
        let field = try #require(HTTPField.Name("X-CSRF-Token"))
        headers[field] = CSRFToken.text(for: ben.secret)
        #expect(try await send(.post, "/api/file", headers).status == .forbidden)
        headers[field] = token
        #expect(try await send(.post, "/api/file", headers).status == .ok)
        // The handler reads the body that the check has read.
        headers = cookie(ana)
        headers[.contentType] = Self.form
        let answer = try await send(.post, "/form", headers, body: "text=a%26b+c&csrf=\(token)")
        #expect(String(buffer: answer.body) == "anaa&b c")
        #expect(try await send(.post, "/form", headers, body: "text=a").status == .forbidden)
        #expect(try await send(.post, "/form?csrf=\(token)", headers, body: "text=a").status == .forbidden)
        headers[.contentType] = "multipart/form-data; boundary=x"
        #expect(try await send(.post, "/api/file?csrf=\(token)", headers, body: "--x--").status == .ok)
        headers[.contentType] = Self.form
        let long = String(repeating: "a", count: FormFields.maximumByteCount + 1)
        #expect(try await send(.post, "/form", headers, body: long).status == .contentTooLarge)
    }

    /// A program's header is no browser's doing.
    @Test func aTokenInAHeaderNeedsNoOther() async throws {
        let session = try await fixture.session("ana")
        let token = try await fixture.token(session)
        let headers: HTTPFields = [
            .authorization: "Bearer \(token.secret.text)", .origin: "https://app.example.org",
        ]
        #expect(try await send(.post, "/api/file", headers).status == .ok)
    }

    /// Log-ins, too: somebody could be logged in to a stranger's account without noticing.
    @Test(
        arguments: [
            (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
            (["Sec-Fetch-Site": "same-origin", "Origin": "https://tv.example.org"], 200),
            (["Origin": "https://evil.example.org"], 403), (["Origin": "null"], 403), ([:], 200),
        ] as [([String: String], Int)])
    func changesComeFromThisSite(_ fields: [String: String], _ status: Int) async throws {
        var headers: HTTPFields = [.contentType: Self.form]
        for (name, value) in fields { headers[try #require(HTTPField.Name(name))] = value }
        #expect(try await send(.post, "/form", headers, body: "text=a").status.code == status)
    }

    @Test func aTokenForOneChannelReachesNoOther() async throws {
        let session = try await fixture.session("ana", .broadcaster)
        let token = try await fixture.token(session, Scope(actions: ActionSet([.record]), channels: ["canalA"]))
        let headers: HTTPFields = [.authorization: "Bearer \(token.secret.text)"]
        #expect(try await send(.post, "/api/channels/canalA/start", headers).status == .ok)
        #expect(try await send(.post, "/api/channels/canalB/start", headers).status == .forbidden)
        #expect(try await send(.get, "/api/system", headers).status == .forbidden)
    }

    /// A token without a permission is not its owner there: it is refused, or a stranger if strangers may.
    @Test func aTokenIsItsOwnerAsFarAsItsPermissionsGo() async throws {
        let session = try await fixture.session("ana")
        func answers(_ actions: Action..., channels: Set<String>? = nil) async throws -> [String: String] {
            let token = try await fixture.token(session, Scope(actions: ActionSet(actions), channels: channels))
            var answers: [String: String] = [:]
            for path in ["page", "feed", "api/shown", "api/watched", "api/own", "api/password", "api/key", "api/write"]
            {
                let answer = try await send(.get, "/\(path)", [.authorization: "Bearer \(token.secret.text)"])
                let who = String(buffer: answer.body)
                answers[path] = answer.status == .ok ? (who.isEmpty ? "stranger" : who) : "\(answer.status.code)"
            }
            return answers
        }
        let refused = [
            "page": "403", "feed": "stranger", "api/shown": "stranger", "api/watched": "stranger", "api/own": "403",
            "api/password": "403", "api/key": "403", "api/write": "403",
        ]
        func expected(_ changes: [String: String]) -> [String: String] { refused.merging(changes) { $1 } }
        let reading = ["feed": "ana", "api/shown": "ana", "api/watched": "ana", "api/own": "ana"]
        #expect(try await answers(.publish) == refused)
        #expect(try await answers(.read) == expected(reading))
        #expect(try await answers(.read, channels: ["canalA"]) == expected(["api/watched": "ana"]))
        #expect(try await answers(.comment) == expected(["api/key": "ana", "api/write": "ana"]))
        #expect(try await answers(.manage) == expected(["api/key": "ana"]))
        #expect(try await answers(.comment, channels: ["canalA"]) == refused)
        // The machine's token has no limits, and is no visitor of pages.
        let machine: HTTPFields = [.authorization: TestOperator.authorization]
        #expect(try await send(.get, "/page", machine).status == .forbidden)
        #expect(try await send(.get, "/feed", machine).status == .ok)
        #expect(try await send(.get, "/api/key", machine).status == .ok)
        #expect(try await send(.get, "/page", cookie(session)).status == .ok)
    }

    /// A server behind a proxy on this machine, which says whether the client speaks HTTPS.
    private func send(
        _ path: String, over scheme: String, _ headers: HTTPFields = [:]
    ) async throws -> TestResponse {
        let authority = RequestAuthority(
            token: TestOperator.token, accounts: fixture.accounts,
            proxies: TrustedProxies([try #require(AddressRange(parsing: "127.0.0.1"))], field: .xForwardedFor),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let proxied = EndpointTable(table.endpoints, authority: authority)
        var headers = headers
        headers[try #require(HTTPField.Name("X-Forwarded-Proto"))] = scheme
        return try await Application(router: proxied.router()).test(.live) { [headers] client in
            try await client.execute(uri: path, method: .get, headers: headers)
        }
    }

    /// A site under another name of the same domain can set a cookie for the whole domain, but not with `__Host-`.
    @Test func overHTTPSOnlyACookieOfThisHostCounts() async throws {
        let (ana, eve) = (try await fixture.session("ana"), try await fixture.session("eve"))
        let (own, planted) = ("__Host-antena_session=\(ana.secret.text)", "antena_session=\(eve.secret.text)")
        func who(_ scheme: String, _ cookie: String) async throws -> String {
            String(buffer: try await send("/page", over: scheme, [.cookie: cookie]).body)
        }
        #expect(try await who("https", own) == "ana")
        #expect(try await who("https", "\(planted); \(own)") == "ana")
        #expect(try await who("https", planted).isEmpty)
        #expect(try await who("http", planted) == "eve", "sessions over plain HTTP go on")
        #expect(SessionCookie.setting(ana, isSecure: true, now: fixture.clock.time).hasPrefix("__Host-"))
        let stale = try await send("/page", over: "https", [.cookie: "__Host-antena_session=x"])
        #expect(
            stale.headers[.setCookie]
                == "__Host-antena_session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0")
    }

    @Test func browsersAreToldToKeepToHTTPS() throws {
        let name = try #require(HTTPField.Name("Strict-Transport-Security"))
        func field(_ scheme: String, _ host: String, _ policy: StrictTransport = .usual) -> String? {
            let head = HTTPRequest(method: .get, scheme: scheme, authority: host, path: "/")
            var response = Response(status: .ok)
            policy.add(to: &response, of: Request(head: head, body: RequestBody(buffer: ByteBuffer())))
            return response.headers[name]
        }
        #expect(field("https", "tv.example.org") == "max-age=15552000")
        #expect(field("https", "tv.example.org:8443", StrictTransport(maximumAge: .zero)) == "max-age=0")
        #expect(field("http", "tv.example.org") == nil, "RFC 6797 §7.2")
        #expect(field("https", "tv.example.org", .off) == nil)
        #expect(field("https", "localhost:8443") == nil, "other programs of a developer are at other ports")
    }

    @Test func requestsOfAMemberAreLimited() async throws {
        let headers = cookie(try await fixture.session("ana"))
        for _ in 0..<50 { #expect(try await send(.get, "/api/member", headers).status == .ok) }
        let refused = try await send(.get, "/api/member", headers)
        #expect(refused.status == .tooManyRequests && refused.headers[.retryAfter] != nil)
        #expect(try await send(.get, "/page", headers).status == .ok)
        fixture.clock.advance(by: .seconds(11))
        #expect(try await send(.get, "/api/member", headers).status == .ok)
    }
}
