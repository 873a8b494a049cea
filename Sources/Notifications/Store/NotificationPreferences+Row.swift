import Database

extension NotificationPreferences {
    /// The preferences in three columns, in the order of the groups; all are `NULL` for somebody who has not chosen.
    init(_ row: SQLRow, from column: Int) throws {
        self.init()
        for (offset, group) in NotificationGroup.allCases.enumerated() {
            guard let stored: Int = try row.optional(column + offset) else { continue }
            self[group] = NotificationChannels(rawValue: stored)
        }
    }
}
