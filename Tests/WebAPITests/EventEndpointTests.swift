import Accounts
import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import MediaCore
import NIOCore
import Testing

@testable import WebAPI

/// The receivers of events.
@Suite(.eitherEngine) struct EventEndpointTests {
    private let fixture: TestAccounts
    private let journal: EventJournal
    private let authority: RequestAuthority

    init() async throws {
        fixture = try await TestAccounts()
        authority = TestOperator.authority(fixture.accounts)
        journal = try await EventJournal.open(
            fixture.database, program: "test", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    private func audience(
        _ fields: HTTPFields = [:], _ change: (inout EventFilter) -> Void = { _ in }
    ) -> EventAudience {
        var filter = EventFilter()
        change(&filter)
        return EventAudience(
            authority: authority, kinds: Features.eventKinds, fields: fields, peer: nil, filter: filter)
    }

    private func events(_ new: [(EventType, EventSubject)]) async throws -> [Event] {
        for (type, subject) in new { journal.note(NewEvent(type, subject, at: journal.now)) }
        await journal.flush()
        return try await journal.missed(after: 0, through: 1_000).events
    }

    /// The types in what a listener is sent.
    private static func types(_ text: String?) -> [String] {
        (text ?? "none").split(separator: "\n").filter { $0.hasPrefix("event: ") }.map { String($0.dropFirst(7)) }
    }

    @Test func everybodyIsToldOfWhatTheyMayRead() async throws {
        var rules = AudienceRules()
        rules.channels["canalB"] = .members
        fixture.accounts.audiences = rules
        let happened = try await events([
            (.channelUp, EventSubject(.channel, "canalA")), (.channelDown, EventSubject(.channel, "canalB")),
            (.titleReady, EventSubject(.title, "film")), (.accountCreated, EventSubject(.account, "x")),
        ])
        #expect(Self.types(await audience().texts(of: happened)) == ["channel.up", "title.ready"])
        let member = try await fixture.session("ana")
        let cookie: HTTPFields = [.cookie: "antena_session=\(member.secret.text)"]
        #expect(
            Self.types(await audience(cookie).texts(of: happened)) == ["channel.up", "channel.down", "title.ready"])
        let token: HTTPFields = [.authorization: TestOperator.authorization]
        #expect(Self.types(await audience(token).texts(of: happened)).count == 4)
        let channels = audience(token) { $0.types = ["channel"] }
        #expect(Self.types(await channels.texts(of: happened)) == ["channel.up", "channel.down"])
        let film = audience(token) { $0.subject = EventSubject(.title, "film") }
        #expect(Self.types(await film.texts(of: happened)) == ["title.ready"])
    }

    @Test func whoseSessionHasEndedIsToldNothingMore() async throws {
        let session = try await fixture.session("ana")
        let listener = audience([.cookie: "antena_session=\(session.secret.text)"])
        let happened = try await events([(.channelUp, EventSubject(.channel, "canalA"))])
        #expect(await listener.texts(of: happened)?.isEmpty == false)
        try await fixture.accounts.logOut(Caller(session.principal, TestAccounts.origin))
        #expect(await listener.texts(of: happened) == nil)
        #expect(await audience([.authorization: "Bearer wrong"]).texts(of: happened) == nil)
    }

    private func status(_ query: String, _ fields: HTTPFields = [:]) async throws -> Int {
        let table = EndpointTable(
            EventEndpoints(journal: journal, kinds: Features.eventKinds, authority: authority).endpoints,
            authority: authority)
        return try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: "/api/v1/events?\(query)", method: .get, headers: fields)
        }.status.code
    }

    /// A request whose response is never read leaves no listener behind.
    @Test func aRequestForTheHeadDoesNotListen() async throws {
        let table = EndpointTable(
            EventEndpoints(journal: journal, kinds: Features.eventKinds, authority: authority).endpoints,
            authority: authority)
        let response = try await Application(router: table.router()).test(.router) { client in
            try await client.execute(uri: "/api/v1/events", method: .head)
        }
        #expect(response.status == .ok && response.headers[.contentType]?.hasPrefix("text/event-stream") == true)
        #expect(journal.listenerCount == 0)
    }

    /// Behind a proxy on another machine, all connections have the proxy's address.
    @Test func listenersCountByTheClientThatAProxyNames() async throws {
        let proxied = RequestAuthority(
            token: TestOperator.token, accounts: fixture.accounts,
            proxies: TrustedProxies([try #require(AddressRange(parsing: "127.0.0.1"))], field: .xForwardedFor),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        let table = EndpointTable(
            EventEndpoints(journal: journal, kinds: Features.eventKinds, authority: proxied).endpoints,
            authority: proxied)
        let client = AddressGroup(try SocketAddress(ipAddress: "203.0.113.9", port: 1))
        let listeners = try (0..<EventJournal.maximumListenerCountPerClient).map { _ in
            try journal.listen(by: client)
        }
        defer { for listener in listeners { listener.end() } }
        let forwarded = try #require(HTTPField.Name("X-Forwarded-For"))
        let statuses = try await Application(router: table.router()).test(.live) { http in
            var statuses: [Int] = []
            for address in ["203.0.113.9", "203.0.113.10"] {
                // A request for the head needs a place and keeps none.
                let answer = try await http.execute(
                    uri: "/api/v1/events", method: .head, headers: [forwarded: address])
                statuses.append(answer.status.code)
            }
            return statuses
        }
        #expect(statuses.first.map { $0 >= 400 } == true && statuses.last == 200, "\(statuses)")
    }

    @Test func whatMakesNoSenseIsRefused() async throws {
        for query in ["types=chan", "types=channel.up,x", "resource=canalA", "resource=film/a", "after=x", "after=-1"] {
            #expect(try await status(query) == 422, "\(query)")
        }
        #expect(try await status("", [HTTPField.Name("Last-Event-ID") ?? .cookie: "7a"]) == 422)
        #expect(try await status("", [.authorization: "Bearer wrong"]) == 401)
    }
}
