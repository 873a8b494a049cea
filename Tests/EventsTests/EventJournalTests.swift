import Database
import DatabaseTestSupport
import JSONDocument
import Logging
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Events

@Suite(.eachEngine) struct EventJournalTests {
    private let place: TestDatabase
    private let database: any SQLDatabase
    private let clock = TestClock()
    private let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    init() async throws {
        place = try TestDatabase()
        database = try await place.open()
    }

    private func journal() async throws -> EventJournal {
        try await EventJournal.open(database, program: "test", wallClock: clock.wallClock, logger: logger)
    }

    private func event(
        _ type: EventType = .channelUp, _ name: String = "canalA", origin: String? = nil
    ) -> NewEvent {
        NewEvent(
            type, EventSubject(.channel, name), at: clock.wallClock.now(), [("reason", .string("a\nb"))],
            origin: origin)
    }

    /// The events that wait for a listener.
    private static func waiting(_ listener: EventListener, _ count: Int) async -> [Event] {
        var events: [Event] = []
        guard count > 0 else { return [] }
        for await case .event(let event) in listener.messages {
            events.append(event)
            if events.count == count { break }
        }
        return events
    }

    @Test func listenersGetWhatHappensInItsOrder() async throws {
        let journal = try await journal()
        journal.note(event(.channelDown))
        await journal.flush()
        let listener = try journal.listen(by: AddressGroup(nil))
        #expect(listener.begunAt == 1)
        for number in 0..<3 { journal.note(event(.channelUp, "c\(number)")) }
        await journal.flush()
        let events = await Self.waiting(listener, 3)
        #expect(events.map(\.subject.name) == ["c0", "c1", "c2"] && events.map(\.number) == [2, 3, 4])
        let first = try #require(events.first)
        let json = try JSONParser.parse(Array(first.json.utf8))
        #expect(json["id"]?.string == "2" && json["type"]?.string == "channel.up")
        #expect(json["channel"]?.string == "c0" && json["reason"]?.string == "a\nb")
        #expect(json["time"]?.string?.hasSuffix("Z") == true)
        #expect(first.text == "id: 2\nevent: channel.up\ndata: \(first.json)\n\n" && !first.json.contains("\n"))
    }

    /// Each copy of the database's state is delayed in turn, and fails in turn.
    @Test(arguments: ["audiences", "entitlements"])
    func nobodyIsToldBeforeEveryCopyIsAsNewAsTheEvent(_ late: String) async throws {
        let journal = try await journal()
        let isAway = Mutex(true)
        let seen = Mutex<[Int64]>([])
        for name in ["audiences", "entitlements"] {
            journal.copies.add(name) {
                if name == late, isAway.withLock({ $0 }) { throw SQLError(.unavailable, "away") }
                seen.withLock { $0.append(journal.lastNumber) }
            }
        }
        let listener = try journal.listen(by: AddressGroup(nil))
        journal.note(event())
        await journal.flush()
        #expect(journal.lastNumber == 0 && journal.queuedCount == 0)
        isAway.withLock { $0 = false }
        await journal.flush()
        #expect(journal.lastNumber == 1)
        #expect(await Self.waiting(listener, 1).map(\.number) == [1])
        #expect(seen.withLock { $0 } == [0, 0, 0])
        // Without an event nobody has to be told, and nothing is read.
        await journal.flush()
        #expect(seen.withLock(\.count) == 3)
    }

    @Test func whoComesBackGetsWhatWasMissedAlsoAfterARestart() async throws {
        let before = try await journal()
        for number in 0..<5 { before.note(event(.channelUp, "c\(number)")) }
        await before.flush()
        let after = try await journal()
        #expect(try after.listen(by: AddressGroup(nil)).begunAt == 5)
        let (events, hasGap) = try await after.missed(after: 2, through: 5)
        #expect(events.map(\.number) == [3, 4, 5] && !hasGap)
        #expect(try await after.missed(after: 5, through: 5).events.isEmpty)
        // Numbers go on.
        after.note(event())
        await after.flush()
        #expect(try await after.missed(after: 5, through: 6).events.map(\.number) == [6])
    }

    @Test func aListenerThatWasAwayForLongIsToldThatEventsAreGone() async throws {
        let journal = try await journal()
        for _ in 0..<3 { journal.note(event()) }
        await journal.flush()
        clock.advance(by: EventJournal.keptTime + .seconds(1))
        journal.note(event())
        await journal.flush()
        try await journal.maintain()
        let fresh = try await self.journal()
        let (events, hasGap) = try await fresh.missed(after: 1, through: 4)
        #expect(events.map(\.number) == [4] && hasGap)
    }

    @Test func theJournalIsBounded() async throws {
        let journal = try await journal()
        journal.note(event())
        await journal.flush()
        try await database.write { db in
            try db.execute("UPDATE eventJournal SET lastNumber = lastNumber + ?1", SQLValue(EventJournal.keptCount))
        }
        journal.note(event())
        await journal.flush()
        try await journal.maintain()
        let count: Int? = try await database.read { db in try db.firstValue("SELECT count(*) FROM event") }
        #expect(count == 1)
    }

    @Test func twoServersTellOfTheEventsOfBothAndOfEachOnce() async throws {
        let (one, other) = (try await journal(), try await journal())
        let listener = try other.listen(by: AddressGroup(nil))
        one.note(event(.accountCreated, "a", origin: "audit/7"))
        other.note(event(.accountCreated, "a", origin: "audit/7"))
        one.note(event(.channelUp, "b"))
        await one.flush()
        await other.flush()
        let events = await Self.waiting(listener, 2)
        #expect(events.map(\.subject.name) == ["a", "b"])
        #expect(try await other.missed(after: 0, through: 100).events.count == 2)
    }

    /// Two servers write at the same time: a number is never shown after a higher one.
    @Test func writersTakeTurns() async throws {
        let journals = [try await journal(), try await journal(), try await journal()]
        let reader = try await journal()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for journal in journals {
                group.addTask {
                    for _ in 0..<20 {
                        journal.note(event())
                        await journal.flush()
                    }
                }
            }
            group.addTask {
                // What a reader has passed does not grow behind it.
                var seen: Int64 = 0
                var count = 0
                while count < 60 {
                    let events = try await database.read { [seen] db in
                        try EventRows.events(after: seen, limit: 100, db)
                    }
                    count += events.count
                    seen = events.last?.number ?? seen
                    try Task.checkCancellation()
                }
                #expect(seen == 60)
            }
            try await group.waitForAll()
        }
        await reader.flush()
        #expect(try await reader.missed(after: 0, through: 100).events.count == 60)
    }

    @Test func whatDoesNotFitIsCountedAndWhoIsSlowIsDisconnected() async throws {
        let journal = try await journal()
        let slow = try journal.listen(by: AddressGroup(nil))
        for _ in 0..<(EventJournal.maximumQueuedCount + 7) { journal.note(event()) }
        #expect(journal.droppedCount == 7)
        await journal.flush()
        #expect(journal.listenerCount == 0)
        var count = 0
        for await _ in slow.messages { count += 1 }
        #expect(count == EventJournal.maximumBufferedCount, "and then its stream ends")
    }

    @Test func listenersHaveALimit() async throws {
        let journal = try await journal()
        let stranger = AddressGroup(try .init(ipAddress: "192.0.2.1", port: 1))
        let listeners = try (0..<EventJournal.maximumListenerCountPerClient).map { _ in
            try journal.listen(by: stranger)
        }
        #expect(throws: EventListeningError.self) { try journal.listen(by: stranger) }
        let other = try journal.listen(by: AddressGroup(try .init(ipAddress: "192.0.2.2", port: 1)))
        listeners.first?.end()
        #expect(journal.listenerCount == listeners.count)
        _ = try journal.listen(by: stranger)
        other.end()
    }

    @Test func whoGetsEventsInAnotherWayKeepsTheirPlace() async throws {
        let journal = try await journal()
        let client = AddressGroup(try .init(ipAddress: "192.0.2.1", port: 1))
        let listener = try journal.listen(by: client)
        let place = try #require(listener.handOver())
        #expect(listener.handOver() == nil, "only once")
        for await _ in listener.messages { Issue.record("the stream ends") }
        listener.end()
        #expect(journal.listenerCount == 1)
        let others = try (1..<EventJournal.maximumListenerCountPerClient).map { _ in try journal.listen(by: client) }
        #expect(throws: EventListeningError.self) { try journal.listen(by: client) }
        place.end()
        place.end()
        #expect(journal.listenerCount == others.count)
        try journal.listen(by: client).end()
        let late = try journal.listen(by: client)
        late.end()
        #expect(late.handOver() == nil)
    }

    @Test func aFollowerIsToldOfNewEventsAndTheEnd() async throws {
        let journal = try await journal()
        var arrivals = journal.follow().makeAsyncIterator()
        journal.note(event())
        await journal.flush()
        await arrivals.next()
        #expect(journal.lastNumber == 1 && journal.listenerCount == 0)
        let running = Task { await journal.run(after: DatabaseChanges(database)) }
        running.cancel()
        await running.value
        while await arrivals.next() != nil {}
    }

    @Test func filtersNameTypesGroupsAndResources() async throws {
        let journal = try await journal()
        journal.note(event(.channelUp, "canalA"))
        await journal.flush()
        let event = try #require(try await journal.missed(after: 0, through: 1).events.first)
        func includes(_ types: Set<String>, _ subject: EventSubject? = nil) -> Bool {
            var filter = EventFilter()
            (filter.types, filter.subject) = (types, subject)
            return filter.includes(event)
        }
        #expect(includes([]) && includes(["channel"]) && includes(["channel.up", "title"]))
        #expect(!includes(["channel.down"]) && !includes(["title"]))
        #expect(includes([], EventSubject(.channel, "canalA")) && !includes([], EventSubject(.channel, "canalB")))
    }
}

extension EventSubject.Kind {
    fileprivate static let channel = Self(rawValue: "channel")
}

extension EventType {
    fileprivate static let channelUp = Self(rawValue: "channel.up")
    fileprivate static let channelDown = Self(rawValue: "channel.down")
    fileprivate static let accountCreated = Self(rawValue: "account.created")
}
