/// A group of notifications that members switch on and off together. The texts are names of fields and never change.
package enum NotificationGroup: String, Sendable, Hashable, CaseIterable {
    /// New videos and live channels, for everybody.
    case newVideos
    /// What others do with what is the receiver's own.
    case aboutMe
    /// What those do whom the receiver follows.
    case followed
}
