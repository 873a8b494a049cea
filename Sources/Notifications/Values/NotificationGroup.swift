/// A group of notifications that members switch on and off together. The texts are names of fields and never change.
package enum NotificationGroup: String, Sendable, Hashable, CaseIterable {
    /// New videos and live channels, for everybody.
    case newVideos
    /// New topics of the forum, for everybody.
    case newTopics
    /// Activity of others on the receiver's own items.
    case aboutMe
    /// Activity of members, topics and categories that the receiver follows.
    case followed
}
