import Database

/// The highest number that was ever given to a job, which stays when the job is deleted.
enum JobCounter {
    static let table = SQLTable("counter", [.text("name"), .integer("value")], key: ["name"])
    private static let name = "job"

    /// Raises the counter; does nothing if it is higher.
    static func raise(to number: Int64, _ db: any SQLConnection) throws {
        try db.execute(
            """
            INSERT INTO counter(name, value) VALUES (?1, ?2)
            ON CONFLICT (name) DO UPDATE SET value = excluded.value WHERE excluded.value > counter.value
            """, .text(name), .integer(number))
    }

    /// The highest number; 0 if there were no jobs.
    static func highest(_ db: any SQLConnection) throws -> Int64 {
        let counted: Int64 = try db.firstValue("SELECT value FROM counter WHERE name = ?1", .text(name)) ?? 0
        // The version before this table does not count.
        let stored: Int64 = try db.firstValue("SELECT max(number) FROM job") ?? 0
        return max(counted, stored)
    }
}
