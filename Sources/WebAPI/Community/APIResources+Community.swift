import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import JSONDocument
import Workflows

extension APIResources {
    /// The JSON of a comment.
    ///
    /// - Parameter replies: the answers to it that come with it.
    static func comment(_ comment: VideoComment, replies: [VideoComment] = []) -> APIObject<CommentFields> {
        CommentFields.object { f in
            [
                f.id(comment.id.text), f.video(comment.video.text), f.parent(comment.parent?.text),
                f.author(comment.authorName), f.text(comment.text), f.state(comment.state.rawValue),
                f.replyCount(Int(comment.replies)), f.writtenAt(time(comment.writtenAt)),
                f.editedAt(time(comment.editedAt)),
                f.authorPhoto(ResourcePaths.photo(ofMember: comment.authorName, comment.authorPhoto)),
                f.replies(replies.map { Self.comment($0) }),
            ]
        }
    }

    /// The JSON of a member in a list.
    static func member(_ member: ListedMember) -> APIObject<ListedMemberFields> {
        ListedMemberFields.object {
            [
                $0.username(member.username), $0.followed(member.isFollowed),
                $0.photo(ResourcePaths.photo(ofMember: member.username, member.photo)),
            ]
        }
    }

    /// The JSON of a member's public profile.
    static func profile(_ profile: MemberProfile) -> APIObject<MemberProfileFields> {
        MemberProfileFields.object {
            [
                $0.username(profile.username), $0.videos(Int(profile.videos)), $0.followers(Int(profile.followers)),
                $0.followings(Int(profile.followings)), $0.followed(profile.isFollowed), $0.about(profile.about),
                $0.visibility(profile.visibility.rawValue), $0.blocked(profile.isBlocked),
                $0.muted(profile.isMuted), $0.photo(ResourcePaths.photo(ofMember: profile.username, profile.photo)),
            ]
        }
    }

    /// The JSON of a member's community activity.
    static func activity(_ activity: MemberActivity) -> APIObject<MemberCommunityDataFields> {
        MemberCommunityDataFields.object {
            [
                $0.videos(activity.videos.map(ownVideo)), $0.likes(activity.likes.map(ownLike)),
                $0.comments(activity.comments.map(ownComment)), $0.reports(activity.reports.map(ownReport)),
                $0.followings(activity.followings), $0.profile(ownProfile(activity.profile)),
                $0.blocks(activity.blocked), $0.mutes(activity.muted),
                $0.warnings(activity.records.map { record($0) }),
            ]
        }
    }

    private static func ownVideo(_ video: MemberActivity.Publication) -> APIObject<OwnVideoFields> {
        OwnVideoFields.object { [$0.id(video.id.text), $0.name(video.name), $0.publishedAt(time(video.publishedAt))] }
    }

    private static func ownLike(_ like: MemberActivity.Like) -> APIObject<OwnLikeFields> {
        OwnLikeFields.object { [$0.video(like.video.text), $0.likedAt(time(like.likedAt))] }
    }

    private static func ownComment(_ comment: MemberActivity.Remark) -> APIObject<OwnCommentFields> {
        OwnCommentFields.object {
            [
                $0.id(comment.id.text), $0.video(comment.video.text), $0.text(comment.text),
                $0.writtenAt(time(comment.writtenAt)),
            ]
        }
    }

    private static func ownReport(_ report: MemberActivity.Report) -> APIObject<OwnReportFields> {
        OwnReportFields.object {
            [
                $0.kind(report.kind), $0.id(report.subject.text), $0.reason(report.reason), $0.text(report.text),
                $0.reportedAt(time(report.reportedAt)),
            ]
        }
    }

    /// The JSON of something that was reported.
    ///
    /// - Parameters:
    ///   - reports: its reports; `nil` in lists.
    ///   - history: what moderators have decided about its owner.
    static func moderated(
        _ item: ModeratedItem, reports: [ItemReport]? = nil, history: [ModerationRecord] = []
    ) -> APIObject<ModeratedItemFields> {
        ModeratedItemFields.object { f in
            var members: [JSONText.Field?] = [
                f.kind(item.kind.rawValue), f.id(item.subject.text), f.owner(item.ownerName), f.text(item.text),
                f.hidden(item.isHidden), f.reportCount(Int(item.reports)), f.reportedAt(time(item.reportedAt)),
                f.claimedBy(item.claimedBy), f.claimedUntil(time(item.claimedUntil)),
                f.decision(item.decision?.rawValue), f.note(item.decisionNote), f.decidedAt(time(item.decidedAt)),
                f.appeal(item.appeal), f.appealedAt(time(item.appealedAt)),
            ]
            if let reports {
                members.append(f.reports(reports.map(report)))
                members.append(f.history(history.map { record($0, isForModerators: true) }))
            }
            return members
        }
    }

    private static func report(_ report: ItemReport) -> APIObject<ModeratedItemReportFields> {
        ModeratedItemReportFields.object {
            [
                $0.reason(report.reason.rawValue), $0.text(report.text), $0.reportedAt(time(report.reportedAt)),
                $0.decidedAt(time(report.decidedAt)),
            ]
        }
    }
}
