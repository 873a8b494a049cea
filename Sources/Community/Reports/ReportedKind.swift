/// What can be reported.
package enum ReportedKind: String, Sendable, Hashable, CaseIterable {
    case video, comment
}
