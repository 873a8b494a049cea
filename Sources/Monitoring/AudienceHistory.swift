package import Database
package import MediaCore

/// The viewers of the last thirty days, by the hour. Servers with the same database add up.
package final class AudienceHistory: Sendable {
    private let database: any SQLDatabase
    private let wallClock: WallClock

    /// The time between two samples, which a sample stands for.
    package static let interval = Duration.seconds(60)
    /// Days for which hours are kept.
    package static let dayCount = 30
    /// Limit of the things of a kind in one sample; those with the most viewers count.
    static let maximumSampleCount = 200
    private static let hourMilliseconds: Int64 = 3_600_000
    private static let hoursPerDay: Int64 = 24

    private init(_ database: any SQLDatabase, _ wallClock: WallClock) {
        (self.database, self.wallClock) = (database, wallClock)
    }

    /// - Parameters:
    ///   - database: the server's database.
    ///   - program: this version of Antena; see `SQLMigrator`.
    ///   - wallClock: tells the time.
    /// - Throws: `SQLError` if the database has a newer version or cannot be used.
    package static func open(
        _ database: any SQLDatabase, program: String, wallClock: WallClock = .system
    ) async throws -> AudienceHistory {
        try await SQLMigrator(MonitoringSchema.schema, program: program, wallClock: wallClock).migrate(database)
        return AudienceHistory(database, wallClock)
    }

    private var hour: Int64 { wallClock.now().millisecondsSince1970 / Self.hourMilliseconds }

    /// Adds a sample to its hour, and removes hours that are too old.
    ///
    /// - Throws: `SQLError`
    package func add(_ samples: [AudienceSample]) async throws {
        let hour = hour
        let kept = AudienceSample.Kind.allCases.flatMap { kind in
            samples.filter { $0.kind == kind && $0.viewers > 0 }.sorted { $0.viewers > $1.viewers }
                .prefix(Self.maximumSampleCount)
        }
        try await database.write { db in
            for sample in kept {
                try db.execute(
                    """
                    INSERT INTO viewerHour(hour, kind, name, peak, minutes) VALUES (?1, ?2, ?3, ?4, ?4)
                    ON CONFLICT (hour, kind, name) DO UPDATE SET
                        peak = CASE WHEN excluded.peak > viewerHour.peak THEN excluded.peak ELSE viewerHour.peak END,
                        minutes = viewerHour.minutes + excluded.minutes
                    """, .integer(hour), .text(sample.kind.rawValue), .text(sample.name),
                    .integer(Int64(sample.viewers)))
            }
            try db.execute(
                "DELETE FROM viewerHour WHERE hour < ?1", .integer(hour - Int64(Self.dayCount) * Self.hoursPerDay))
        }
    }

    /// The sums of each of the last days, oldest first, over all channels and titles.
    package func days() async throws -> [AudienceSum] {
        try await database.read { db in
            try db.rows(
                """
                SELECT hour / 24 AS day, '' AS name, max(peak) AS peak, CAST(sum(minutes) AS BIGINT) AS minutes
                FROM viewerHour WHERE kind IN ('channel', 'title') GROUP BY hour / 24 ORDER BY hour / 24
                """, []
            ) { try AudienceSum($0) }
        }
    }

    /// The channels, titles or programs with the most minutes in the last days.
    ///
    /// - Parameters:
    ///   - kind: what is summed up.
    ///   - limit: maximum number of things.
    package func most(_ kind: AudienceSample.Kind, limit: Int) async throws -> [AudienceSum] {
        try await database.read { db in
            try db.rows(
                """
                SELECT CAST(0 AS BIGINT) AS day, name, max(peak) AS peak, CAST(sum(minutes) AS BIGINT) AS minutes
                FROM viewerHour WHERE kind = ?1 GROUP BY name ORDER BY 4 DESC, name LIMIT ?2
                """, [.text(kind.rawValue), .integer(Int64(limit))]
            ) { try AudienceSum($0) }
        }
    }
}

extension AudienceSum {
    fileprivate init(_ row: SQLRow) throws {
        self.init(
            day: try row.value("day"), name: try row.value("name"), peak: try row.value("peak"),
            minutes: try row.value("minutes"))
    }
}
