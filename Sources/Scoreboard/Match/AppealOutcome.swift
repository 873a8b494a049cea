/// The outcome of an appeal.
package enum AppealOutcome: String, Sendable, Hashable, CaseIterable {
    /// One is used up, whatever came of it.
    case used
    /// The referee's call was changed; the side keeps the appeal.
    case upheld
    case rejected
}
