import Database

/// How far lists of others were read. Each function runs inside the transaction of its caller.
enum PositionRows {
    static func position(_ name: String, _ db: any SQLConnection) throws -> Int64? {
        try db.firstValue("SELECT number FROM notificationPosition WHERE name = ?1", .text(name))
    }

    /// Notes a position; it only rises.
    static func set(_ number: Int64, _ name: String, _ db: any SQLConnection) throws {
        try db.insert(
            ["name": .text(name), "number": .integer(number)], into: NotificationSchema.positions,
            "ON CONFLICT (name) DO UPDATE SET number = excluded.number WHERE notificationPosition.number < excluded.number"
        )
    }
}
