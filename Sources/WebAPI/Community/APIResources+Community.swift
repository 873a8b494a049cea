import Accounts
import Community
import HTTPEndpoints
import JSONDocument
import Workflows

extension APIResources {
    /// The JSON of a comment.
    ///
    /// - Parameter replies: the answers to it that come with it.
    static func comment(_ comment: VideoComment, replies: [VideoComment] = []) -> JSONText {
        .object([
            ("id", .string(comment.id.text)), ("video", .string(comment.video.text)),
            ("parent", .optional(comment.parent?.text)), ("author", .optional(comment.authorName)),
            ("text", .string(comment.text)), ("state", .string(comment.state.rawValue)),
            ("replyCount", .integer(Int(comment.replies))), ("writtenAt", time(comment.writtenAt)),
            ("editedAt", time(comment.editedAt)),
            ("authorPhoto", .optional(ResourcePaths.photo(ofMember: comment.authorName, comment.authorPhoto))),
            ("replies", .array(replies.map { Self.comment($0) })),
        ])
    }

    /// The JSON of a member in a list.
    static func member(_ member: ListedMember) -> JSONText {
        .object([
            ("username", .string(member.username)), ("followed", member.isFollowed.map(JSONText.boolean) ?? .null),
            ("photo", .optional(ResourcePaths.photo(ofMember: member.username, member.photo))),
        ])
    }

    /// The JSON of a member's public profile.
    static func profile(_ profile: MemberProfile) -> JSONText {
        .object([
            ("username", .string(profile.username)), ("videos", .integer(Int(profile.videos))),
            ("followers", .integer(Int(profile.followers))), ("followings", .integer(Int(profile.followings))),
            ("followed", profile.isFollowed.map(JSONText.boolean) ?? .null),
            ("about", .string(profile.about)), ("visibility", .string(profile.visibility.rawValue)),
            ("blocked", .boolean(profile.isBlocked)), ("muted", .boolean(profile.isMuted)),
            ("photo", .optional(ResourcePaths.photo(ofMember: profile.username, profile.photo))),
        ])
    }

    /// The JSON of a member's community activity.
    static func activity(_ activity: MemberActivity) -> JSONText {
        .object([
            (
                "videos",
                .array(
                    activity.videos.map {
                        .object([
                            ("id", .string($0.id.text)), ("name", .string($0.name)),
                            ("publishedAt", time($0.publishedAt)),
                        ])
                    })
            ),
            (
                "likes",
                .array(
                    activity.likes.map { .object([("video", .string($0.video.text)), ("likedAt", time($0.likedAt))]) })
            ),
            (
                "comments",
                .array(
                    activity.comments.map {
                        .object([
                            ("id", .string($0.id.text)), ("video", .string($0.video.text)),
                            ("text", .string($0.text)), ("writtenAt", time($0.writtenAt)),
                        ])
                    })
            ),
            (
                "reports",
                .array(
                    activity.reports.map {
                        .object([
                            ("kind", .string($0.kind)), ("id", .string($0.subject.text)),
                            ("reason", .string($0.reason)), ("text", .string($0.text)),
                            ("reportedAt", time($0.reportedAt)),
                        ])
                    })
            ),
            ("followings", .array(activity.followings.map(JSONText.string))),
            ("profile", ownProfile(activity.profile)),
            ("blocks", .array(activity.blocked.map(JSONText.string))),
            ("mutes", .array(activity.muted.map(JSONText.string))),
            ("warnings", .array(activity.records.map { record($0) })),
        ])
    }

    /// The JSON of something that was reported.
    ///
    /// - Parameters:
    ///   - reports: its reports; `nil` in lists.
    ///   - history: what moderators have decided about its owner.
    static func moderated(
        _ item: ModeratedItem, reports: [ItemReport]? = nil, history: [ModerationRecord] = []
    ) -> JSONText {
        var fields: [JSONText.Field] = [
            ("kind", .string(item.kind.rawValue)), ("id", .string(item.subject.text)),
            ("owner", .optional(item.ownerName)), ("text", .string(item.text)), ("hidden", .boolean(item.isHidden)),
            ("reportCount", .integer(Int(item.reports))), ("reportedAt", time(item.reportedAt)),
            ("claimedBy", .optional(item.claimedBy)), ("claimedUntil", time(item.claimedUntil)),
            ("decision", .optional(item.decision?.rawValue)), ("note", .optional(item.decisionNote)),
            ("decidedAt", time(item.decidedAt)), ("appeal", .optional(item.appeal)),
            ("appealedAt", time(item.appealedAt)),
        ]
        if let reports {
            let reports = reports.map { report in
                JSONText.object([
                    ("reason", .string(report.reason.rawValue)), ("text", .string(report.text)),
                    ("reportedAt", time(report.reportedAt)), ("decidedAt", time(report.decidedAt)),
                ])
            }
            fields.append(("reports", .array(reports)))
            fields.append(("history", .array(history.map { record($0, isForModerators: true) })))
        }
        return .object(fields)
    }
}
