import Accounts
import Database
import DatabaseTestSupport
import Events
import GatewayTestSupport
import JSONDocument
import MediaCore
import TestSupport
import Testing

@testable import Webhooks

/// Receivers, their owners and their log.
@Suite(.eachEngine) struct WebhooksTests {
    private let fixture: WebhookFixture

    init() async throws { fixture = try await WebhookFixture() }

    private var webhooks: Webhooks { fixture.webhooks }
    private static let machine = WebhookFixture.machine

    private func caller(_ name: String, _ role: Role = .member) async throws -> Caller {
        Caller(try await fixture.accounts.session(name, role).principal, TestAccounts.origin)
    }

    private func code(_ body: () async throws -> Void) async -> Refusal.Code? {
        await Refusal.of(body)?.code
    }

    @Test func anAccountHasReceiversOfItsOwnAndAdministratorsHaveAll() async throws {
        let (ana, eva) = (try await caller("ana"), try await caller("eva"))
        let admin = try await caller("root", .administrator)
        let settings = WebhookSettings(url: WebhookFixture.url, summary: "mine")
        let (own, _) = try await webhooks.create(settings, by: ana)
        let (station, _) = try await fixture.add()
        #expect(try await webhooks.receivers(by: ana).items.map(\.id) == [own.id])
        #expect(try await webhooks.receivers(by: eva).items.isEmpty)
        #expect(try await webhooks.receivers(by: admin).items.map(\.id) == [station.id, own.id])
        for id in [own.id, station.id, OpaqueID()] {
            #expect(await code { _ = try await webhooks.receiver(id, by: eva) } == .notFound)
            #expect(await code { _ = try await webhooks.remove(id, by: eva) } == .notFound)
            #expect(await code { _ = try await webhooks.test(id, by: eva) } == .notFound)
            #expect(await code { _ = try await webhooks.deliveries(of: id, by: eva) } == .notFound)
            #expect(await code { _ = try await webhooks.rotateSecret(of: id, by: eva) } == .notFound)
            let change = WebhookChange()
            #expect(await code { _ = try await webhooks.change(id, change, from: nil, by: eva) } == .notFound)
            #expect(await code { _ = try await webhooks.replay(OpaqueID(), of: id, by: eva) } == .notFound)
        }
        let evaID = try #require(eva.principal.member?.id)
        #expect(await code { _ = try await webhooks.create(settings, for: evaID, by: ana) } == .forbidden)
        #expect(try await webhooks.create(settings, for: evaID, by: admin).receiver.owner == evaID)
        let stranger = Caller(.anonymous, TestAccounts.origin)
        #expect(await code { _ = try await webhooks.create(settings, by: stranger) } == .loginNeeded)
        #expect(await code { _ = try await webhooks.receivers(by: stranger) } == .loginNeeded)
        try await webhooks.remove(own.id, by: ana)
        #expect(try await webhooks.receivers(by: ana).items.isEmpty)
    }

    /// A receiver sees what its owner may read, so a token that may do less must not make one.
    @Test func aTokenWithLessThanItsOwnersRightsHasNoReceivers() async throws {
        let session = try await fixture.accounts.session("ana", .broadcaster)
        let settings = WebhookSettings(url: WebhookFixture.url)
        for scope in [
            Scope(actions: ActionSet([.read])), Scope(actions: ActionSet([.publish])),
            Scope(actions: .all, channels: ["canalA"]),
        ] {
            let token = try await fixture.accounts.token(session, scope)
            let principal = try #require(
                try await fixture.accounts.accounts.principal(bearer: token.secret.text, from: TestAccounts.origin))
            let caller = Caller(principal, TestAccounts.origin)
            #expect(await code { _ = try await webhooks.create(settings, by: caller) } == .forbidden)
            #expect(await code { _ = try await webhooks.receivers(by: caller) } == .forbidden)
        }
        let full = try await fixture.accounts.token(session)
        let principal = try #require(
            try await fixture.accounts.accounts.principal(bearer: full.secret.text, from: TestAccounts.origin))
        _ = try await webhooks.create(settings, by: Caller(principal, TestAccounts.origin))
    }

    /// Imports reach the network of a server that allows it; who may not import must not reach it by a webhook.
    @Test func onlyWhoMayImportChoosesAddressesOnAServerThatReachesItsNetwork() async throws {
        let open = try await WebhookFixture(allowsPrivateAddresses: true)
        func caller(_ name: String, _ role: Role) async throws -> Caller {
            Caller(try await open.accounts.session(name, role).principal, TestAccounts.origin)
        }
        let settings = WebhookSettings(url: "http://127.0.0.1/")
        let (ana, eva) = (try await caller("ana", .member), try await caller("eva", .broadcaster))
        #expect(await code { _ = try await open.webhooks.create(settings, by: ana) } == .forbidden)
        _ = try await open.webhooks.create(settings, by: eva)
        let anaID = try #require(ana.principal.member?.id)
        let (own, _) = try await open.webhooks.create(settings, for: anaID, by: Self.machine)
        var change = WebhookChange()
        change.summary = "mine"
        #expect(try await open.webhooks.change(own.id, change, from: nil, by: ana).summary == "mine")
        change.url = "http://192.168.0.1/"
        let moved = change
        #expect(
            await code { _ = try await open.webhooks.change(own.id, moved, from: nil, by: ana) } == .forbidden)
    }

    @Test func addressesAndFiltersAreChecked() async throws {
        for url in [
            "http://example.org/", "ftp://example.org/", "https://", "https:///x", "https://user:pw@example.org/", "x",
            "", "https://example.org/#x", "https://example.org/\nx", "https://exämple.org/", "https://example.org:0/",
            "https://example.org/" + String(repeating: "x", count: WebhookReceiver.maximumURLByteCount),
        ] {
            let settings = WebhookSettings(url: url)
            #expect(
                await code { _ = try await webhooks.create(settings, by: Self.machine) } == .invalidField, "\(url)")
        }
        var wrong = WebhookSettings(url: WebhookFixture.url)
        wrong.filter.types = ["chan"]
        let unknown = wrong
        #expect(await code { _ = try await webhooks.create(unknown, by: Self.machine) } == .invalidField)
        let (added, _) = try await fixture.add {
            $0.filter.types = ["channel.up", "title"]
            $0.filter.subject = EventSubject(.channel, "canalA")
        }
        #expect(added.filter.types == ["channel.up", "title"] && added.filter.subject?.name == "canalA")
        await fixture.happen(["canalB", "canalA"])
        await fixture.dispatcher.turn()
        #expect(fixture.receiver.messages.map(\.subject) == ["canalA"])
    }

    @Test func oneOfTwoChangesAtTheSameTimeIsRefused() async throws {
        let (added, _) = try await fixture.add()
        var change = WebhookChange()
        (change.summary, change.types, change.subject) = ("new", ["title"], .some(EventSubject(.title, "film")))
        let changed = try await webhooks.change(added.id, change, from: [added.revision], by: Self.machine)
        let revision = changed.revision
        #expect(revision > added.revision && changed.summary == "new" && changed.filter.subject?.name == "film")
        let late = change
        #expect(
            await code { _ = try await webhooks.change(added.id, late, from: [added.revision], by: Self.machine) }
                == .changedMeanwhile)
        var reset = WebhookChange()
        reset.subject = .some(nil)
        let last = try await webhooks.change(added.id, reset, from: [revision - 1, revision], by: Self.machine)
        #expect(last.filter.subject == nil && last.filter.types == ["title"])
        // What the server itself notes is not a change by somebody.
        await fixture.happen(["canalA"])
        await fixture.dispatcher.turn()
        #expect(try await fixture.current(added.id).receiver.revision == last.revision)
    }

    @Test func receiversAreBounded() async throws {
        let ana = try await caller("ana")
        let settings = WebhookSettings(url: WebhookFixture.url)
        for _ in 0..<WebhookReceiver.maximumCountPerOwner { _ = try await webhooks.create(settings, by: ana) }
        #expect(await code { _ = try await webhooks.create(settings, by: ana) } == .tooMany)
        let page = try await webhooks.receivers(limit: 15, by: ana)
        let rest = try await webhooks.receivers(after: page.next, limit: 15, by: ana)
        #expect(page.items.count == 15 && rest.items.count == 5 && rest.next == nil)
        #expect(Set((page.items + rest.items).map(\.id)).count == 20)
        #expect(await code { _ = try await webhooks.receivers(after: "x", by: ana) } == .invalidCursor)
    }

    @Test func aTestIsSentAtOnceAndLogged() async throws {
        let (added, _) = try await fixture.add()
        let good = try await webhooks.test(added.id, by: Self.machine)
        #expect(good.state == .delivered && good.status == 204 && good.type == "webhook.test" && good.attemptCount == 1)
        fixture.receiver.answer { _ in .failed(reason: "connection\nrefused") }
        let bad = try await webhooks.test(added.id, by: Self.machine)
        #expect(bad.state == .failed && bad.error == #"connection\nrefused"# && bad.status == nil)
        #expect(try await fixture.log(added.id).map(\.id) == [bad.id, good.id])
        await fixture.pass(.seconds(60))
        #expect(fixture.receiver.messages.count == 2)
        #expect(await code { _ = try await webhooks.replay(bad.id, of: added.id, by: Self.machine) } == .conflict)
    }

    @Test func theLogIsBoundedByCountAndTime() async throws {
        let (added, _) = try await fixture.add()
        let (count, excess) = (WebhookDelivery.maximumLoggedCount, 7)
        await fixture.happen((0..<(count + excess)).map { "c\($0 % 50)" })
        await fixture.pass(.seconds(60))
        fixture.receiver.answer(status: 500)
        await fixture.happen(["canalA"])
        await fixture.dispatcher.turn()
        #expect(fixture.receiver.acknowledged.count == count + excess)
        try await webhooks.maintain()
        func rows() async throws -> Int? {
            try await fixture.database.read { db in try db.firstValue("SELECT count(*) FROM webhookDelivery") }
        }
        #expect(try await rows() == count + 1)
        #expect(try await fixture.log(added.id, .pending).count == 1)
        fixture.clock.advance(by: WebhookDelivery.logRetention + .seconds(1))
        try await webhooks.maintain()
        #expect(try await rows() == 1, "what waits stays")
    }

    @Test func theDatabaseDoesNotShowTheSecretAndTheAuditLogDoesNotShowThePath() async throws {
        let (added, secret) = try await fixture.add { $0.url = "https://example.org/hook?key=hunter2" }
        let bytes: [UInt8]? = try await fixture.database.read { db in
            try db.firstValue("SELECT secret FROM webhookReceiver WHERE id = ?1", .text(added.id.text))
        }
        let sealed = try #require(bytes)
        #expect(sealed.count > secret.bytes.count && !sealed.starts(with: secret.bytes))
        #expect(SealedWebhookSecret.open(sealed, of: added.id, with: fixture.key) == secret)
        #expect(SealedWebhookSecret.open(sealed, of: OpaqueID(), with: fixture.key) == nil)
        #expect("\(secret)" == "secret (webhook)" && !String(reflecting: secret).contains(secret.text))
        let log = try await fixture.accounts.accounts.auditLog().items
        let entry = try #require(log.first { $0.event == "webhook.created" })
        #expect(entry.after == "\(added.id): example.org")
    }

    /// The queries of every second and of each message must not read a table from end to end.
    @Test func whatIsAskedForOftenUsesAnIndex() async throws {
        // PostgreSQL reads small tables from end to end, because that is faster.
        guard TestEngine.current == .sqlite else { return }
        let now = SQLValue.time(fixture.clock.time)
        for (sql, arguments, index) in [
            (DeliveryRows.dueQuery, ["r", now, 4], "webhookDelivery_due"),
            (
                "SELECT id FROM webhookReceiver WHERE leaseHolder = ?1 AND EXISTS (\(DeliveryRows.dueMark))",
                ["holder", now], "webhookDelivery_due"
            ),
            (DeliveryRows.firstQuery, ["r", "channel", "canalA"], "webhookDelivery_order"),
            (
                "SELECT count(*) FROM webhookDelivery WHERE receiverID = ?1 AND state = 'pending'", ["r"],
                "webhookDelivery_"
            ),
        ] as [(String, [SQLValue], String)] {
            let plan = try await fixture.database.read { db in try db.plan(of: sql, arguments) }
            #expect(plan.contains { $0.contains(index) }, "\(plan)")
            #expect(!plan.contains { $0.contains("SCAN webhookDelivery") }, "\(plan)")
        }
    }
}
