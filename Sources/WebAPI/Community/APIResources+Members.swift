import Accounts
import Community
import JSONDocument

extension APIResources {
    /// The JSON of a member's own profile.
    static func ownProfile(_ profile: OwnProfile) -> JSONText {
        .object([
            ("about", .string(profile.about)), ("visibility", .string(profile.visibility.rawValue)),
            ("showsFollows", .boolean(profile.showsFollows)), ("showsLikes", .boolean(profile.showsLikes)),
        ])
    }

    /// The JSON of something that has happened.
    static func activity(_ activity: Activity) -> JSONText {
        .object([
            ("kind", .string(activity.kind.rawValue)), ("actor", .string(activity.actor)),
            ("video", .optional(activity.video?.text)), ("videoName", .optional(activity.videoName)),
            ("comment", .optional(activity.comment?.text)), ("text", .optional(activity.text)),
            ("happenedAt", time(activity.happenedAt)),
        ])
    }

    /// The JSON of something that moderators have decided about a member.
    ///
    /// - Parameter isForModerators: whether the moderator's name is there.
    static func record(_ record: ModerationRecord, isForModerators: Bool = false) -> JSONText {
        .object(
            [
                ("event", .string(record.event.rawValue)), ("kind", .string(record.kind.rawValue)),
                ("id", .string(record.subject.text)), ("text", .string(record.text)),
                ("happenedAt", time(record.happenedAt)),
            ] + (isForModerators ? [("moderator", .string(record.moderator))] : []))
    }
}
