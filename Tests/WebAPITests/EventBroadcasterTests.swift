import DatabaseTestSupport
import Events
import Features
import GatewayTestSupport
import HTTPEndpoints
import HTTPTypes
import Logging
import MediaCore
import NIOCore
import NIOEmbedded
import Testing

@testable import WebAPI

/// How the listeners of one event loop are sent events and heartbeats. The tests do not suspend, because the loop
/// belongs to their thread.
struct EventBroadcasterTests {
    private let fixture: TestAccounts
    private let journal: EventJournal
    private let events: [Event]

    private final class Counter { var count = 0 }

    /// An event loop with its broadcaster.
    private struct Place {
        let loop = EmbeddedEventLoop()
        let left = Counter()
        let broadcaster: EventBroadcaster
        let journal: EventJournal

        init(_ journal: EventJournal) {
            self.journal = journal
            broadcaster = EventBroadcaster(loop) { [left] _ in left.count += 1 }
        }

        func join(_ group: EventGroup, seen: Int64 = 0) throws -> EmbeddedChannel {
            let channel = EmbeddedChannel(loop: loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 4_000)).wait()
            let listener = try journal.listen(by: AddressGroup(channel.remoteAddress))
            let place = try #require(listener.handOver())
            try broadcaster.add(channel, to: group, seen: seen, place: place)
            return channel
        }
    }

    init() async throws {
        fixture = try await TestAccounts()
        journal = try await EventJournal.open(
            fixture.database, program: "test", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        for number in 0..<3 {
            journal.note(NewEvent(.channelUp, EventSubject(.channel, "c\(number)"), at: journal.now))
        }
        await journal.flush()
        events = try await journal.missed(after: 0, through: 3).events
    }

    private func group() -> EventGroup {
        let audience = EventAudience(
            authority: TestOperator.authority(fixture.accounts), kinds: Features.eventKinds, fields: [:], peer: nil,
            filter: EventFilter())
        return EventGroup(EventGroup.Key(credential: [:], filter: EventFilter()), audience)
    }

    /// The bytes that a client was sent since the last call.
    private static func received(_ channel: EmbeddedChannel) throws -> String {
        var text = ""
        while let bytes = try channel.readOutbound(as: ByteBuffer.self) { text += String(buffer: bytes) }
        return text
    }

    private static func numbers(_ text: String) -> [Int] {
        text.split(separator: "\r\n").filter { $0.hasPrefix("id: ") }.compactMap {
            Int($0.dropFirst(4).prefix { $0.isNumber })
        }
    }

    @Test func eachListenerIsSentWhatItHasNotSeen() throws {
        let place = Place(journal)
        let (group, other) = (group(), group())
        let (all, some, none, stranger) = (
            try place.join(group), try place.join(group, seen: 2), try place.join(group, seen: 3), try place.join(other)
        )
        let payload = EventPayload(events, through: 3)
        place.broadcaster.send([(group, .send(payload))], promise: nil)
        #expect(Self.numbers(try Self.received(all)) == [1, 2, 3])
        #expect(Self.numbers(try Self.received(some)) == [3])
        #expect(try Self.received(none).isEmpty && Self.received(stranger).isEmpty)
        for channel in [all, some, none, stranger] { _ = try channel.finish() }
        #expect(place.broadcaster.count == 0 && place.left.count == 4 && journal.listenerCount == 0)
    }

    @Test func eventsAreChunksOfTheirOwn() throws {
        let events = events.prefix(2)
        let bytes = try #require(EventPayload(Array(events), through: 2, hasGap: true).bytes(after: 0))
        var expected = "18\r\nevent: missed\ndata: {}\n\n\r\n"
        for event in events { expected += String(event.text.utf8.count, radix: 16) + "\r\n\(event.text)\r\n" }
        #expect(String(buffer: bytes) == expected)
        #expect(String(buffer: EventPayload.heartbeat) == "3\r\n:\n\n\r\n")
        let gap = try #require(EventPayload([], through: 10, hasGap: true).bytes(after: 9))
        #expect(String(buffer: gap).contains("missed"))
    }

    @Test func theLoopDoesOtherWorkBetweenThousandsOfWrites() throws {
        let place = Place(journal)
        let group = group()
        let count = 2 * EventBroadcaster.writesPerTurn + 10
        var channels = try (0..<count).map { _ in try place.join(group) }
        let payload = EventPayload(Array(events.prefix(1)), through: 1)
        let (promise, done) = (place.loop.makePromise(of: Void.self), Counter())
        promise.futureResult.assumeIsolated().whenSuccess { done.count += 1 }
        place.broadcaster.send([(group, .send(payload))], promise: promise)
        func written() throws -> Int { try channels.count { try !Self.received($0).isEmpty } }
        #expect(try written() == EventBroadcaster.writesPerTurn && done.count == 0)
        // Who leaves meanwhile makes nobody else miss the event; who joins has seen it.
        let leaving = [channels.removeFirst(), channels.removeLast()]
        for channel in leaving { channel.close(promise: nil) }
        let joined = try place.join(group, seen: 1)
        place.loop.advanceTime(by: TimeAmount(EventBroadcaster.turnInterval) * 3)
        let rest = try written()
        #expect(rest == count - EventBroadcaster.writesPerTurn - 1 && done.count == 1)
        #expect(try Self.received(joined).isEmpty)
        for channel in channels + [joined] { _ = try channel.finish() }
    }

    /// Events that come while others are sent go along with them to those who have not had their turn.
    @Test func eventsThatFollowCloselyAreSentTogether() throws {
        let place = Place(journal)
        let group = group()
        let count = EventBroadcaster.writesPerTurn + 10
        let channels = try (0..<count).map { _ in try place.join(group) }
        place.broadcaster.send([(group, .send(EventPayload(Array(events.prefix(1)), through: 1)))], promise: nil)
        let (promise, done) = (place.loop.makePromise(of: Void.self), Counter())
        promise.futureResult.assumeIsolated().whenSuccess { done.count += 1 }
        place.broadcaster.send([(group, .send(EventPayload(Array(events.dropFirst()), through: 3)))], promise: promise)
        place.broadcaster.send([(group, .send(EventPayload([], through: 4, hasGap: true)))], promise: nil)
        place.loop.advanceTime(by: TimeAmount(EventBroadcaster.turnInterval))
        // The last ten have had their turn, and those before them have got the first event only, or all of them.
        let late = try channels.suffix(10).map { try Self.received($0) }
        for text in late { #expect(Self.numbers(text) == [1, 2, 3] && text.contains("missed")) }
        place.loop.advanceTime(by: TimeAmount(EventBroadcaster.turnInterval) * 5)
        #expect(done.count == 1)
        for channel in channels.dropLast(10) {
            let text = try Self.received(channel)
            #expect(Self.numbers(text) == [1, 2, 3] && text.contains("missed"))
        }
        #expect(try channels.suffix(10).allSatisfy { try Self.received($0).isEmpty }, "nothing is sent twice")
        for channel in channels { _ = try channel.finish() }
    }

    @Test func aListenerThatDoesNotKeepUpIsDisconnected() throws {
        let place = Place(journal)
        let group = group()
        let (slow, quick) = (try place.join(group), try place.join(group))
        slow.isWritable = false
        place.broadcaster.send([(group, .send(EventPayload(Array(events.prefix(1)), through: 1)))], promise: nil)
        #expect(!slow.isActive && quick.isActive)
        #expect(place.broadcaster.count == 1 && journal.listenerCount == 1)
        _ = try quick.finish()
    }

    @Test func heartbeatsAreSpreadOverTheirInterval() throws {
        let place = Place(journal)
        let group = group()
        let channels = try (0..<300).map { _ in try place.join(group) }
        func beats() throws -> [Int] { try channels.map { try Self.received($0).count { $0 == ":" } } }
        let pause = TimeAmount(EventJournal.heartbeatInterval / EventBroadcaster.slotCount)
        place.loop.advanceTime(by: pause)
        #expect(try beats().reduce(0, +) == 2)
        for _ in 1..<EventBroadcaster.slotCount { place.loop.advanceTime(by: pause) }
        #expect(try beats().reduce(0, +) == 298)
        for _ in 0..<(2 * EventBroadcaster.slotCount) { place.loop.advanceTime(by: pause) }
        #expect(try beats().allSatisfy { $0 == 2 }, "every listener in every interval")
        for channel in channels { _ = try channel.finish() }
        place.loop.advanceTime(by: .hours(1))
        #expect(place.broadcaster.count == 0)
    }

    @Test func aGroupAndAllListenersCanBeEnded() throws {
        let place = Place(journal)
        let (group, other) = (group(), group())
        let (ended, open) = (try place.join(group), try place.join(other))
        place.broadcaster.send([(group, .end)], promise: nil)
        #expect(!ended.isActive && open.isActive)
        #expect(try Self.received(ended) == "0\r\n\r\n")
        place.broadcaster.finishAll()
        #expect(!open.isActive && place.broadcaster.count == 0)
        #expect(try Self.received(open) == "0\r\n\r\n")
    }
}
