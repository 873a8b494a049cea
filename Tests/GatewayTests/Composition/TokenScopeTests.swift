import Accounts
import Catalogue
import Community
import Crypto
import Database
import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Idempotency
import JSONDocument
import Logging
import MediaAccess
import MediaCore
import NIOCore
import Notifications
import SupportInbox
import Synchronization
import TestSupport
import Testing
import VideoClub
import Webhooks

@testable import Gateway
@testable import HTTPEndpoints

/// The rights of tokens with few permissions, at every endpoint of the API and every page of the site.
@Suite(.eitherEngine, .timeLimit(.minutes(10)))
struct TokenScopeTests {
    private let station: TestStation
    private let fixture: TestAccounts
    private let club: VideoClub
    private let community: Community
    private let notifications: Notifications
    private let webhooks: Webhooks
    private let inbox: SupportInbox
    private let table: EndpointTable
    private let responder: GatewayResponder

    init() async throws {
        station = try await TestStation(titles: ["film", "own"])
        (fixture, club, community) = (
            station.fixture, try station.parts.require(VideoClub.self), try station.parts.require(Community.self)
        )
        (notifications, webhooks, inbox) = (
            try station.parts.require(Notifications.self), try station.parts.require(Webhooks.self),
            try station.parts.require(SupportInbox.self)
        )
        table = station.table
        responder = table.router().buildResponder()
    }

    private func send(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil, by secret: String?, key: String? = nil
    ) async throws -> (status: Int, text: String) {
        var headers: HTTPFields = [:]
        headers[.authorization] = secret.map { "Bearer \($0)" }
        if let body { headers[.contentType] = body.hasPrefix("{") ? "application/json" : Self.form }
        if let name = HTTPField.Name("Idempotency-Key") { headers[name] = key }
        let response = try await Application(responder: responder).test(.router) { [headers] client in
            try await client.execute(
                uri: path, method: method, headers: headers, body: body.map { ByteBuffer(string: $0) })
        }
        return (response.status.code, String(buffer: response.body))
    }

    private static let form = "application/x-www-form-urlencoded"

    /// A path of an endpoint at which there is nothing.
    private static func path(_ endpoint: Endpoint) -> String {
        endpoint.path.replacing(/\{[^}]*\}/, with: "none")
    }

    /// The account may do everything, so that only the token's permission is missing.
    private func tokens() async throws -> [(action: Action, secret: String)] {
        let session = try await fixture.session("root", .administrator)
        var tokens: [(action: Action, secret: String)] = []
        for action in Action.allCases {
            tokens.append((action, try await fixture.token(session, Scope(actions: ActionSet([action]))).secret.text))
        }
        return tokens
    }

    @Test func aTokenReachesWhatItsPermissionNamesAndNothingElse() async throws {
        let tokens = try await tokens()
        for endpoint in table.endpoints {
            if case .open = endpoint.rule { continue }
            let name = "\(endpoint.method) \(endpoint.path)"
            let path = Self.path(endpoint)
            // Streams do not end, and say with their head whether somebody may listen.
            let method = endpoint.path.hasSuffix("/events") ? HTTPRequest.Method.head : endpoint.method
            let stranger = try await send(method, path, by: nil)
            for (action, secret) in tokens {
                let answer = try await send(method, path, by: secret)
                switch Self.expectation(endpoint, action, strangersStatus: stranger.status) {
                case .refused:
                    #expect(answer.status == 403, "\(name) with \(action): \(answer)")
                case .asStranger:
                    #expect(answer.status == stranger.status, "\(name) with \(action): \(answer)")
                case .notServed:
                    #expect(answer.status >= 400, "\(name) with \(action): \(answer)")
                case .admitted:
                    #expect(![401, 403].contains(answer.status), "\(name) with \(action): \(answer)")
                }
            }
        }
    }

    private enum Expectation { case admitted, asStranger, notServed, refused }

    private static func expectation(_ endpoint: Endpoint, _ action: Action, strangersStatus: Int) -> Expectation {
        guard endpoint.takesTokens else { return .refused }
        if endpoint.rule.tokenNeed.isMet(by: Scope(actions: ActionSet([action]))) {
            // A receiver of events and the accounts of others need two permissions, and so does a file that the server
            // fetches by itself.
            let needsMore =
                endpoint.path.hasPrefix("/api/v1/webhooks") && action == .manage
                || endpoint.path.hasPrefix("/api/v1/users/{name}") && action == .administer
                || endpoint.method == .post && endpoint.path == "/api/v1/titles"
            return needsMore ? .notServed : .admitted
        }
        if case .anyone = endpoint.rule { return .refused }
        return strangersStatus == 401 ? .refused : .asStranger
    }

    /// The list of what is for people alone grows by a decision only: each of these changes how somebody logs in,
    /// hands out a credential, is what a person watches, or what people write to each other.
    @Test func whatNoTokenMayDoIsListed() {
        let listed = table.endpoints.filter { $0.takesTokens && $0.rule.tokenNeed == .session }
            .map { "\($0.method) \($0.path)" }
        #expect(
            listed.sorted() == [
                "DELETE /api/v1/me", "DELETE /api/v1/me/contact-invitations/{id}",
                "DELETE /api/v1/me/contacts/{name}", "DELETE /api/v1/me/conversations",
                "DELETE /api/v1/me/conversations/{id}", "DELETE /api/v1/me/conversations/{id}/members/{member}",
                "DELETE /api/v1/me/conversations/{id}/messages/{sequence}", "DELETE /api/v1/me/photo",
                "DELETE /api/v1/me/positions/{kind}/{id}", "DELETE /api/v1/me/second-factor",
                "DELETE /api/v1/me/sessions", "DELETE /api/v1/me/sessions/{id}", "DELETE /api/v1/session",
                "DELETE /api/v1/tokens/{id}", "GET /api/v1/me/contact-invitations",
                "GET /api/v1/me/contact-invitations/{id}", "GET /api/v1/me/contact-search",
                "GET /api/v1/me/contact-settings", "GET /api/v1/me/contacts", "GET /api/v1/me/contacts/{name}",
                "GET /api/v1/me/conversations", "GET /api/v1/me/conversations/badges",
                "GET /api/v1/me/conversations/events", "GET /api/v1/me/conversations/search",
                "GET /api/v1/me/conversations/{id}", "GET /api/v1/me/conversations/{id}/changes",
                "GET /api/v1/me/conversations/{id}/members", "GET /api/v1/me/conversations/{id}/messages",
                "GET /api/v1/me/export", "GET /api/v1/me/export.zip", "GET /api/v1/me/hidden-results",
                "GET /api/v1/me/positions", "GET /api/v1/me/positions/{kind}/{id}", "GET /api/v1/me/second-factor",
                "GET /api/v1/me/sessions", "GET /api/v1/tokens", "PATCH /api/v1/me",
                "PATCH /api/v1/me/contact-settings", "PATCH /api/v1/me/conversations/{id}",
                "PATCH /api/v1/me/conversations/{id}/members/{member}", "POST /api/v1/me/contact-invitations",
                "POST /api/v1/me/contact-invitations/{id}/answer", "POST /api/v1/me/conversations",
                "POST /api/v1/me/conversations/{id}/answer", "POST /api/v1/me/conversations/{id}/messages",
                "POST /api/v1/me/second-factor", "POST /api/v1/tokens", "PUT /api/v1/me/conversations/{id}/marks",
                "PUT /api/v1/me/conversations/{id}/members/{member}", "PUT /api/v1/me/email",
                "PUT /api/v1/me/hidden-results", "PUT /api/v1/me/password", "PUT /api/v1/me/photo",
                "PUT /api/v1/me/positions/{kind}/{id}", "PUT /api/v1/me/second-factor",
                "PUT /api/v1/me/watched-matches/{id}",
            ])
    }

    /// Outside of the API, programs read images, feeds and metrics.
    @Test func whatTokensReachOutsideOfTheAPIChangesNothing() {
        let outside = table.endpoints.filter { $0.takesTokens && !$0.path.hasPrefix("/api/") }
        #expect(outside.allSatisfy { $0.method == .get })
        let others = outside.map(\.path).filter { !$0.hasPrefix("/vod/") && !$0.hasPrefix("/media/") }
        #expect(
            others.filter { !$0.contains("{signature}") }.sorted() == [
                "/about/chart.svg", "/comunidad/banner/{id}", "/comunidad/miembro/{name}/videos.atom",
                "/comunidad/videos.atom", "/live/{name}/cover", "/live/{name}/thumbnail.jpg", "/metrics",
                "/oembed", "/radio/{id}/cover", "/radio/{id}/letra",
            ])
    }

    // MARK: What belongs to the owner

    private func member(_ name: String) async throws -> (session: NewSession, caller: Caller) {
        let session = try await fixture.session(name)
        return (session, Caller(session.principal, TestAccounts.origin))
    }

    private func token(_ session: NewSession, _ actions: Action..., channels: Set<String>? = nil) async throws -> String
    {
        try await fixture.token(session, Scope(actions: ActionSet(actions), channels: channels)).secret.text
    }

    @Test func anEncodersTokenIsNotItsOwner() async throws {
        let ana = try await member("ana")
        _ = try await club.setTerms(of: "film", from: [0], by: TestAccounts.machine) { $0.price = 1 }
        let user = try #require(ana.caller.principal.member).id
        _ = try await club.give(3, .gift, to: user, key: nil, by: TestAccounts.machine)
        let rental = try await club.rent("film", key: nil, by: ana.caller).rental
        let video = try await community.publish(VideoContents(name: "mine"), title: "own", by: ana.caller)
        let (encoder, reader) = (
            try await token(ana.session, .publish, channels: ["canalA"]), try await token(ana.session, .read)
        )
        for path in [
            "/api/v1/me/rentals", "/api/v1/me/credits", "/api/v1/me/notifications", "/api/v1/me/activities",
            "/api/v1/me/blocks", "/api/v1/me/feed", "/api/v1/me/devices", "/api/v1/rentals/\(rental.id)",
            "/api/v1/rentals/\(rental.id)/download", "/api/v1/me/profile",
        ] {
            #expect(try await send(.get, path, by: encoder).status == 403, "\(path)")
        }
        let offer = try JSONParser.parse(
            Array(try await send(.get, "/api/v1/titles/film/offer", by: encoder).text.utf8))
        #expect(offer["price"]?.integer == 1 && offer["rental"]?.value == .null)
        let own = try JSONParser.parse(
            Array(try await send(.get, "/api/v1/titles/film/offer", by: reader).text.utf8))
        #expect(own["rental"]?["id"]?.string == rental.id.text)
        for token in [encoder, reader] {
            for (method, path, body) in [
                (.post, "/api/v1/rentals/\(rental.id)/activation", nil),
                (.delete, "/api/v1/videos/\(video.id)", nil),
                (.patch, "/api/v1/videos/\(video.id)", #"{"name": "x"}"#),
                (.put, "/api/v1/videos/\(video.id)/like", nil),
                (.patch, "/api/v1/me/profile", #"{"about": "x"}"#),
                (.patch, "/api/v1/me/notifications/preferences", #"{"aboutMe": []}"#),
                (.post, "/api/v1/me/push-subscriptions", "{}"),
                (.post, "/api/v1/support-messages", #"{"sender": "a@example.org", "subject": "x", "text": "y"}"#),
                (.post, "/videoclub/titulos/film/empezar", "rental=\(rental.id)"),
                (.post, "/comunidad/perfil", "about=x"), (.get, "/cuenta", nil), (.get, "/", nil),
            ] as [(HTTPRequest.Method, String, String?)] {
                #expect(try await send(method, path, body, by: token).status == 403, "\(method) \(path)")
            }
        }
        #expect(try await club.rental(rental.id).activatedAt == nil)
        #expect(try await community.video(video.id, for: ana.caller, maySeeHidden: false).name == "mine")
    }

    /// A key of the owner's session must not answer for the session.
    @Test func aReplyBelongsToTheCredentialsPermissions() async throws {
        let root = try await fixture.session("root", .administrator)
        let body = #"{"url": "https://hook.example.org/"}"#
        let first = try await send(.post, "/api/v1/webhooks", body, by: root.secret.text, key: "k1")
        #expect(first.status == 201 && first.text.contains("secret"))
        #expect(try await send(.post, "/api/v1/webhooks", body, by: root.secret.text, key: "k1").text == first.text)
        for actions in [[Action.publish], [.manage]] {
            let narrow = try await fixture.token(root, Scope(actions: ActionSet(actions))).secret.text
            let answer = try await send(.post, "/api/v1/webhooks", body, by: narrow, key: "k1")
            #expect(answer.status == 403 && !answer.text.contains("secret"), "\(actions)")
        }
        let wide = try await fixture.token(root, Scope(actions: ActionSet([.read, .manage]))).secret.text
        let other = try await send(.post, "/api/v1/webhooks", body, by: wide, key: "k1")
        #expect(other.status == 201 && other.text != first.text, "a request of its own")
    }

    // MARK: What ends with a token

    private static let browser = #"""
        {"endpoint": "https://push.example.org/1", \#
        "p256dh": "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4", \#
        "auth": "BTBZMqHH6r4Tts7J_aSIgg"}
        """#
    private static let key = "3p7bfXt9wbTTW2HC7OQ1Nz+DQ8hbeGdNrfx+FG+IK08="

    @Test func browsersDevicesAndWebhooksEndWithTheTokenThatAddedThem() async throws {
        let ana = try await member("ana")
        let user = try #require(ana.caller.principal.member).id
        for endsByItself in [false, true] {
            let token = try await fixture.accounts.createToken(
                TokenRequest(
                    .apiToken, name: "app", scope: Scope(actions: ActionSet([.read, .rent, .manage])),
                    expiresAt: fixture.clock.wallClock.now() + .seconds(60)),
                password: TestAccounts.password, by: ana.caller)
            let secret = token.secret.text
            #expect(try await send(.post, "/api/v1/me/push-subscriptions", Self.browser, by: secret).status == 201)
            let device = try await send(
                .post, "/api/v1/me/devices", #"{"name": "phone", "publicKey": "\#(Self.key)"}"#, by: secret)
            #expect(device.status == 201)
            let hook = try await send(
                .post, "/api/v1/webhooks", #"{"url": "https://hook.example.org/"}"#, by: secret)
            #expect(hook.status == 201)
            let deviceSecret = try #require(
                Secret(
                    .offlineDevice,
                    parsing: try JSONParser.parse(Array(device.text.utf8))["secret"]?.string ?? ""))
            #expect(try await club.device(with: deviceSecret) != nil)
            #expect(try await notifications.subscriptions(of: user).count == 1)
            if endsByItself {
                fixture.clock.advance(by: .seconds(61))
                try await webhooks.maintain()
            } else {
                try await fixture.accounts.revokeToken(token.token.id, by: ana.caller)
            }
            #expect(try await club.device(with: deviceSecret) == nil)
            #expect(try await club.devices(of: user).isEmpty)
            #expect(try await notifications.subscriptions(of: user).isEmpty)
            #expect(try await webhooks.statistics().enabledCount == 0)
        }
    }

    @Test func aNewPasswordByLinkEndsAllCredentials() async throws {
        let ana = try await member("ana")
        let user = try #require(ana.caller.principal.member).id
        let token = try await fixture.token(ana.session).secret.text
        let session = ana.session.secret.text
        #expect(try await send(.post, "/api/v1/me/push-subscriptions", Self.browser, by: session).status == 201)
        #expect(
            try await send(
                .post, "/api/v1/me/devices", #"{"name": "phone", "publicKey": "\#(Self.key)"}"#, by: session
            ).status == 201)
        let hook = #"{"url": "https://hook.example.org/"}"#
        #expect(try await send(.post, "/api/v1/webhooks", hook, by: session).status == 201)
        let link = try await fixture.accounts.passwordResetLink(for: user, by: TestAccounts.machine)
        try await fixture.accounts.resetPassword(
            link.secret.text, to: "another horse battery", from: TestAccounts.origin)
        for secret in [token, session] {
            #expect(try await send(.get, "/api/v1/me", by: secret).status == 401)
        }
        #expect(try await club.devices(of: user).isEmpty)
        #expect(try await notifications.subscriptions(of: user).isEmpty)
        let statistics = try await webhooks.statistics()
        #expect(statistics.enabledCount == 0 && statistics.disabledCount == 1, "the owner turns it on again")
    }

    @Test func aTokenThatChangesThingsNeedsThePassword() async throws {
        let ana = try await member("ana")
        func create(_ permissions: String, _ more: String = "") async throws -> Int {
            try await send(
                .post, "/api/v1/tokens", #"{"name": "t", "permissions": [\#(permissions)]\#(more)}"#,
                by: ana.session.secret.text
            ).status
        }
        #expect(try await create(#""read", "publish", "comment", "upload""#) == 201)
        for permission in ["rent", "manage", "administer"] {
            #expect(try await create("\"read\", \"\(permission)\"") == 403)
            #expect(try await create("\"\(permission)\"", #", "currentPassword": "wrong horse""#) == 401)
            let right = #", "currentPassword": "\#(TestAccounts.password)""#
            #expect(try await create("\"\(permission)\"", right) == 201)
        }
        let all = try await send(.post, "/api/v1/tokens", #"{"name": "t"}"#, by: ana.session.secret.text)
        #expect(all.status == 403 && all.text.contains("password-needed"), "all of the owner's permissions")
    }

    // MARK: What is left of a deleted account

    /// Looks for marks in all columns of all tables, so that a table that somebody adds is looked at, too.
    @Test func aDeletedAccountLeavesNoMark() async throws {
        let ana = try await member("mark-ana")
        let user = try #require(ana.caller.principal.member).id
        let session = ana.session.secret.text
        _ = try await club.give(3, .gift, to: user, note: "mark-note", key: nil, by: TestAccounts.machine)
        _ = try await inbox.send(
            sender: "mark-sender@example.org", subject: "Help", text: "It does not play.", by: ana.caller)
        for (path, body) in [
            ("devices", #"{"name": "mark-phone", "publicKey": "\#(Self.key)"}"#),
            ("push-subscriptions", Self.browser.replacing("push.example.org", with: "mark-push.example.org")),
        ] {
            #expect(try await send(.post, "/api/v1/me/\(path)", body, by: session).status == 201, "\(path)")
        }
        let hook = #"{"url": "https://mark-hook.example.org/", "description": "mark-hook"}"#
        #expect(try await send(.post, "/api/v1/webhooks", hook, by: session).status == 201)
        #expect(try await marks(user).count >= 5)
        try await fixture.accounts.deleteAccount(password: TestAccounts.password, by: ana.caller)
        let left = try await marks(user)
        #expect(left.isEmpty, "\(left)")
    }

    /// The columns in which there is a mark, or the ID of an account.
    private func marks(_ user: UserID) async throws -> Set<String> {
        // What was done, and when, stays in the audit log and in the ledger, by the ID alone.
        let kept: Set = ["auditEntry.actorID", "auditEntry.subjectID", "creditLine.account", "creditAccount.account"]
        var found: Set<String> = []
        for schema in Features.schemas {
            for table in schema.tables {
                for column in table.columns where column.type == .text {
                    let name = "\(table.name).\(column.name)"
                    let count: Int64? = try await fixture.database.read { db in
                        guard try db.hasTable(table.name) else { return 0 }
                        return try db.firstValue(
                            """
                            SELECT COUNT(*) FROM \(table.name) WHERE \(column.name) LIKE '%mark-%'
                                OR \(column.name) LIKE ?1
                            """, .text("%\(user.text)%"))
                    }
                    if count ?? 0 > 0, !kept.contains(name) { found.insert(name) }
                }
            }
        }
        return found
    }
}
