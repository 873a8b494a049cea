/// The kind of an item that can be reported.
package enum ReportedKind: String, Sendable, Hashable, CaseIterable {
    case video, comment
    /// A member, whose ID is that of the account.
    case profile
}
