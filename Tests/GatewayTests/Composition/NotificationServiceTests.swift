import Accounts
import Catalogue
import Community
import Crypto
import Database
import DatabaseTestSupport
import Events
import Forum
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import JSONDocument
import Logging
import Mail
import MediaCore
import NIOCore
import NIOPosix
import Notifications
import TestSupport
import Testing
import VideoClub
import Webhooks
import Workflows

@testable import Features
@testable import Gateway

/// The service that tells members, with clocks that the test moves, and what arrives at the end: mail at a mail server,
/// and messages at a webhook.
@Suite(.eitherEngine, .timeLimit(.minutes(2))) struct NotificationServiceTests {
    private let fixture: TestAccounts
    private let catalogue: Catalogue
    private let community: Community
    private let club: VideoClub
    private let journal: EventJournal
    private let webhooks: Webhooks
    private let dispatcher: WebhookDispatcher
    private let receiver: ScriptedReceiver
    private let notifications: Notifications
    /// Measures the intervals of the service; that of ``fixture`` tells the time of day.
    private let clock = SteppedClock()

    private static let address = "https://tv.example.org"
    private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        fixture = try await TestAccounts { $0.issuer = "Televisión Uno" }
        let (database, wallClock, accounts) = (fixture.database, fixture.clock.wallClock, fixture.accounts)
        let logger = Self.logger
        catalogue = try await Catalogue.open(database, program: "test")
        community = try await Community.open(database, program: "test", wallClock: wallClock)
        club = try await VideoClub.open(database, program: "test", wallClock: wallClock)
        journal = try await EventJournal.open(database, program: "test", wallClock: wallClock, logger: logger)
        receiver = ScriptedReceiver(fixture.clock)
        webhooks = try await Webhooks.open(
            database, program: "test", journal: journal, kinds: Features.eventKinds, accounts: accounts,
            sender: receiver,
            key: SymmetricKey(size: .bits256), allowsPrivateAddresses: false, wallClock: wallClock)
        dispatcher = WebhookDispatcher(webhooks, holder: "one", logger: logger, factor: { 1 })
        _ = try await Forum.open(database, community: community, program: "test")
        notifications = try await Notifications.open(
            database, program: "test", accounts: accounts, key: SymmetricKey(size: .bits256), wallClock: wallClock
        ) { db in try Webhooks.owners(wanting: .notificationCreated, about: .member, db) }
        community.observeDeeds { [notifications] deed, time, db in try notifications.note(deed, at: time, db) }
    }

    // MARK: Helpers

    private func id(_ caller: Caller) throws -> UserID { try #require(caller.principal.member).id }

    private func publish(_ title: String, by caller: Caller) async throws -> Video {
        _ = try await catalogue.add(InMemoryContent.title(title))
        return try await community.publish(VideoContents(name: title), title: title, by: caller)
    }

    private func kinds(_ caller: Caller) async throws -> [NotificationKind] {
        try await notifications.notifications(of: try id(caller)).page.items.map(\.kind)
    }

    /// Runs the service while a test looks at it. The service ends when it is cancelled.
    ///
    /// - Parameters:
    ///   - server: the notifications and the journal of another server with the same database; `nil` for those of the
    ///     test.
    ///   - mails: makes mails; `nil` for a server that sends none.
    ///   - body: the test.
    private func serving(
        _ server: (notifications: Notifications, journal: EventJournal)? = nil, mails: NotificationMails? = nil,
        _ body: () async throws -> Void
    ) async throws {
        let (notifications, journal) = server ?? (notifications, journal)
        let changes = DatabaseChanges(fixture.database, clock: clock)
        let service = NotificationService(
            notifications: notifications, journal: journal,
            triggers: NotificationTriggers(
                notifications, journal: journal, club: club, liveType: .channelUp,
                channelTitle: { $0 == "canalB" ? "Second channel" : nil }),
            mails: mails, push: nil, changes: changes, steadiness: .assumed, logger: Self.logger, clock: clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await service.run() }
            group.addTask { await changes.run() }
            group.addTask { await journal.run(after: changes) }
            try await body()
            group.cancelAll()
        }
    }

    /// Lets seconds pass for the service until something has happened.
    private func secondsPass(until condition: () async throws -> Bool) async throws {
        try await eventually {
            clock.advance(by: .seconds(1))
            return try await condition()
        }
    }

    // MARK: Tests

    @Test func deedsAreToldWithinASecondAndDevicesHearOfThem() async throws {
        let (ana, leo) = (try await fixture.caller("ana"), try await fixture.caller("leo"))
        let stream = try await notifications.stream(of: try id(leo))
        try await serving {
            _ = try await publish("a", by: ana)
            try await secondsPass { try await kinds(leo) == [.newVideo] }
            var signals = stream.signals.makeAsyncIterator()
            async let signal = signals.next()
            clock.advance(by: .seconds(2))
            #expect(await signal == .changed)
        }
    }

    @Test func channelsAndRentalsAreToldOnceAndWhatWasBeforeTheFirstStartIsNot() async throws {
        let leo = try await fixture.caller("leo")
        func goLive(_ name: String, _ journal: EventJournal) {
            journal.note(NewEvent(.channelUp, EventSubject(.channel, name), at: fixture.clock.time))
        }
        goLive("canalA", journal)
        await journal.flush()
        _ = try await catalogue.add(InMemoryContent.title("film"))
        let revision = try await club.terms(of: "film").revision
        _ = try await club.setTerms(of: "film", from: [revision], by: TestAccounts.machine) { $0.price = 1 }
        _ = try await club.give(1, .topUp, to: try id(leo), key: nil, by: TestAccounts.machine)
        let rental = try await club.rent("film", key: nil, by: leo).rental
        let end = try #require(try await club.activate(rental.id, by: leo).endsAt)
        func told(_ kind: NotificationKind) async throws -> [Int64] {
            try await notifications.notifications(of: try id(leo)).page.items.filter { $0.kind == kind }.map(\.count)
        }
        try await serving {
            try await secondsPass { try await notifications.journalPosition() == journal.lastNumber }
            #expect(try await told(.channelLive).isEmpty)
            goLive("canalB", journal)
            try await secondsPass { try await told(.channelLive) == [1] }
            #expect(try await told(.rentalEnding).isEmpty)
            fixture.clock.set(end - .seconds(600))
            try await secondsPass { try await told(.rentalEnding) == [1] }
            for _ in 0..<130 { clock.advance(by: .seconds(1)) }
        }
        // This server after a restart goes on where it was.
        let next = try await EventJournal.open(
            fixture.database, program: "test", wallClock: fixture.clock.wallClock, logger: Self.logger)
        let restarted = try await Notifications.open(
            fixture.database, program: "test", accounts: fixture.accounts, key: SymmetricKey(size: .bits256),
            wallClock: fixture.clock.wallClock)
        try await serving((restarted, next)) {
            goLive("canalC", next)
            try await secondsPass {
                let notified = try await notifications.notifications(of: try id(leo)).page.items
                return notified.flatMap(\.items).contains { $0.name == "canalC" }
            }
        }
        let items = try await notifications.notifications(of: try id(leo)).page.items
            .filter { $0.kind == .channelLive }.flatMap(\.items)
        #expect(items.compactMap(\.channel).sorted() == ["canalB", "canalC"])
        // A channel that the server does not have any more has no other name.
        #expect(items.compactMap(\.name).sorted() == ["Second channel", "canalC"])
        #expect(try await told(.rentalEnding) == [1])
    }

    @Test func aMailArrivesAndOneRequestOfItsReaderEndsMails() async throws {
        let ana = try await fixture.caller("ana")
        _ = try await fixture.accounts.createAccount(
            Registration(username: "leo", email: "leo@example.org", password: TestAccounts.password), role: .member,
            by: TestAccounts.machine)
        let leo = try await community.member(named: "leo")
        try await fixture.database.write { db in
            try db.execute("UPDATE account SET emailConfirmedAt = 0 WHERE id = ?1", .text(leo.text))
        }
        _ = try await notifications.changePreferences(of: leo, language: "es") { $0[.newVideos] = [.site, .mail] }
        let server = try await ScriptedSMTPServer()
        let queue = MailQueue(
            try SMTPClient(
                address: try SMTPServerAddress(parsing: "smtp://127.0.0.1:\(server.port)"), credential: nil,
                helloName: "tv.example.org", group: MultiThreadedEventLoopGroup.singleton),
            clock: ContinuousClock(), logger: Self.logger)
        let mails = NotificationMails(
            notifications: notifications, siteName: { "Televisión Uno" },
            publicAddress: try #require(PublicAddress(parsing: Self.address)), from: try MailAddress("tv@example.org"),
            queue: NotificationMailQueue(waitingCount: { queue.count }) { queue.add($0) })
        try await serving(mails: mails) {
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await queue.run() }
                for name in ["a", "b"] { _ = try await publish(name, by: ana) }
                // Both are told in one notification; a mail that leaves before the second one is followed by another.
                try await secondsPass {
                    try await notifications.notifications(of: leo).page.items.map(\.count) == [2]
                }
                for _ in 0..<20 { clock.advance(by: .seconds(1)) }
                #expect(server.mails.isEmpty, "the hour is not over")
                fixture.clock.advance(by: notifications.settings.window)
                try await secondsPass { server.mails.count == 1 }
                let mail = try #require(server.mails.first)
                #expect(mail.contains("To: leo@example.org\r\n") && mail.contains("Content-Language: es\r\n"))
                #expect(mail.contains("List-Unsubscribe-Post: List-Unsubscribe=One-Click\r\n"))
                let header = mail.firstMatch(of: /List-Unsubscribe: <https:\/\/tv\.example\.org([^>\s]+)>\r\n/)
                let path = String(try #require(header?.1))
                // A link that a scanner of mails opens ends nothing; the request of a mail program does (RFC 8058
                // §3.2).
                #expect(try await status(.get, path) == .ok)
                #expect(try await notifications.preferences(of: leo)[.newVideos].contains(.mail))
                #expect(try await status(.post, path, "List-Unsubscribe=One-Click") == .ok)
                #expect(try await notifications.preferences(of: leo)[.newVideos] == .site)
                _ = try await publish("c", by: ana)
                try await secondsPass { try await notifications.unreadCount(of: leo) == 2 }
                fixture.clock.advance(by: notifications.settings.window)
                for _ in 0..<20 { clock.advance(by: .seconds(1)) }
                let waitingMails = try await notifications.takeMail(limit: 1)
                #expect(waitingMails.isEmpty && server.mails.count == 1, "\(waitingMails) \(server.mails)")
                group.cancelAll()
            }
        }
        try await server.close()
    }

    /// Sends a request without a cookie, as mail programs do.
    private func status(
        _ method: HTTPRequest.Method, _ path: String, _ body: String? = nil
    ) async throws -> HTTPResponse.Status {
        let table = EndpointTable.serving(
            InMemoryContent(), authority: TestOperator.authority(fixture.accounts), with: community, notifications)
        return try await Application(router: table.router()).test(.router) { client in
            try await client.execute(
                uri: path, method: method, headers: [.contentType: "application/x-www-form-urlencoded"],
                body: body.map { ByteBuffer(string: $0) }
            ).status
        }
    }

    @Test func aWebhookIsSentWhatItsOwnerIsToldOnceInAWindowAndNobodyElseHearsIt() async throws {
        let (ana, leo) = (try await fixture.caller("ana"), try await fixture.caller("leo"))
        let root = try await fixture.caller("root", .administrator)
        let members = ["https://example.org/leo": try id(leo).text, "https://example.org/root": try id(root).text]
        func add(_ name: String, by caller: Caller, _ types: Set<String>) async throws -> WebhookSecret {
            var settings = WebhookSettings(url: "https://example.org/\(name)")
            settings.filter.types = types
            return try await webhooks.create(settings, by: caller).secret
        }
        let secret = try await add("leo", by: leo, ["notification"])
        _ = try await add("channels-of-leo", by: leo, ["channel"])
        // Neither the station nor an administrator hears what other members are told.
        _ = try await add("station", by: TestAccounts.machine, [])
        _ = try await add("root", by: root, [])
        _ = try await notifications.changePreferences(of: try id(leo)) { $0[.aboutMe] = [.site] }
        func messages(to name: String) -> [ScriptedReceiver.Message] {
            receiver.messages.filter {
                $0.data?["type"]?.string == "notification.created" && $0.request.url == "https://example.org/\(name)"
            }
        }
        try await serving {
            for name in ["a", "b", "c"] { _ = try await publish(name, by: ana) }
            _ = try await community.setFollow(true, "leo", by: ana)
            try await secondsPass {
                await dispatcher.turn()
                return try await notifications.unreadCount(of: try id(leo)) == 2 && !messages(to: "leo").isEmpty
                    && !messages(to: "root").isEmpty
            }
            _ = try await publish("d", by: ana)
            try await secondsPass { try await notifications.waitingCount() == 0 }
            for _ in 0..<5 {
                clock.advance(by: .seconds(1))
                await journal.flush()
                await dispatcher.turn()
            }
            let message = try #require(messages(to: "leo").first)
            #expect(messages(to: "leo").count == 1 && messages(to: "root").count == 1)
            let told = try await notifications.notifications(of: try id(leo)).page.items
            let video = try #require(told.first { $0.kind == .newVideo })
            #expect(message.data?["notification"]?.string == video.id.text)
            #expect(message.data?["page"]?.string == "/comunidad/avisos/\(video.id)")
            #expect(message.data?["kind"]?.string == "new-video" && message.data?["group"]?.string == "newVideos")
            #expect(!message.request.body.contains("\"ana\""), "names may change while the log has them")
            try WebhookVerification(secret).check(
                id: message.field("webhook-id"), timestamp: message.field("webhook-timestamp"),
                signatures: message.field("webhook-signature"), body: Array(message.request.body.utf8),
                at: fixture.clock.time)
            // The next window is another message.
            fixture.clock.advance(by: notifications.settings.window)
            _ = try await publish("e", by: ana)
            try await secondsPass {
                await dispatcher.turn()
                return messages(to: "leo").count == 2 && messages(to: "root").count == 2
            }
        }
        let told = receiver.messages.filter { $0.data?["type"]?.string == "notification.created" }
        #expect(told.count == 4 && told.allSatisfy { members[$0.request.url] == $0.data?["member"]?.string })
        // Ana has no webhook, so the journal has nothing for her.
        let journalled = try await journal.missed(after: 0, through: journal.lastNumber).events
        #expect(journalled.filter { $0.type == .notificationCreated }.count == 4)
    }
}
