/// The result of a check of the ledger.
package struct LedgerReport: Sendable, Hashable {
    package var movementCount: Int64
    package var lineCount: Int64
    /// Accounts of members that have had credits.
    package var accountCount: Int64
    /// The credits of all members.
    package var memberTotal: Int64
    /// The inconsistencies, one sentence each; empty if the ledger is in order. Not more than
    /// ``maximumFindingCountPerRule`` for each rule.
    package var findings: [String]

    /// Limit of the findings of one rule.
    package static let maximumFindingCountPerRule = 20
}
