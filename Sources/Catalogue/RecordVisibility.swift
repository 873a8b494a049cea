package import Database

/// Which titles or tracks somebody may be shown, by the audiences that operators have set for single ones.
package struct RecordVisibility: Sendable, Hashable {
    /// Whether those without an audience of their own are shown.
    package var showsUnset: Bool
    /// The audiences that include the reader.
    package var audiences: Set<ItemAudienceName>
    /// The account to which single ones may have been opened by name; `nil` for somebody without an account.
    package var account: String?

    package init(showsUnset: Bool, audiences: Set<ItemAudienceName>, account: String? = nil) {
        (self.showsUnset, self.audiences, self.account) = (showsUnset, audiences, account)
    }

    /// The condition that a record is shown.
    ///
    /// - Parameters:
    ///   - table: the table of the records, which is the section of their audiences.
    ///   - parameter: adds an argument to the statement and returns its placeholder.
    package func condition(_ table: String, _ parameter: (SQLValue) -> String) -> String {
        let shown = audiences.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        // Without a value that has to be computed, of which PostgreSQL would expect that it is rarely the right one.
        let (isShown, exists) = showsUnset ? ("NOT IN", "NOT EXISTS") : ("IN", "EXISTS")
        let ofAudience = shown.isEmpty ? (showsUnset ? "" : "AND FALSE") : "AND rule.audience \(isShown) (\(shown))"
        let byAudience = """
            \(exists) (SELECT 1 FROM audienceRule AS rule
                WHERE rule.section = '\(table)' AND rule.subject = \(table).id \(ofAudience))
            """
        let notHeld = """
            NOT EXISTS (SELECT 1 FROM audienceHold AS held
                WHERE held.section = '\(table)' AND held.subject = \(table).id)
            """
        guard let account else { return "(\(notHeld) AND \(byAudience))" }
        return """
            (\(notHeld) AND (\(byAudience) OR EXISTS (SELECT 1 FROM audienceGrant AS opened
                WHERE opened.section = '\(table)' AND opened.subject = \(table).id
                AND opened.userID = \(parameter(.text(account))))))
            """
    }
}
