/// The kind of an item that can be reported.
package enum ReportedKind: String, Sendable, Hashable, CaseIterable {
    case video, comment
    /// A member, whose ID is that of the account.
    case profile
    /// A comment in a topic of the forum; the first one stands for its topic.
    case topicComment
}
