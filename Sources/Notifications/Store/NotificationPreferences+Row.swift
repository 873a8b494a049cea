import Database

extension NotificationPreferences {
    /// The preferences in four columns: one for each group, with its name, and the channels that there were to choose
    /// from. All are `NULL` for somebody who has not chosen.
    init(_ row: SQLRow) throws {
        self.init()
        let offered: Int? = try row.optional("channels")
        // A member who wants nothing of a group wants nothing of it by a new channel, either.
        let new = Self.initial.subtracting(NotificationChannels(rawValue: offered ?? Self.initial.rawValue))
        for group in NotificationGroup.allCases {
            guard let stored: Int = try row.optional(group.rawValue) else { continue }
            self[group] = NotificationChannels(rawValue: stored).union(stored == 0 ? [] : new)
        }
    }
}
