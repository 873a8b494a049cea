import Accounts
import Database
import MediaCore

extension Community {
    /// The time between two calls of ``sweep()``.
    package static let sweepInterval = Duration.seconds(60)

    /// Recounts everything and reports the counters that say something else; at most 100 of each kind.
    package func counterDifferences() async throws -> [CounterDifference] {
        try await database.read { db in try CounterAudit.differences(db) }
    }

    /// Removes the videos and uploads whose titles were deleted.
    ///
    /// - Throws: `SQLError`
    package func sweep() async throws {
        let now = now
        var count: Int
        repeat {
            count = try await database.write { db in
                let videos = try VideoRows.withoutTitle(limit: Self.batchSize, db)
                for video in videos { try self.removeWithoutTitle(video, at: now, db) }
                return videos.count
            }
        } while count == Self.batchSize
        try await database.write { db in try UploadRows.removeWithoutTitle(db) }
    }

    func removeWithoutTitle(_ number: Int64, at now: WallClockTime, _ db: any SQLConnection) throws {
        try ReportRows.forget(commentsOf: number, db)
        let id: String? = try db.firstValue("SELECT id FROM communityVideo WHERE number = ?1", .integer(number))
        if let id {
            try ReportRows.forget(.video, id, db)
            try tell(.removed(OpaqueID(parsing: id), upload: nil), at: now, db)
        }
        try VideoRows.deleteWithoutTitle(number, db)
    }
}
