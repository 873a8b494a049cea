import Accounts
import Crypto
import Database
import DatabaseTestSupport
import Events
import Foundation
import GatewayTestSupport
import JSONDocument
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Webhooks

/// The messages to receivers, and their times.
@Suite(.eachEngine) struct WebhookDispatcherTests {
    private let fixture: WebhookFixture

    init() async throws { fixture = try await WebhookFixture() }

    private var receiver: ScriptedReceiver { fixture.receiver }
    private var clock: TestClock { fixture.clock }

    @Test func aReceiverIsSentWhatHappensFromThenOnSigned() async throws {
        await fixture.happen(["before"])
        let (added, secret) = try await fixture.add()
        await fixture.happen(["canalA", "canalB", "canalA"])
        await fixture.dispatcher.turn()
        #expect(receiver.messages.map(\.subject).sorted() == ["canalA", "canalA", "canalB"])
        #expect(receiver.messages.filter { $0.subject == "canalA" }.map(\.text) == ["canalA 0", "canalA 2"])
        let message = try #require(receiver.messages.first)
        #expect(message.request.url == WebhookFixture.url && message.id.hasPrefix("msg_"))
        let body = try JSONParser.parse(Array(message.request.body.utf8))
        #expect(body["type"]?.string == "channel.up" && body["timestamp"]?.string == "2026-01-01T00:00:00.000Z")
        #expect(body["data"]?["id"]?.string != nil && body["data"]?["type"]?.string == "channel.up")
        let timestamp = message.field("webhook-timestamp")
        #expect(timestamp == String(clock.time.secondsSince1970))
        // Verified without the code that signs.
        let bytes = try #require(Data(base64Encoded: String(secret.text.dropFirst("whsec_".count))))
        let code = HMAC<SHA256>.authenticationCode(
            for: Data("\(message.id).\(timestamp).\(message.request.body)".utf8), using: SymmetricKey(data: bytes))
        #expect(message.field("webhook-signature") == "v1,\(Data(code).base64EncodedString())")
        let log = try await fixture.log(added.id)
        #expect(log.count == 3 && log.allSatisfy { $0.state == .delivered && $0.status == 204 && $0.error == nil })
        #expect(Set(receiver.messages.map(\.id)).count == 3)
        // Nothing is sent twice.
        await fixture.pass(.seconds(120), every: .seconds(20))
        #expect(receiver.messages.count == 3)
    }

    @Test func aLaterMessageWaitsForTheEarlierOneAboutTheSameResourceAndOthersGoOn() async throws {
        try await fixture.add()
        receiver.answer {
            $0.subject == "canalA" ? .answered(status: 500, retryAfter: nil) : .answered(status: 200, retryAfter: nil)
        }
        await fixture.happen(["canalA", "canalA", "canalB", "canalB", "canalA"])
        await fixture.pass(.seconds(30))
        #expect(receiver.acknowledged.map(\.text) == ["canalB 2", "canalB 3"])
        #expect(Set(receiver.messages.filter { $0.subject == "canalA" }.map(\.text)) == ["canalA 0"])
        receiver.answer(status: 200)
        await fixture.pass(.seconds(60))
        #expect(
            receiver.acknowledged.filter { $0.subject == "canalA" }.map(\.text) == ["canalA 0", "canalA 1", "canalA 4"])
    }

    @Test func delaysGrowFromFiveSecondsToHoursAndTheMessageIsGivenUpAfterADay() async throws {
        let (added, _) = try await fixture.add()
        receiver.answer { _ in .failed(reason: "connection refused") }
        await fixture.happen(["canalA"])
        let begin = clock.time
        await fixture.dispatcher.turn()
        await fixture.pass(.seconds(700), every: .seconds(5))
        await fixture.pass(.seconds(25 * 3_600), every: .seconds(100))
        let times = receiver.messages.map { Int64(($0.time - begin).seconds) }
        #expect(times.prefix(8) == [0, 5, 15, 35, 75, 155, 315, 635])
        let delays = zip(times, times.dropFirst()).map { $1 - $0 }
        #expect(delays.allSatisfy { $0 <= 4 * 3_600 } && delays.contains(4 * 3_600) && times.last == 86_400)
        #expect(Set(receiver.messages.map(\.id)).count == 1, "the ID is the same for all attempts")
        #expect(Set(receiver.messages.map { $0.field("webhook-timestamp") }).count == times.count)
        let entry = try #require(try await fixture.log(added.id, .failed).first)
        #expect(entry.attemptCount == times.count && entry.error == "connection refused" && entry.status == nil)
        #expect(fixture.webhooks.counters.withLock(\.givenUpCount) == 1)
        // The next one about the resource has its turn.
        receiver.answer(status: 200)
        await fixture.happen(["canalA"], from: 7)
        await fixture.dispatcher.turn()
        #expect(receiver.acknowledged.map(\.text) == ["canalA 7"])
        #expect(try await fixture.current(added.id).receiver.failingSince == nil)
    }

    @Test func aReceiverThatIsDownForAnHourGetsEverythingInOrder() async throws {
        let (added, _) = try await fixture.add()
        receiver.answer { _ in .failed(reason: "connection refused") }
        var count = 0
        for _ in 0..<60 {
            await fixture.happen(["canalA", "canalB", "canalC"], from: count)
            count += 3
            await fixture.pass(.seconds(60), every: .seconds(30))
        }
        #expect(receiver.acknowledged.isEmpty)
        #expect(try await fixture.current(added.id).pendingCount == count)
        receiver.answer(status: 200)
        await fixture.pass(.seconds(4_000), every: .seconds(20))
        #expect(receiver.acknowledged.count == count && Set(receiver.acknowledged.map(\.id)).count == count)
        for channel in ["canalA", "canalB", "canalC"] {
            let numbers = receiver.acknowledged.filter { $0.subject == channel }.compactMap { $0.data?["n"]?.integer }
            #expect(numbers == numbers.sorted() && numbers.count == 60)
        }
        #expect(try await fixture.current(added.id).pendingCount == 0)
    }

    /// A server that was killed at any time: another one with the same database goes on, and nothing is lost.
    @Test func whatWasNotAcknowledgedIsSentAfterARestart() async throws {
        try await fixture.add()
        receiver.answer { _ in .failed(reason: "connection refused") }
        await fixture.happen(["canalA", "canalB"])
        await fixture.dispatcher.turn()
        // These are in the journal, and not queued.
        await fixture.happen(["canalA", "canalB"], from: 2)
        receiver.answer(status: 200)
        let (_, _, other) = try await fixture.otherServer("two")
        await fixture.pass(.seconds(10), every: .seconds(2), other)
        #expect(receiver.acknowledged.isEmpty, "the lease has not ended")
        await fixture.pass(.seconds(60), every: .seconds(2), other)
        #expect(receiver.acknowledged.map(\.text).sorted() == ["canalA 0", "canalA 2", "canalB 1", "canalB 3"])
    }

    @Test func twoServersDoNotSendTheSameMessage() async throws {
        for _ in 0..<4 { try await fixture.add() }
        let (journal, _, other) = try await fixture.otherServer("two")
        for round in 0..<5 {
            await fixture.happen(["canalA", "canalB"], from: 2 * round)
            await journal.flush()
            clock.advance(by: .seconds(1))
            async let one: Void = fixture.dispatcher.turn()
            async let two: Void = other.turn()
            _ = await (one, two)
        }
        await fixture.pass(.seconds(5))
        #expect(receiver.messages.count == 4 * 10 && Set(receiver.messages.map(\.id)).count == 4 * 10)
        // One that stops in order is replaced at once.
        await fixture.dispatcher.release()
        await fixture.happen(["canalC"])
        await journal.flush()
        await other.turn()
        #expect(receiver.messages.count == 4 * 11)
    }

    @Test func theQueueIsBoundedAndTheRestWaitsInTheJournal() async throws {
        let (added, _) = try await fixture.add()
        receiver.answer(status: 500)
        let limit = WebhookDelivery.maximumPendingCount
        await fixture.happen((0..<(limit + 300)).map { "c\($0 % 3)" })
        await fixture.pass(.seconds(3))
        #expect(try await fixture.current(added.id).pendingCount == limit)
        receiver.answer(status: 200)
        await fixture.pass(.seconds(120))
        #expect(receiver.acknowledged.count == limit + 300)
        for channel in ["c0", "c1", "c2"] {
            let numbers = receiver.acknowledged.filter { $0.subject == channel }.compactMap { $0.data?["n"]?.integer }
            #expect(numbers == numbers.sorted())
        }
    }

    @Test func theLogSaysHowManyEventsTheJournalHasLost() async throws {
        let (added, _) = try await fixture.add()
        var off = WebhookChange()
        off.isEnabled = false
        _ = try await fixture.webhooks.change(added.id, off, from: nil, by: WebhookFixture.machine)
        await fixture.happen(["canalA", "canalA", "canalA"])
        await fixture.dispatcher.turn()
        #expect(receiver.messages.isEmpty)
        clock.advance(by: .seconds(8 * 86_400))
        await fixture.happen(["canalB"], from: 3)
        try await fixture.journal.maintain()
        // A journal that remembers the events is not asked for them; this one has started since.
        let (_, webhooks, dispatcher) = try await fixture.otherServer("two")
        var on = WebhookChange()
        on.isEnabled = true
        _ = try await webhooks.change(added.id, on, from: nil, by: WebhookFixture.machine)
        await dispatcher.turn()
        #expect(receiver.acknowledged.map(\.text) == ["canalB 3"])
        let missed = try await fixture.log(added.id, .missed)
        #expect(missed.map(\.missedCount) == [3])
        await fixture.pass(.seconds(3), dispatcher)
        #expect(try await fixture.log(added.id, .missed).count == 1)
    }

    @Test func aReceiverThatIsGoneIsDisabledAtOnceAndOneThatFailsAfterDays() async throws {
        let (gone, _) = try await fixture.add()
        receiver.answer(status: 410)
        await fixture.happen(["canalA", "canalA"])
        await fixture.pass(.seconds(60))
        #expect(receiver.messages.count == 1)
        #expect(try await fixture.current(gone.id).receiver.disabledReason == .gone)
        try await fixture.webhooks.remove(gone.id, by: WebhookFixture.machine)
        receiver.forget()
        let (failing, _) = try await fixture.add()
        receiver.answer(status: 500)
        for day in 0..<6 {
            await fixture.happen(["canalA"], from: day)
            await fixture.pass(.seconds(86_400), every: .seconds(1_200))
        }
        let current = try await fixture.current(failing.id).receiver
        #expect(current.disabledReason == .failing)
        let last = try #require(receiver.messages.last)
        #expect(last.time - failing.createdAt >= WebhookReceiver.maximumFailingTime)
        // Somebody repairs it: what was not given up is sent, with what has happened since.
        receiver.answer(status: 200)
        receiver.forget()
        var on = WebhookChange()
        on.isEnabled = true
        _ = try await fixture.webhooks.change(failing.id, on, from: nil, by: WebhookFixture.machine)
        await fixture.pass(.seconds(10))
        #expect(receiver.acknowledged.last?.text == "canalA 5")
    }

    @Test func aReceiverThatAsksForTimeGetsItWithinBounds() async throws {
        let (added, _) = try await fixture.add()
        receiver.answer(status: 429, retryAfter: .seconds(600))
        await fixture.happen(["canalA"])
        await fixture.dispatcher.turn()
        // It holds for other resources, too.
        await fixture.happen(["canalB"])
        await fixture.pass(.seconds(590), every: .seconds(10))
        #expect(receiver.messages.count == 1)
        await fixture.pass(.seconds(20), every: .seconds(10))
        #expect(Set(receiver.messages.map(\.subject)) == ["canalA", "canalB"])
        receiver.forget()
        receiver.answer(status: 503, retryAfter: .seconds(86_400 * 30))
        await fixture.pass(.seconds(700), every: .seconds(10))
        let held = try #require(try await fixture.current(added.id).receiver.heldUntil)
        #expect(held - clock.time <= DeliveryRetries.schedule.maximumRequestedDelay)
        receiver.answer(status: 200)
        await fixture.pass(DeliveryRetries.schedule.maximumRequestedDelay + .seconds(60), every: .seconds(20))
        #expect(Set(receiver.acknowledged.map(\.subject)) == ["canalA", "canalB"])
    }

    @Test func bothSecretsSignWhileARotationLasts() async throws {
        let (added, first) = try await fixture.add()
        let (_, second) = try await fixture.webhooks.rotateSecret(of: added.id, by: WebhookFixture.machine)
        #expect(first != second)
        func signatures(_ channel: String) async throws -> (Set<String>, ScriptedReceiver.Message) {
            await fixture.happen([channel])
            await fixture.dispatcher.turn()
            let message = try #require(receiver.messages.last)
            return (Set(message.field("webhook-signature").split(separator: " ").map(String.init)), message)
        }
        func expected(_ secrets: [WebhookSecret], _ message: ScriptedReceiver.Message) throws -> Set<String> {
            let timestamp = try #require(Int64(message.field("webhook-timestamp")))
            return Set(secrets.map { $0.signature(of: message.id, timestamp: timestamp, body: message.request.body) })
        }
        let (both, message) = try await signatures("canalA")
        #expect(try both == expected([first, second], message) && both.count == 2)
        clock.advance(by: WebhookReceiver.defaultOverlap + .seconds(1))
        let (one, last) = try await signatures("canalB")
        #expect(try one == expected([second], last))
        // A rotation that keeps nothing.
        let (_, third) = try await fixture.webhooks.rotateSecret(
            of: added.id, keepingPreviousFor: .zero, by: WebhookFixture.machine)
        let (own, newest) = try await signatures("canalC")
        #expect(try own == expected([third], newest))
        try await fixture.webhooks.maintain()
        #expect(try await fixture.current(added.id).receiver.previousSecretEndsAt == nil)
    }

    /// The owner's server has a copy of the audiences that is older than the event; nothing refreshes it but the
    /// journal.
    @Test func anEventIsJudgedByTheStateThatItCameFrom() async throws {
        let accounts = fixture.accounts.accounts
        let state = Mutex(ItemAudiences(titles: ["opened": ItemAudience(.invited), "closed": ItemAudience(.everyone)]))
        accounts.setItemAudiences(state.withLock { $0 })
        fixture.journal.copies.add("audiences") { accounts.setItemAudiences(state.withLock { $0 }) }
        let session = try await fixture.accounts.session("ana")
        _ = try await fixture.webhooks.create(
            WebhookSettings(url: WebhookFixture.url), by: Caller(session.principal, TestAccounts.origin))
        state.withLock { state in
            state.titles["opened"]?.audience = .everyone
            state.titles["closed"]?.audience = .invited
        }
        for title in ["opened", "closed"] {
            fixture.journal.note(NewEvent(.titleReady, EventSubject(.title, title), at: clock.time, []))
        }
        await fixture.journal.flush()
        await fixture.dispatcher.turn()
        #expect(receiver.messages.map { $0.data?["title"]?.string } == ["opened"])
    }

    @Test func aReceiverIsSentWhatItsOwnerMayStillRead() async throws {
        var rules = AudienceRules()
        rules.channels["canalB"] = .members
        rules.channels["canalC"] = .invited
        fixture.accounts.accounts.audiences = rules
        let session = try await fixture.accounts.session("ana")
        let caller = Caller(session.principal, TestAccounts.origin)
        let owner = try #require(session.principal.member?.id)
        let (own, _) = try await fixture.webhooks.create(WebhookSettings(url: WebhookFixture.url), by: caller)
        #expect(own.owner == owner)
        await fixture.happen(["canalA", "canalB", "canalC"])
        await fixture.dispatcher.turn()
        #expect(receiver.messages.map(\.subject).sorted() == ["canalA", "canalB"])
        // What waits is not sent to somebody who may not read it any more.
        receiver.answer(status: 500)
        await fixture.happen(["canalB"])
        await fixture.dispatcher.turn()
        rules.channels["canalB"] = .invited
        fixture.accounts.accounts.audiences = rules
        receiver.forget()
        await fixture.pass(.seconds(10))
        #expect(receiver.messages.isEmpty)
        #expect(try await fixture.log(own.id, .withheld).count == 1)
        receiver.answer(status: 200)
        _ = try await fixture.accounts.accounts.suspend(owner, by: WebhookFixture.machine)
        await fixture.happen(["canalA"])
        await fixture.pass(.seconds(5))
        #expect(receiver.messages.isEmpty)
        _ = try await fixture.accounts.accounts.restore(owner, by: WebhookFixture.machine)
        await fixture.happen(["canalA"], from: 9)
        await fixture.dispatcher.turn()
        #expect(receiver.messages.map(\.text) == ["canalA 9"])
        // A deleted account has none.
        try await fixture.accounts.accounts.removeAccount(owner, by: WebhookFixture.machine)
        receiver.forget()
        await fixture.happen(["canalA"])
        await fixture.pass(.seconds(5))
        #expect(receiver.messages.isEmpty)
        try await fixture.webhooks.maintain()
        #expect(try await fixture.webhooks.receivers(by: WebhookFixture.machine).items.isEmpty)
    }

    @Test func aReplayIsSentAgainWithTheSameIDAfterWhatWaits() async throws {
        let (added, _) = try await fixture.add { $0.filter.types = ["channel"] }
        await fixture.happen(["canalA"])
        await fixture.dispatcher.turn()
        let sent = try #require(try await fixture.log(added.id).first)
        receiver.answer(status: 500)
        await fixture.happen(["canalA"], from: 1)
        await fixture.dispatcher.turn()
        let replayed = try await fixture.webhooks.replay(sent.id, of: added.id, by: WebhookFixture.machine)
        #expect(replayed.replayOf == sent.id && replayed.messageID == sent.messageID && replayed.dueAt == nil)
        receiver.forget()
        receiver.answer(status: 200)
        await fixture.pass(.seconds(10))
        #expect(receiver.acknowledged.map(\.text) == ["canalA 1", "canalA 0"])
        #expect(receiver.acknowledged.last?.id == sent.messageID)
    }
}
