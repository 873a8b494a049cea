package import JSONDocument

/// Tables of announcements.
package enum AnnouncementTables {
    /// - Parameter announcements: announcements in the API's representation.
    package static func announcements(_ announcements: [JSONNode]) -> String {
        var table = TextTable("ID", "SHOWN", "FOR", "FROM", "UNTIL", "TEXT")
        for announcement in announcements {
            table.add(
                announcement.text("id"), announcement["shown"]?.boolean == true ? "yes" : "no",
                announcement.text("audience"), announcement.text("from"), announcement.text("until"),
                TextTable.short(announcement.text("text")))
        }
        return table.isEmpty ? "no announcements" : table.text
    }
}
