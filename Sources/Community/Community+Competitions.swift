package import Accounts
import Database
package import MediaCore

extension Community {
    // MARK: Reading

    /// A page of competitions, by start.
    ///
    /// - Parameters:
    ///   - filter: what the list has.
    ///   - cursor: the `next` value of the page before.
    ///   - limit: number of items, 20 if `nil`, 100 at most.
    /// - Throws: `Refusal` with `invalidCursor`.
    package func competitions(
        _ filter: CompetitionFilter = CompetitionFilter(), after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<Competition> {
        let size = ListPage<Competition>.size(limit)
        let position = try cursor.map { try CompetitionRows.Position(cursor: $0) }
        let rows = try await database.read { db in
            try CompetitionRows.competitions(filter, after: position, limit: size + 1, db)
        }
        return ListPage(rows, size: size) { CompetitionRows.Position(of: $0).cursor }
    }

    /// Limit of the competitions in a calendar.
    private static let maximumCalendarCount = 1_000
    /// Competitions leave the calendar this time after their end.
    private static let calendarTime = Duration.seconds(366 * 86_400)

    /// The competitions of the calendar of all: those that are not over, and those of about the last year.
    package func calendar() async throws -> [Competition] {
        let filter = CompetitionFilter(.endingAfter(now - Self.calendarTime))
        return try await database.read { db in
            try CompetitionRows.competitions(filter, after: nil, limit: Self.maximumCalendarCount, db)
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    package func competition(_ id: OpaqueID) async throws -> Competition {
        try await database.read { db in try Self.competition(id, db) }
    }

    /// The standings of a competition, and the competition.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func standings(of id: OpaqueID) async throws -> (standings: Standings, competition: Competition) {
        try await database.read { db in
            let competition = try Self.competition(id, db)
            return (try CompetitionRows.standings(of: competition, db), competition)
        }
    }

    /// The image of a competition; `nil` if it has none, or does not exist.
    package func image(ofCompetition id: OpaqueID) async throws -> CompetitionImage? {
        try await database.read { db in try CompetitionRows.image(of: id, db) }
    }

    // MARK: Changing

    /// Makes a competition.
    ///
    /// - Parameters:
    ///   - name: a line.
    ///   - description: a text of some lines.
    ///   - schedule: when it takes place.
    ///   - caller: who makes it; whether they may is for the caller of this to ask.
    /// - Throws: `Refusal` with `emptyField`, `invalidField` or `tooMany`.
    package func createCompetition(
        name: String, description: String, schedule: CompetitionSchedule, by caller: Caller
    ) async throws -> Competition {
        let now = now
        var new = Competition(
            id: OpaqueID(), name: name, description: description, schedule: schedule, image: nil, map: nil, revision: 1,
            createdAt: now, changedAt: now, number: 0, listedAt: schedule.startsAt)
        try new.tidy()
        return try await database.write { [new] db in
            guard try CompetitionRows.count(db) < Competition.maximumCount else {
                throw Refusal(
                    .tooMany,
                    "the limit of \(Competition.maximumCount) competitions is reached; delete one first")
            }
            let made = try CompetitionRows.insert(new, db)
            try Accounts.note(.competitionChanged, by: caller, about: nil, after: made.auditText, at: now, db)
            return made
        }
    }

    /// Changes a competition.
    ///
    /// - Parameters:
    ///   - id: the competition.
    ///   - revisions: the revisions of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change; whether they may is for the caller of this to ask.
    ///   - change: changes name, description and schedule; may run more than once.
    /// - Returns: the competition after the change.
    /// - Throws: `Refusal` with `notFound`, `emptyField`, `invalidField` or `changedMeanwhile`; errors of
    ///   `change`.
    package func changeCompetition(
        _ id: OpaqueID, from revisions: Set<Int64>?, by caller: Caller,
        _ change: @escaping @Sendable (inout Competition) throws -> Void
    ) async throws -> Competition {
        try await update(id, from: revisions, by: caller) { competition, _ in
            try change(&competition)
            try competition.tidy()
            competition.listedAt = competition.schedule.startsAt
        }
    }

    /// Replaces the standings of a competition; see ``changeCompetition(_:from:by:_:)``.
    ///
    /// - Throws: `Refusal` with `notFound` or `changedMeanwhile`.
    package func setStandings(
        _ standings: Standings, of id: OpaqueID, from revisions: Set<Int64>?, by caller: Caller
    ) async throws -> Competition {
        try await update(id, from: revisions, by: caller) { competition, db in
            try CompetitionRows.set(standings, of: competition, db)
        }
    }

    /// Replaces the image of a competition; see ``changeCompetition(_:from:by:_:)``. An image that is `nil` removes it.
    ///
    /// - Throws: `Refusal` with `notFound` or `changedMeanwhile`.
    package func setImage(
        _ image: CompetitionImage?, ofCompetition id: OpaqueID, from revisions: Set<Int64>? = nil, by caller: Caller
    ) async throws -> Competition {
        try await update(id, from: revisions, by: caller) { competition, db in
            competition.image = image?.version
            try CompetitionRows.set(image, of: competition, db)
        }
    }

    /// Deletes a competition with all that belongs to it.
    ///
    /// - Throws: `Refusal` with `notFound` or `changedMeanwhile`.
    package func deleteCompetition(_ id: OpaqueID, from revisions: Set<Int64>? = nil, by caller: Caller) async throws {
        let now = now
        try await database.write { db in
            let competition = try Self.competition(id, from: revisions, db)
            try CompetitionRows.delete(competition, db)
            try Accounts.note(.competitionChanged, by: caller, about: nil, before: competition.auditText, at: now, db)
        }
    }

    func update(
        _ id: OpaqueID, from revisions: Set<Int64>?, by caller: Caller,
        _ change: @escaping @Sendable (inout Competition, any SQLConnection) throws -> Void
    ) async throws -> Competition {
        let now = now
        return try await database.write { db in
            let old = try Self.competition(id, from: revisions, db)
            var new = old
            try change(&new, db)
            (new.revision, new.changedAt) = (old.revision + 1, now)
            try CompetitionRows.update(new, db)
            try Accounts.note(
                .competitionChanged, by: caller, about: nil, before: old.auditText, after: new.auditText, at: now, db)
            return new
        }
    }

    /// - Throws: `Refusal` with `notFound`.
    static func competition(_ id: OpaqueID, _ db: any SQLConnection) throws -> Competition {
        guard let competition = try CompetitionRows.competition(id, db) else {
            throw Refusal(.notFound, "there is no such competition")
        }
        return competition
    }

    /// - Throws: `Refusal` with `notFound` or `changedMeanwhile`.
    private static func competition(
        _ id: OpaqueID, from revisions: Set<Int64>?, _ db: any SQLConnection
    ) throws -> Competition {
        let competition = try competition(id, db)
        guard revisions?.contains(competition.revision) ?? true else {
            throw Refusal(
                .changedMeanwhile, "the competition was changed meanwhile; read it again, and repeat your change")
        }
        return competition
    }
}

extension Competition {
    /// The text of the audit log.
    fileprivate var auditText: String {
        let dates = "\(schedule.firstDay), \(schedule.dayCount) days, \(schedule.zone.identifier)"
        return "competition \(id): \(name), \(dates), revision \(revision)"
    }
}
