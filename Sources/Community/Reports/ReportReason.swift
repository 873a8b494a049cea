/// Why a member reports something.
package enum ReportReason: String, Sendable, Hashable, CaseIterable {
    case spam, violence, nudity, hate, harassment, copyright, privacy, other
}
