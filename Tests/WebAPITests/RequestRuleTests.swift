import APIContract
import Accounts
import DatabaseTestSupport
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import MediaCore
import NIOCore
import WebAPI
import Testing
import WebSite

@testable import HTTPEndpoints

/// The rules for all requests to the API: limits of members, pages of other origins, types of problems.
@Suite(.eitherEngine) struct RequestRuleTests {
    private let fixture: TestAccounts

    init() async throws { fixture = try await TestAccounts() }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ headers: HTTPFields, allowing origins: String? = nil
    ) async throws -> TestResponse {
        let content = InMemoryContent()
        let authority = TestOperator.authority(fixture.accounts)
        let table = EndpointTable(
            EndpointTable.serving(content, authority: authority).endpoints, authority: authority,
            crossOrigin: try origins.map { try #require(CrossOriginPolicy(parsing: $0)) } ?? .none)
        return try await Application(router: table.router()).test(.live) { client in
            try await client.execute(uri: path, method: method, headers: headers)
        }
    }

    private static func field(_ name: String, _ response: TestResponse) -> String? {
        HTTPField.Name(name).flatMap { response.headers[$0] }
    }

    @Test func aMemberIsToldHowManyRequestsAreLeft() async throws {
        let session = try await fixture.session("ana")
        let headers: HTTPFields = [.cookie: "antena_session=\(session.secret.text)"]
        let first = try await send(.get, "/api/v1/me", headers)
        #expect(first.status == .ok)
        #expect(Self.field("RateLimit-Policy", first) == "\"member\";q=50;w=10")
        #expect(Self.field("RateLimit", first) == "\"member\";r=49;t=10")
        // Errors say it, too; what has no limit does not.
        let missing = try await send(.get, "/api/v1/titles/none", headers)
        #expect(missing.status == .notFound && Self.field("RateLimit", missing) == "\"member\";r=48;t=10")
        let page = try await send(.get, "/acerca", headers)
        #expect(Self.field("RateLimit", page) == nil)
        let machine = try await send(.get, "/api/v1/channels", [.authorization: TestOperator.authorization])
        #expect(machine.status == .ok && Self.field("RateLimit", machine) == nil)
        for _ in 0..<48 { _ = try await send(.get, "/api/v1/me", headers) }
        #expect(try await send(.get, "/api/v1/me", headers).status == .tooManyRequests)
    }

    @Test func onlyNamedPagesMayUseTheAPI() async throws {
        let origin = "https://tv.example.org"
        let preflight: HTTPFields = [
            .origin: origin, .accessControlRequestMethod: "PATCH", .accessControlRequestHeaders: "authorization",
        ]
        let allowed = try await send(
            .options, "/api/v1/titles/x", preflight, allowing: "\(origin), http://localhost:3000")
        #expect(allowed.status == .noContent && allowed.headers[.accessControlAllowOrigin] == origin)
        #expect(allowed.headers[.accessControlAllowMethods]?.contains("PATCH") == true)
        #expect(allowed.headers[.accessControlAllowHeaders]?.contains("Authorization") == true)
        #expect(allowed.headers[.vary] == "Origin")
        #expect(allowed.headers[.accessControlAllowCredentials] == nil, "cookies never count")
        let read = try await send(.get, "/api/v1/titles/none", [.origin: origin], allowing: origin)
        #expect(read.status == .notFound && read.headers[.accessControlAllowOrigin] == origin)
        #expect(read.headers[.accessControlExposeHeaders]?.contains("Location") == true)
        for (other, origins) in [
            ("https://evil.example", origin), ("null", "*"), ("https://tv.example.org.evil", origin),
        ] {
            let refused = try await send(.get, "/api/v1/channels", [.origin: other], allowing: origins)
            #expect(refused.headers[.accessControlAllowOrigin] == nil, "\(other)")
            var asked = preflight
            asked[.origin] = other
            #expect(try await send(.options, "/api/v1/titles/x", asked, allowing: origins).status == .methodNotAllowed)
        }
        let all = try await send(.get, "/api/v1/channels", [.origin: "https://any.example"], allowing: "*")
        #expect(all.headers[.accessControlAllowOrigin] == "https://any.example")
        // Pages of the site are for itself, and without the setting nothing changes.
        #expect(
            try await send(.get, "/acerca", [.origin: origin], allowing: "*").headers[.accessControlAllowOrigin] == nil)
        #expect(try await send(.get, "/api/v1/channels", [.origin: origin]).headers[.accessControlAllowOrigin] == nil)
    }

    @Test(arguments: [
        "", "tv.example.org", "https://tv.example.org/path", "https://a.example, *",
    ])
    func listsOfOriginsAreChecked(_ text: String) { #expect(CrossOriginPolicy(parsing: text) == nil) }

    /// Programs rely on these names: they are added to, and never changed.
    @Test func typesOfProblemsAreStable() async throws {
        let codes = ProblemType.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        #expect(
            codes.sorted().joined(separator: " ")
                == """
                account-pending account-suspended already-rented already-voted changed-meanwhile conflict \
                copy-replaced credential-needed credits-needed cursor-not-valid database-away disk-full email-not-valid \
                email-taken encryption-not-supported fields-missing gone invitation-needed key-of-another-request \
                last-administrator link-not-valid malformed method-not-allowed no-password no-trailer not-allowed not-available \
                not-found not-valid passkey-not-valid password-needed password-not-valid precondition-needed \
                read-only registration-closed rental-needed rental-not-activated rental-over request-in-progress \
                server-fault too-large too-many too-many-players too-many-requests trailer-damaged unavailable unsupported-type \
                username-not-valid username-taken wrong-code wrong-credentials
                """)
        for status in 400..<600 {
            if let type = ProblemType.standard(forStatus: status) { #expect(codes.contains(type.code)) }
        }
        for code in Refusal.Code.allCases {
            #expect(codes.contains(ProblemDetails(Refusal(code, "x")).type?.code ?? ""), "\(code)")
        }
    }

    @Test func thePageDescribesEveryOperationAndType() async throws {
        let html = String(buffer: try await send(.get, "/api/v1/docs", [.acceptLanguage: "en"]).body)
        let document = try JSONParser.parse(try await send(.get, "/api/v1/openapi.json", [:]).body.readableBytesView)
        let paths = try #require(document["paths"]?.members)
        #expect(paths.count > 50)
        for path in paths {
            for operation in path.value.members ?? [] where operation.name != "parameters" {
                #expect(html.contains("<code>\(operation.name.uppercased()) \(path.name)</code>"), "\(path.name)")
            }
        }
        for type in ProblemType.all { #expect(html.contains("<dt id=\"\(type.code)\">"), "\(type.code)") }
        #expect(!html.contains("{{"))
    }
}
