package import APIContract
import JSONDocument
import MediaCore

/// The operations of the API for community.
package enum CommunityAPI {
    package static let listVideos = APIOperation(
        .get, "/api/v1/videos", "listVideos", "Published videos",
        "Only public ones, and of titles that the sender may watch.",
        parameters: [
            .cursor, .limit, .q,
            .query(
                Field<String>(
                    "sort", "order: newest first (the default), or most likes first", .optional,
                    .oneOf("newest", "likes"))),
            .query(
                Field<String>(
                    "competition", "ID of a competition; 404 for any other text", .optional, .minimumLength(1))),
            .query(Field<Int>("day", "day of the competition, from 1", .optional, .minimum(1), .maximum(366))),
            .query(
                Field<String>(
                    "owner", "username of the owner; not together with `competition`", .optional, .minimumLength(1))),
        ], answer: .page(of: VideoFields.self, "Videos")
    )
    .refusing(.loginNeeded, .notFound, .conflict, .invalidCursor)
    .failing(with: APIProblem(422, .notValid))

    package static let publishVideo = APIOperation(
        .post, "/api/v1/videos", "publishVideo", "Publish a title",
        "A member who manages a title, or has sent it, publishes it, once. 409 if it is published already.",
        body: APIBody(.json(NewVideoFields.self)), answer: .object(VideoFields.self, "The video", status: 201)
    )
    .refusing(.notFound, .conflict, .missingFields, .tooManyAttempts)

    package static let getVideo = APIOperation(
        .get, "/api/v1/videos/{id}", "getVideo", "A published video",
        "An unlisted one is reached by its ID. One that was hidden answers 404, except to its owner and to moderators.",
        parameters: [.id], answer: .object(VideoFields.self, "The video"))

    package static let changeVideo = APIOperation(
        .patch, "/api/v1/videos/{id}", "changeVideo", "Change what is said about a video, or the title that it plays",
        "A JSON merge patch (RFC 7396).", parameters: [.id, .ifMatch], body: APIBody(.json(VideoChangeFields.self)),
        answer: .object(VideoFields.self, "The video")
    )
    .refusing(.conflict)

    package static let deleteVideo = APIOperation(
        .delete, "/api/v1/videos/{id}", "deleteVideo", "End the publication of a video, with its likes and comments",
        "A title of the station stays in the library; one that a member has sent is deleted.", parameters: [.id],
        answer: .nothing("Ended"))

    package static let likeVideo = APIOperation(
        .put, "/api/v1/videos/{id}/like", "likeVideo", "Like a video", parameters: [.id],
        answer: .object(VideoFields.self, "The video"))

    package static let unlikeVideo = APIOperation(
        .delete, "/api/v1/videos/{id}/like", "unlikeVideo", "Do not like a video any more", parameters: [.id],
        answer: .object(VideoFields.self, "The video"))

    package static let listVideoLikes = APIOperation(
        .get, "/api/v1/videos/{id}/likes", "listVideoLikes", "Those who like a video, the last ones first",
        parameters: [.id, .cursor, .limit], answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.invalidCursor)

    package static let listComments = APIOperation(
        .get, "/api/v1/videos/{id}/comments", "listComments",
        "Comments about a video, the last ones first, with their first answers", parameters: [.id, .cursor, .limit],
        answer: .page(of: CommentFields.self, "Comments")
    )
    .refusing(.invalidCursor)

    package static let addComment = APIOperation(
        .post, "/api/v1/videos/{id}/comments", "addComment", "Comment on a video, or answer a comment",
        "The comment is held if the owner approves comments, or if somebody who has just come writes a link. 409 where comments are closed.",
        parameters: [.id], body: APIBody(.json(NewCommentFields.self)),
        answer: .object(CommentFields.self, "The comment", status: 201)
    )
    .refusing(.conflict, .missingFields, .tooManyAttempts)

    package static let changeComment = APIOperation(
        .patch, "/api/v1/comments/{id}", "changeComment", "Change one's own comment", parameters: [.id],
        body: APIBody(.json(CommentChangeFields.self)), answer: .object(CommentFields.self, "The comment")
    )
    .refusing(.missingFields)

    package static let deleteComment = APIOperation(
        .delete, "/api/v1/comments/{id}", "deleteComment", "Delete a comment",
        "One's own; the owner of the video and moderators delete any. A comment with answers stays without its text.",
        parameters: [.id], answer: .nothing("Deleted"))

    package static let listReplies = APIOperation(
        .get, "/api/v1/comments/{id}/replies", "listReplies",
        "Answers to a comment, in the order in which they were written", parameters: [.id, .cursor, .limit],
        answer: .page(of: CommentFields.self, "Comments")
    )
    .refusing(.invalidCursor)

    package static let approveComment = APIOperation(
        .post, "/api/v1/comments/{id}/approval", "approveComment", "Show a comment that waits for approval",
        "For the owner of the video and moderators.", parameters: [.id],
        answer: .object(CommentFields.self, "The comment")
    )
    .refusing(.conflict)

    package static let reportVideo = APIOperation(
        .put, "/api/v1/videos/{id}/report", "reportVideo", "Report a video",
        "Once for each member. With the report that reaches the threshold the video is hidden until a moderator has decided.",
        parameters: [.id], body: APIBody(.json(ReportFields.self)), answer: .nothing("Reported")
    )
    .refusing(.conflict, .missingFields, .tooManyAttempts)

    package static let withdrawVideoReport = APIOperation(
        .delete, "/api/v1/videos/{id}/report", "withdrawVideoReport", "Take back one's report of a video",
        "While nobody has decided about it.", parameters: [.id], answer: .nothing("Taken back"))

    package static let appealVideo = APIOperation(
        .post, "/api/v1/videos/{id}/appeal", "appealVideo",
        "Say something against the decision to hide one's own video", "Once.", parameters: [.id],
        body: APIBody(.json(AppealFields.self)), answer: .nothing("The moderators will look at it again")
    )
    .refusing(.conflict, .missingFields)

    package static let reportComment = APIOperation(
        .put, "/api/v1/comments/{id}/report", "reportComment", "Report a comment",
        "Once for each member. With the report that reaches the threshold the comment is hidden until a moderator has decided.",
        parameters: [.id], body: APIBody(.json(ReportFields.self)), answer: .nothing("Reported")
    )
    .refusing(.conflict, .missingFields, .tooManyAttempts)

    package static let withdrawCommentReport = APIOperation(
        .delete, "/api/v1/comments/{id}/report", "withdrawCommentReport", "Take back one's report of a comment",
        "While nobody has decided about it.", parameters: [.id], answer: .nothing("Taken back"))

    package static let appealComment = APIOperation(
        .post, "/api/v1/comments/{id}/appeal", "appealComment",
        "Say something against the decision to hide one's own comment", "Once.", parameters: [.id],
        body: APIBody(.json(AppealFields.self)), answer: .nothing("The moderators will look at it again")
    )
    .refusing(.conflict, .missingFields)

    package static let getProfile = APIOperation(
        .get, "/api/v1/users/{name}/profile", "getProfile", "What everybody may know of a member",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.loginNeeded)

    package static let followMember = APIOperation(
        .put, "/api/v1/users/{name}/follow", "followMember", "Follow a member", "At most 5,000 others.",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict, .tooMany)

    package static let unfollowMember = APIOperation(
        .delete, "/api/v1/users/{name}/follow", "unfollowMember", "Do not follow a member any more",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict)

    package static let listFollowers = APIOperation(
        .get, "/api/v1/users/{name}/followers", "listFollowers", "Those who follow a member, the last ones first",
        parameters: [.member, .cursor, .limit],
        answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.loginNeeded, .forbidden, .invalidCursor)

    package static let listFollowings = APIOperation(
        .get, "/api/v1/users/{name}/followings", "listFollowings", "The members that a member follows, newest first",
        parameters: [.member, .cursor, .limit],
        answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.loginNeeded, .forbidden, .invalidCursor)

    package static let listMembers = APIOperation(
        .get, "/api/v1/members", "listMembers", "Members by username",
        "`q` is the beginning of the username. Strangers do not find profiles that are for members.",
        parameters: [.cursor, .limit, .q], answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.invalidCursor)

    package static let getOwnProfile = APIOperation(
        .get, "/api/v1/me/profile", "getOwnProfile", "What the community sees of the sender",
        answer: .object(OwnProfileFields.self, "The profile"))

    package static let changeOwnProfile = APIOperation(
        .patch, "/api/v1/me/profile", "changeOwnProfile", "Change what the community sees of the sender",
        body: APIBody(.json(OwnProfileChangeFields.self)), answer: .object(OwnProfileFields.self, "The profile"))

    package static let listActivities = APIOperation(
        .get, "/api/v1/me/activities", "listActivities", "What has happened, the last first",
        "`news`: others follow the sender, like the sender's videos, comment on them or answer the sender. `followed`: likes of members that the sender follows. `own`: likes of the sender.",
        parameters: [
            .cursor, .limit,
            .query(
                Field<String>(
                    "list", "list of activities", .optional, .oneOf("news", "followed", "own"),
                    .standard(.string("news")))),
        ], answer: .page(of: ActivityFields.self, "What has happened")
    )
    .refusing(.invalidCursor)

    package static let blockMember = APIOperation(
        .put, "/api/v1/users/{name}/block", "blockMember", "Block a member",
        "A blocked member cannot follow the sender, like or comment on the sender's videos, or answer the sender, and is muted. Who follows whom ends both ways. At most 5,000 others.",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict, .tooMany)

    package static let unblockMember = APIOperation(
        .delete, "/api/v1/users/{name}/block", "unblockMember", "Do not block a member any more",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict)

    package static let listBlocks = APIOperation(
        .get, "/api/v1/me/blocks", "listBlocks", "The members that the sender blocks, newest first",
        parameters: [.cursor, .limit], answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.invalidCursor)

    package static let muteMember = APIOperation(
        .put, "/api/v1/users/{name}/mute", "muteMember", "Mute a member",
        "The sender does not see their comments, and not their videos in the feed. At most 5,000 others.",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict, .tooMany)

    package static let unmuteMember = APIOperation(
        .delete, "/api/v1/users/{name}/mute", "unmuteMember", "Do not mute a member any more",
        parameters: [.member],
        answer: .object(MemberProfileFields.self, "The profile")
    )
    .refusing(.conflict)

    package static let listMutes = APIOperation(
        .get, "/api/v1/me/mutes", "listMutes", "The members that the sender mutes, newest first",
        parameters: [.cursor, .limit], answer: .page(of: ListedMemberFields.self, "Members")
    )
    .refusing(.invalidCursor)

    package static let reportProfile = APIOperation(
        .put, "/api/v1/users/{name}/report", "reportProfile", "Report the profile of a member",
        "Once for each member. With the report that reaches the threshold the profile is hidden until a moderator has decided.",
        parameters: [.member],
        body: APIBody(.json(ReportFields.self)), answer: .nothing("Reported")
    )
    .refusing(.conflict, .missingFields, .tooManyAttempts)

    package static let withdrawProfileReport = APIOperation(
        .delete, "/api/v1/users/{name}/report", "withdrawProfileReport", "Take back one's report of a profile",
        "While nobody has decided about it.",
        parameters: [.member],
        answer: .nothing("Taken back"))

    package static let appealProfile = APIOperation(
        .post, "/api/v1/me/profile/appeal", "appealProfile",
        "Say something against the decision to hide one's own profile", "Once.",
        body: APIBody(.json(AppealFields.self)), answer: .nothing("The moderators will look at it again")
    )
    .refusing(.conflict, .missingFields)

    package static let listWarnings = APIOperation(
        .get, "/api/v1/me/warnings", "listWarnings", "What moderators have decided about the sender, the last first",
        parameters: [.cursor, .limit], answer: .page(of: ModerationRecordFields.self, "Decisions and warnings")
    )
    .refusing(.invalidCursor)

    package static let warnOwner = APIOperation(
        .post, "/api/v1/moderation/{kind}/{id}/warning", "warnOwner", "Warn the owner of an item",
        "The owner reads the text. 409 for something of the station.",
        parameters: [
            .path(Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))),
            .id,
        ],
        body: APIBody(.json(OwnerWarningFields.self)), answer: .nothing("Warned")
    )
    .refusing(.conflict, .missingFields)

    package static let suspendOwner = APIOperation(
        .post, "/api/v1/moderation/{kind}/{id}/suspension", "suspendOwner",
        "Suspend the account of the owner of an item",
        "Its sessions end, and its tokens do not work meanwhile. An administrator can restore it before the end. 403 for accounts that may do more than a member, 409 for something of the station and for an account that is suspended for longer already.",
        parameters: [
            .path(Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))),
            .id,
        ],
        body: APIBody(.json(OwnerSuspensionFields.self)), answer: .nothing("Suspended")
    )
    .refusing(.conflict)

    package static let getFeed = APIOperation(
        .get, "/api/v1/me/feed", "getFeed", "Videos of members that the sender follows, and the sender's own",
        parameters: [
            .cursor, .limit, .q,
            .query(
                Field<String>(
                    "sort", "order: newest first (the default), or most likes first", .optional,
                    .oneOf("newest", "likes"))),
        ], answer: .page(of: VideoFields.self, "Videos")
    )
    .refusing(.invalidCursor)

    package static let listModeratedItems = APIOperation(
        .get, "/api/v1/moderation", "listModeratedItems",
        "What was reported and waits for a decision, the first reports first", parameters: [.cursor, .limit],
        answer: .page(of: ModeratedItemFields.self, "Items")
    )
    .refusing(.invalidCursor)

    package static let getModeratedItem = APIOperation(
        .get, "/api/v1/moderation/{kind}/{id}", "getModeratedItem", "Something that was reported, with its reports",
        "Who has reported it is not shown.",
        parameters: [
            .path(Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))),
            .id,
        ],
        answer: .object(ModeratedItemFields.self, "The item"))

    package static let claimModeratedItem = APIOperation(
        .post, "/api/v1/moderation/{kind}/{id}/claim", "claimModeratedItem", "Deal with an item alone for 15 minutes",
        "409 if another moderator does.",
        parameters: [
            .path(Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))),
            .id,
        ],
        answer: .object(ModeratedItemFields.self, "The item")
    )
    .refusing(.conflict)

    package static let decideModeratedItem = APIOperation(
        .post, "/api/v1/moderation/{kind}/{id}/decision", "decideModeratedItem",
        "Decide about an item; its open reports are settled",
        "What is restored is shown as it was before. The title of a video that is deleted goes with its files, if a member has sent it or the sender may manage titles; otherwise title and file stay. 409 if another moderator deals with it.",
        parameters: [
            .path(Field<String>("kind", "kind of the item", .oneOf("video", "comment", "profile", "topicComment"))),
            .id,
        ],
        body: APIBody(.json(ModerationDecisionFields.self)), answer: .nothing("Decided")
    )
    .refusing(.conflict, .missingFields)
}
