import Accounts
import Catalogue
import Database
import MediaCore

/// The rows of competitions. Each function runs inside the transaction of its caller.
enum CompetitionRows {
    /// The columns that ``Competition`` is made of.
    static let columns = CompetitionSchema.competitions.columnList(
        of: "competition", without: "nameKey", "endsAt", "standings")

    // MARK: Lists

    /// The position of a competition in lists.
    struct Position: Hashable {
        var startsAt: WallClockTime
        var number: Int64

        init(of competition: Competition) {
            (startsAt, number) = (competition.listedAt, competition.number)
        }

        /// - Throws: `Refusal` with `invalidCursor`.
        init(cursor: String) throws(Refusal) {
            let place = try ListCursor(parsing: cursor, of: Self.list, keyCount: 2)
            startsAt = WallClockTime(millisecondsSince1970: try place.number(0))
            number = try place.number(1)
        }

        private static let list = "competitions"

        var cursor: String { ListCursor(Self.list, ["\(startsAt.millisecondsSince1970)", "\(number)"]).text }
    }

    /// The statement of a list, by start.
    ///
    /// - Parameters:
    ///   - filter: what the list has.
    ///   - position: that of the last competition of the page before; `nil` for the first page.
    ///   - limit: number of rows.
    ///   - dialect: what the engine spells differently.
    static func list(
        _ filter: CompetitionFilter, after position: Position?, limit: Int, _ dialect: SQLDialect
    ) -> (sql: String, arguments: [SQLValue]) {
        var arguments = [SQLValue(limit)]
        var conditions: [String] = []
        func parameter(_ value: SQLValue) -> Int {
            arguments.append(value)
            return arguments.count
        }
        // What ends in a period cannot start long before it, so that the index of starts bounds both.
        switch filter.period {
        case .any: break
        case .endingAfter(let time):
            let earliest = parameter(.time(time - CompetitionSchedule.maximumDuration))
            conditions.append("startsAt > ?\(earliest) AND endsAt > ?\(parameter(.time(time)))")
        case .ended(let time):
            let now = parameter(.time(time))
            conditions.append("startsAt <= ?\(now) AND endsAt <= ?\(now)")
        }
        if let position {
            let (start, number) = (parameter(.time(position.startsAt)), parameter(.integer(position.number)))
            conditions.append("(startsAt, number) > (?\(start), ?\(number))")
        }
        for word in words(filter.text) {
            conditions.append(dialect.contains("nameKey", parameter: parameter(.text(word))))
        }
        let condition = conditions.isEmpty ? "" : "WHERE \(conditions.joined(separator: " AND "))"
        return (
            "SELECT \(columns) FROM competition \(condition) ORDER BY startsAt, number LIMIT ?1", arguments
        )
    }

    private static func words(_ text: String?) -> [String] {
        guard let text else { return [] }
        return SearchText(text).folded.split(whereSeparator: \.isWhitespace)
            .prefix(CompetitionFilter.maximumWordCount).map(String.init)
    }

    static func competitions(
        _ filter: CompetitionFilter, after position: Position?, limit: Int, _ db: any SQLConnection
    ) throws -> [Competition] {
        let statement = list(filter, after: position, limit: limit, db.dialect)
        return try db.rows(statement.sql, statement.arguments) { try Competition($0) }
    }

    // MARK: Single competitions

    /// - Returns: `nil` if there is no such competition.
    static func competition(_ id: OpaqueID, _ db: any SQLConnection) throws -> Competition? {
        try db.first("SELECT \(columns) FROM competition WHERE id = ?1", [.text(id.text)]) { try Competition($0) }
    }

    static func count(_ db: any SQLConnection) throws -> Int64 {
        try db.firstValue("SELECT COUNT(*) FROM competition") ?? 0
    }

    /// - Returns: the competition with its row number.
    static func insert(_ competition: Competition, _ db: any SQLConnection) throws -> Competition {
        var competition = competition
        let number: Int64? = try db.first(
            """
            INSERT INTO competition(
                id, name, nameKey, description, timeZone, firstDay, dayCount, startsAt, endsAt, revision, createdAt,
                changedAt, standings)
            VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13) RETURNING number
            """,
            [.text(competition.id.text)] + values(competition) + [
                .integer(competition.revision), .time(competition.createdAt), .time(competition.changedAt),
                .text(try Standings.empty.stored()),
            ]
        ) { try $0.value(0) }
        guard let number else { throw SQLError(.unexpectedValue, "a new competition has no row number") }
        competition.number = number
        return competition
    }

    /// Writes what operators change, with revision and time of the change.
    static func update(_ competition: Competition, _ db: any SQLConnection) throws {
        try db.execute(
            """
            UPDATE competition SET name = ?2, nameKey = ?3, description = ?4, timeZone = ?5, firstDay = ?6,
                dayCount = ?7, startsAt = ?8, endsAt = ?9, image = ?10, revision = ?11, changedAt = ?12, map = ?13
            WHERE number = ?1
            """,
            [.integer(competition.number)] + values(competition) + [
                SQLValue(competition.image), .integer(competition.revision), .time(competition.changedAt),
                SQLValue(competition.map),
            ])
    }

    private static func values(_ competition: Competition) -> [SQLValue] {
        let schedule = competition.schedule
        return [
            .text(competition.name), .text(SearchText(competition.name).folded), .text(competition.description),
            .text(schedule.zone.identifier), .integer(schedule.firstDay.daysSince1970), SQLValue(schedule.dayCount),
            .time(schedule.startsAt), .time(schedule.endsAt),
        ]
    }

    /// Removes a competition; its videos stay, without competition and day.
    static func delete(_ competition: Competition, _ db: any SQLConnection) throws {
        let number = SQLValue.integer(competition.number)
        // Nobody enters a video until the end of the transaction.
        _ = try db.exists("SELECT 1 FROM competition WHERE number = ?1\(db.dialect.rowLock)", number)
        try db.execute(
            """
            UPDATE communityVideo SET competition = NULL, day = NULL, revision = revision + 1 WHERE competition = ?1
            """, number)
        try db.execute("UPDATE videoCount SET competition = NULL, day = NULL WHERE competition = ?1", number)
        try db.execute("DELETE FROM competition WHERE number = ?1", number)
    }

    // MARK: Standings and images

    static func standings(of competition: Competition, _ db: any SQLConnection) throws -> Standings {
        let text: String? = try db.firstValue(
            "SELECT standings FROM competition WHERE number = ?1", .integer(competition.number))
        return try text.map { try Standings(stored: $0) } ?? .empty
    }

    static func set(_ standings: Standings, of competition: Competition, _ db: any SQLConnection) throws {
        try db.execute(
            "UPDATE competition SET standings = ?2 WHERE number = ?1", .integer(competition.number),
            .text(try standings.stored()))
    }

    static func image(of id: OpaqueID, _ db: any SQLConnection) throws -> CompetitionImage? {
        try db.first(
            "SELECT jpeg FROM competitionImage WHERE competition = (SELECT number FROM competition WHERE id = ?1)",
            [.text(id.text)]
        ) { row -> [UInt8] in try row.value(0) }.flatMap { CompetitionImage(jpeg: $0) }
    }

    static func set(_ image: CompetitionImage?, of competition: Competition, _ db: any SQLConnection) throws {
        guard let image else {
            try db.execute("DELETE FROM competitionImage WHERE competition = ?1", .integer(competition.number))
            return
        }
        try db.execute(CompetitionSchema.images.upsert, .integer(competition.number), .blob(image.jpeg))
    }
}

extension Competition {
    /// - Parameter row: a row with the columns of ``CompetitionRows``.
    init(_ row: SQLRow) throws {
        let zone = CompetitionZone(stored: try row.value("timeZone"))
        let schedule = CompetitionSchedule(
            zone: zone, firstDay: CivilDate(daysSince1970: try row.value("firstDay")),
            dayCount: try row.value("dayCount"))
        self.init(
            id: try row.value("id"), name: try row.value("name"), description: try row.value("description"),
            schedule: schedule,
            image: try row.optional("image"), map: try row.optional("map"), revision: try row.value("revision"),
            createdAt: try row.time("createdAt"),
            changedAt: try row.time("changedAt"), number: try row.value("number"), listedAt: try row.time("startsAt"))
    }
}
