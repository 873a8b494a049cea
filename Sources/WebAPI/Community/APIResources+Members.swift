import APIContract
import APIDeclarations
import Accounts
import Community

extension APIResources {
    /// The JSON of a member's own profile.
    static func ownProfile(_ profile: OwnProfile) -> APIObject<OwnProfileFields> {
        OwnProfileFields.object {
            [
                $0.about(profile.about), $0.visibility(profile.visibility.rawValue),
                $0.showsFollows(profile.showsFollows), $0.showsLikes(profile.showsLikes),
            ]
        }
    }

    /// The JSON of something that has happened.
    static func activity(_ activity: Activity) -> APIObject<ActivityFields> {
        ActivityFields.object {
            [
                $0.kind(activity.kind.rawValue), $0.actor(activity.actor), $0.video(activity.video?.text),
                $0.videoName(activity.videoName), $0.comment(activity.comment?.text), $0.text(activity.text),
                $0.happenedAt(time(activity.happenedAt)),
            ]
        }
    }

    /// The JSON of something that moderators have decided about a member.
    ///
    /// - Parameter isForModerators: whether the moderator's name is there.
    static func record(
        _ record: ModerationRecord, isForModerators: Bool = false
    ) -> APIObject<ModerationRecordFields> {
        ModerationRecordFields.object {
            [
                $0.event(record.event.rawValue), $0.kind(record.kind.rawValue), $0.id(record.subject.text),
                $0.text(record.text), $0.happenedAt(time(record.happenedAt)),
                isForModerators ? $0.moderator(record.moderator) : nil,
            ]
        }
    }
}
