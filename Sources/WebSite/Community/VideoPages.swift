import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The page of a video: player, likes, comments and reports.
struct VideoPages: Sendable {
    let pages: PublishedVideoPages

    private static let noticeParameter = "hecho"
    private static let page = "\(VideoPath.videos){id}"
    private static let commentPage = "\(VideoPath.comments){id}"
    private var community: Community { pages.community }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.page, PublishedVideoPages.reading) { request, context in
                try await show(try await pages.viewing.video(context), request, context)
            },
            Endpoint(.post, "\(Self.page)/\(VideoPath.like)", PublishedVideoPages.taking) { request, context in
                try await change(request, context) { video, sent in
                    _ = try await community.setLike(
                        sent["on"] == "1", of: video.id, by: context.caller,
                        maySeeHidden: VideoViewing.isModerator(context))
                    return VideoPath.video(video.id)
                }
            },
            Endpoint(.post, "\(Self.page)/\(VideoPath.comment)", PublishedVideoPages.taking) { request, context in
                try await change(request, context) { video, sent in
                    let comment = try await community.comment(
                        sent["text"] ?? "", parent: sent.text("parent").flatMap { OpaqueID(parsing: $0) },
                        on: video.id, by: context.caller, isModerator: VideoViewing.isModerator(context))
                    return "\(VideoPath.video(video.id))#c-\(comment.id)"
                }
            },
            Endpoint(.post, "\(Self.page)/\(VideoPath.report)", PublishedVideoPages.taking) { request, context in
                try await change(request, context) { video, sent in
                    let (kind, id) = Self.subject(sent, of: video)
                    try await community.report(
                        kind, id, sent["reason"].flatMap(ReportReason.init(rawValue:)) ?? .other,
                        text: sent["text"] ?? "", by: context.caller)
                    return "\(VideoPath.video(video.id))?\(Self.noticeParameter)=\(VideoPath.report)"
                }
            },
            Endpoint(.post, "\(Self.page)/\(VideoPath.appeal)", PublishedVideoPages.taking) { request, context in
                try await change(request, context) { video, sent in
                    try await community.appeal(.video, video.id, sent["text"] ?? "", by: context.caller)
                    return "\(VideoPath.video(video.id))?\(Self.noticeParameter)=\(VideoPath.appeal)"
                }
            },
            Endpoint(.post, "\(Self.commentPage)/\(VideoPath.delete)", PublishedVideoPages.taking) { _, context in
                let (id, video) = try await comment(context)
                try await community.deleteComment(
                    id, by: context.caller, isModerator: VideoViewing.isModerator(context))
                return pages.pages.redirect(VideoPath.video(video))
            },
            Endpoint(.post, "\(Self.commentPage)/\(VideoPath.approve)", PublishedVideoPages.taking) { _, context in
                let (id, video) = try await comment(context)
                _ = try await community.approveComment(
                    id, by: context.caller, isModerator: VideoViewing.isModerator(context))
                return pages.pages.redirect("\(VideoPath.video(video))#c-\(id)")
            },
        ]
    }

    private func comment(_ context: GatewayRequestContext) async throws -> (id: OpaqueID, video: OpaqueID) {
        let id = try context.parameters.identifier(of: "comment")
        return (id, try await community.video(ofComment: id))
    }

    /// The subject of a report form: a comment if it names one, otherwise the video.
    private static func subject(_ sent: FormFields, of video: Video) -> (kind: ReportedKind, id: OpaqueID) {
        sent.text("comment").flatMap { OpaqueID(parsing: $0) }.map { (.comment, $0) } ?? (.video, video.id)
    }

    /// - Parameter body: makes the change and returns the page to go to.
    private func change(
        _ request: Request, _ context: GatewayRequestContext,
        _ body: (_ video: Video, _ sent: FormFields) async throws -> String
    ) async throws -> Response {
        let video = try await pages.viewing.video(context)
        let sent = try await FormFields(request)
        do {
            return pages.pages.redirect(try await body(video, sent))
        } catch let error as Refusal {
            return try await show(video, error: error, text: sent["text"] ?? "", request, context)
        }
    }

    // MARK: The page

    /// - Parameter text: what somebody has typed into the form that led here.
    private func show(
        _ video: Video, error: Refusal? = nil, text typed: String = "", _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let (page, text) = (SitePage(.video, request, context), pages.text(request))
        let isModerator = VideoViewing.isModerator(context)
        let cursor = try PageRequest(request).cursor
        let found = try await community.comments(
            on: video.id, for: context.caller, isModerator: isModerator, after: cursor)
        var values = try await about(video, page, text, request, context)
        let replies = Dictionary(grouping: found.replies) { $0.parent }
        values["comments"] = found.page.items.map { comment in
            self.comment(comment, replies[comment.id] ?? [], of: video, text, request, context)
        }
        if let next = found.page.next { values["next"] = "?cursor=\(next)#comments" }
        if let error { values["problem"] = SitePage.displayed(text.sentence(error)) }
        if error == nil, VideoPath.isShared(request), VideoViewing.isOwn(video, context) {
            values["sharing"] = UploadText.preferred(request.headers[.acceptLanguage]).shareNow
        }
        if video.commentPolicy == .closed {
            values["closed"] = true
        } else if context.principal.member != nil {
            values["commentForms"] = [
                commentForm(on: video, answering: nil, typed, text).values(csrf: context.csrfToken)
            ]
        }
        if context.principal.member != nil, !VideoViewing.isOwn(video, context) {
            values["report"] = Self.details(
                text.report, reportForm(of: video, comment: nil, text).values(csrf: context.csrfToken))
        }
        if error == nil {
            switch PageRequest.value(of: Self.noticeParameter, in: request) {
            case VideoPath.report: values["done"] = text.reported
            case VideoPath.appeal: values["done"] = text.appealed
            default: break
            }
        }
        return try page.response(
            values, title: SitePage.displayed(video.name),
            preview: page.preview(
                "video.other", of: video.name, at: VideoPath.video(video.id), text: video.text,
                image: video.hasPoster ? pages.viewing.folder(of: video).map { "\($0)/poster.jpg" } : nil,
                pages.pages.publicAddress),
            links: embedding(video, page), structuredData: structuredData(video, text, page),
            around: CommunityBanners.values(community),
            status: error.map { ProblemDetails($0).status } ?? .ok)
    }

    private func embedding(_ video: Video, _ page: SitePage) -> [SitePage.AlternateLink] {
        guard video.state == .shown else { return [] }
        let address = SitePage.queryComponent(pages.url(VideoPath.video(video.id), page))
        return [("application/json+oembed", "\(VideoPath.oEmbed)?url=\(address)&format=json", video.name)]
    }

    private func structuredData(_ video: Video, _ text: VideoPageText, _ page: SitePage) -> String? {
        pages.viewing.folder(of: video).map { folder in
            VideoObject.text(video, author: PublishedVideoPages.author(of: video, text), folder: folder) {
                pages.url($0, page)
            }
        }
    }

    private static func details(_ summary: String, _ form: [String: Any]) -> [String: Any] {
        ["summary": summary, "forms": [form]]
    }

    private func about(
        _ video: Video, _ page: SitePage, _ text: VideoPageText, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> [String: Any] {
        var values: [String: Any] = [
            "v": text, "commentsHeading": text.commentsHeading,
            "name": video.name, "owner": SitePage.displayed(PublishedVideoPages.author(of: video, text)),
            "time": pages.pages.text(request).ago(video.publishedAt).values, "counts": pages.counts(video, text),
            "share": [
                "address": page.url(VideoPath.video(video.id), pages.pages.publicAddress),
                "name": video.name, "text": text.share, "copied": text.copied,
            ],
        ]
        if let owner = video.ownerName { values["ownerPath"] = VideoPath.member(owner) }
        if !video.text.isEmpty { values["description"] = video.text }
        if !video.tags.isEmpty { values["tags"] = video.tags.map { "#\($0)" }.joined(separator: " ") }
        if video.visibility == .unlisted { values["visibility"] = text.unlisted }
        if let folder = pages.viewing.folder(of: video) {
            var player = ["id": video.id.text, "playlist": "\(folder)/playlist.m3u8"]
            if video.hasPoster { player["poster"] = "\(folder)/poster.jpg" }
            values["player"] = player
        }
        if let competition = video.competition, let name = video.competitionName {
            let day = video.day.map { " · \(text.day) \($0)" } ?? ""
            let anchor = video.day.map { "#day-\($0)" } ?? ""
            values["competition"] = [
                "path": CommunityPath.competition(competition) + anchor,
                "name": SitePage.displayed(name) + day,
            ]
        }
        var links: [(path: String, text: String)] = []
        if video.counts.likes > 0 { links.append((VideoPath.video(video.id, VideoPath.like), text.likersOf)) }
        if VideoViewing.isOwn(video, context) || VideoViewing.mayManage(context) {
            links.append((VideoPath.video(video.id, VideoPath.edit), text.edit))
        }
        var forms: [PageForm] = []
        if context.principal.member == nil {
            links.append(("\(AccountPath.logIn)?next=\(VideoPath.video(video.id))", text.logInToTakePart))
        } else {
            forms.append(
                PageForm(
                    action: VideoPath.video(video.id, VideoPath.like),
                    fields: [.init(name: "on", label: "", type: "hidden", value: video.isLiked ? "0" : "1")],
                    button: video.isLiked ? text.unlike : text.like, isQuiet: video.isLiked, icon: .like))
        }
        if video.state == .hidden {
            values["state"] = text.hidden
            if VideoViewing.isOwn(video, context), let item = try await community.moderation(of: .video, video.id) {
                let note = item.decisionNote.map { " \($0)" } ?? ""
                values["state"] = "\(text.hidden) \(text.reports(item.reports)).\(note)"
                if item.decision == .hidden, item.appeal == nil {
                    forms.append(
                        PageForm(
                            action: VideoPath.video(video.id, VideoPath.appeal),
                            fields: [.init(name: "text", label: text.appeal, type: "textarea")], button: text.send))
                }
            }
        }
        values["forms"] = forms.map { $0.values(csrf: context.csrfToken) }
        values["links"] = links.map { ["path": $0.path, "text": $0.text] }
        return values
    }

    // MARK: Comments

    private func comment(
        _ comment: VideoComment, _ replies: [VideoComment], of video: Video, _ text: VideoPageText, _ request: Request,
        _ context: GatewayRequestContext
    ) -> [String: Any] {
        var values = line(comment, of: video, text, request, context)
        if !replies.isEmpty {
            values["thread"] = ["replies": replies.map { line($0, of: video, text, request, context) }]
        }
        if comment.state == .shown, video.commentPolicy != .closed, context.principal.member != nil {
            values["answer"] = Self.details(
                text.answer, commentForm(on: video, answering: comment, "", text).values(csrf: context.csrfToken))
        }
        return values
    }

    /// The photo of a comment's author, which members see.
    private static func photo(of comment: VideoComment, _ context: GatewayRequestContext) -> String? {
        guard context.principal.member != nil, comment.state != .deleted else { return nil }
        return ResourcePaths.photo(ofMember: comment.authorName, comment.authorPhoto)
    }

    /// The link with which a member invites the author of a comment to become contacts; `nil` for one's own.
    private static func invitation(
        of comment: VideoComment, _ request: Request, _ context: GatewayRequestContext
    ) -> [String: Any]? {
        guard let reader = context.principal.member, context.identity.session != nil, let name = comment.authorName,
            comment.author != reader.id
        else { return nil }
        let text = MessagingText.preferred(request.headers[.acceptLanguage])
        return ["path": MessagingPath.invite(name), "label": text.inviteHeading.filled("name", with: name)]
    }

    private func line(
        _ comment: VideoComment, of video: Video, _ text: VideoPageText, _ request: Request,
        _ context: GatewayRequestContext
    ) -> [String: Any] {
        var values: [String: Any] = [
            "id": comment.id.text, "author": SitePage.displayed(comment.authorName ?? "—"),
            "time": pages.pages.text(request).ago(comment.writtenAt).values,
            "text": comment.state == .deleted ? text.deleted : comment.text, "forms": [[String: Any]](),
            "avatar": SitePage.avatar(comment.authorName ?? "", photo: Self.photo(of: comment, context)),
            "invite": Self.invitation(of: comment, request, context) ?? false as Any,
        ]
        switch comment.state {
        case .held: values["mark"] = text.held
        case .hidden: values["mark"] = text.hiddenComment
        case .shown where comment.editedAt != nil: values["mark"] = text.edited
        case .shown, .deleted: break
        }
        guard let member = context.principal.member, comment.state != .deleted else { return values }
        let isKeeper = VideoViewing.isOwn(video, context) || VideoViewing.isModerator(context)
        var forms: [PageForm] = []
        if isKeeper, comment.state == .held {
            forms.append(PageForm(action: VideoPath.comment(comment.id, VideoPath.approve), button: text.approve))
        }
        if isKeeper || comment.author == member.id {
            forms.append(
                PageForm(
                    action: VideoPath.comment(comment.id, VideoPath.delete), button: text.delete, isDangerous: true))
        }
        if comment.author != member.id, comment.state == .shown {
            forms.append(reportForm(of: video, comment: comment, text))
        }
        values["forms"] = forms.map { $0.values(csrf: context.csrfToken) }
        return values
    }

    private func commentForm(
        on video: Video, answering comment: VideoComment?, _ typed: String, _ text: VideoPageText
    ) -> PageForm {
        var fields: [PageForm.Field] = [
            .init(name: "text", label: text.comment, type: "textarea", value: typed)
        ]
        if let comment { fields.append(.init(name: "parent", label: "", type: "hidden", value: comment.id.text)) }
        return PageForm(
            action: VideoPath.video(video.id, VideoPath.comment), fields: fields, button: text.send)
    }

    private func reportForm(of video: Video, comment: VideoComment?, _ text: VideoPageText) -> PageForm {
        var fields: [PageForm.Field] = [
            .init(
                name: "reason", label: text.reason, type: "select",
                options: ReportReason.allCases.map { ($0.rawValue, text.reasons[$0] ?? $0.rawValue) })
        ]
        if let comment {
            fields.append(.init(name: "comment", label: "", type: "hidden", value: comment.id.text))
        } else {
            fields.append(.init(name: "text", label: text.reportText, type: "textarea"))
        }
        return PageForm(
            action: VideoPath.video(video.id, VideoPath.report), fields: fields, button: text.report)
    }
}
