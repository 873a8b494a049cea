import Database
import HLSPlaylist
import JSONDocument
import MediaCore

/// The rows of the journal. Each function runs inside the transaction of its caller.
enum EventRows {
    private static let columns = EventSchema.events.columnList(without: "origin")

    /// Appends events. Numbers that others see later than higher ones would be missed, so writers take turns.
    static func append(_ events: [NewEvent], _ db: any SQLConnection) throws {
        let last: Int64? = try db.first(
            """
            INSERT INTO eventJournal(id, lastNumber) VALUES (1, ?1)
            ON CONFLICT(id) DO UPDATE SET lastNumber = eventJournal.lastNumber + excluded.lastNumber
            RETURNING lastNumber
            """, [SQLValue(events.count)]
        ) { row in try row.value(0) }
        let first = (last ?? 0) - Int64(events.count)
        for (index, event) in events.enumerated() {
            let number = first + Int64(index) + 1
            try db.insert(
                [
                    "number": .integer(number), "type": .text(event.type.rawValue),
                    "subjectKind": .text(event.subject.kind.rawValue), "subjectName": .text(event.subject.name),
                    "happenedAt": .time(event.happenedAt), "json": .text(json(event, number)),
                    "origin": SQLValue(event.origin),
                ], into: EventSchema.events, "ON CONFLICT(origin) DO NOTHING")
        }
    }

    private static func json(_ event: NewEvent, _ number: Int64) -> String {
        let members: [JSONText.Field] = [
            ("id", .string(String(number))), ("type", .string(event.type.rawValue)),
            ("time", .string(timeText(event.happenedAt))),
            (event.subject.kind.rawValue, .string(event.subject.name)),
        ]
        return JSONText.object(members + event.fields).rendered
    }

    private static func timeText(_ time: WallClockTime) -> String {
        ProgramDateTime(millisecondsSince1970: time.millisecondsSince1970).description
    }

    /// The events after a number, in their order.
    static func events(after number: Int64, limit: Int, _ db: any SQLConnection) throws -> [Event] {
        try db.rows(
            "SELECT \(columns) FROM event WHERE number > ?1 ORDER BY number LIMIT ?2",
            [.integer(number), SQLValue(limit)]
        ) { try event($0) }.compactMap(\.self)
    }

    /// The newest events, in their order.
    static func newest(_ count: Int, _ db: any SQLConnection) throws -> [Event] {
        try db.rows("SELECT \(columns) FROM event ORDER BY number DESC LIMIT ?1", [SQLValue(count)]) {
            try event($0)
        }.compactMap(\.self).reversed()
    }

    /// The last number that was given, and the number of the oldest event that is left; `nil` without any.
    static func bounds(_ db: any SQLConnection) throws -> (last: Int64, oldest: Int64?) {
        let last: Int64? = try db.firstValue("SELECT lastNumber FROM eventJournal WHERE id = 1")
        let oldest: Int64? = try db.firstValue("SELECT number FROM event ORDER BY number LIMIT 1")
        return (last ?? 0, oldest)
    }

    private static func event(_ row: SQLRow) throws -> Event {
        let kind = EventSubject.Kind(rawValue: try row.value("subjectKind"))
        return Event(
            number: try row.value("number"), type: EventType(rawValue: try row.value("type")),
            subject: EventSubject(kind, try row.value("subjectName")),
            time: timeText(try row.time("happenedAt")), json: try row.value("json"))
    }

    /// Deletes what is older than a time, and all but the newest.
    static func prune(before time: WallClockTime, keeping count: Int64, _ db: any SQLConnection) throws {
        try db.execute("DELETE FROM event WHERE happenedAt < ?1", .time(time))
        try db.execute(
            "DELETE FROM event WHERE number <= (SELECT lastNumber FROM eventJournal WHERE id = 1) - ?1",
            .integer(count))
    }
}
