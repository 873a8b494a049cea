import Database

extension NotificationPreferences {
    /// The preferences in four columns: one for each group, in their order, and the channels that there were to choose
    /// from. All are `NULL` for somebody who has not chosen.
    init(_ row: SQLRow, from column: Int) throws {
        self.init()
        let groups = NotificationGroup.allCases
        let offered: Int? = try row.optional(column + groups.count)
        // A member who wants nothing of a group wants nothing of it by a new channel, either.
        let new = Self.initial.subtracting(NotificationChannels(rawValue: offered ?? Self.initial.rawValue))
        for (offset, group) in groups.enumerated() {
            guard let stored: Int = try row.optional(column + offset) else { continue }
            self[group] = NotificationChannels(rawValue: stored).union(stored == 0 ? [] : new)
        }
    }
}
