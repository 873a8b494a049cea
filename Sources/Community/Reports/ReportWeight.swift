/// The weight of a report, in halves of a report.
enum ReportWeight {
    /// The weight of most reports, and of all while they are not weighed.
    static let usual: Int64 = 2
    static let trusted: Int64 = 4
    static let doubtful: Int64 = 1

    /// The weight of the report of a member with a record: twice the usual one with 5 confirmed reports or more, if
    /// these are at least 4 times the rejected ones; half of it with 3 rejected reports or more, if these are more than
    /// the confirmed ones.
    ///
    /// - Parameters:
    ///   - confirmed: earlier reports after which the item was hidden or deleted.
    ///   - rejected: earlier reports after which the item was restored.
    static func weight(confirmed: Int64, rejected: Int64) -> Int64 {
        if confirmed >= 5, confirmed / 4 >= rejected { return trusted }
        if rejected >= 3, rejected > confirmed { return doubtful }
        return usual
    }
}
