package import Accounts

/// A change of a topic; `nil` leaves a field as it is.
package struct ForumTopicChange: Sendable {
    /// For its author, and for moderators.
    package var title: String?
    /// For moderators.
    package var isLocked: Bool?
    package var isPinned: Bool?
    /// The category of the operators to which it is moved.
    package var category: OpaqueID?

    package init() {}

    var isForModerators: Bool { isLocked != nil || isPinned != nil || category != nil }
}
