/// Time limits of calls. SQLite's calls are local and do not have one.
package enum SQLTimeLimit {
    /// A call that somebody waits for: short enough that a request is answered within 2 s although the database does
    /// not answer.
    package static let request = Duration.milliseconds(1_500)
    /// Migrations and copies, whose statements may rewrite a table.
    package static let maintenance = Duration.seconds(3_600)
}
