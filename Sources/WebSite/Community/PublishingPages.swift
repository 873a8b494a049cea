import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird

/// The forms with which a title is published, and what is said about a video is changed.
struct PublishingPages: Sendable {
    let pages: PublishedVideoPages

    private static let page = "\(VideoPath.publish){id}"
    private static let edit = "\(VideoPath.videos){id}/\(VideoPath.edit)"
    private static let owners = AccessRule.member(reason: "the community asks whose video it is")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.page, .title(.manage)) { request, context in
                let title = try await title(context)
                let contents = VideoContents(name: title.name)
                return try form(contents, title: title.id, request, context)
            },
            Endpoint(.post, Self.page, .title(.manage), handler: publish),
            Endpoint(.get, Self.edit, Self.owners) { request, context in
                let video = try await owned(context)
                return try form(VideoContents(video), video: video, request, context)
            },
            Endpoint(.post, Self.edit, Self.owners, handler: change),
            Endpoint(.post, "\(VideoPath.videos){id}/\(VideoPath.withdraw)", Self.owners) { _, context in
                let video = try await owned(context)
                try await pages.community.withdraw(
                    video.id, by: context.caller, mayManage: VideoViewing.mayManage(context))
                return pages.pages.redirect(VideoPath.list)
            },
        ]
    }

    private func title(_ context: GatewayRequestContext) async throws -> (id: String, name: String) {
        let id = try context.parameters.require("id")
        guard let title = try await pages.content.title(id: id) else { throw ProblemDetails(.notFound) }
        return (id, title.title)
    }

    /// - Throws: `ProblemDetails` with 403 or 404 for the video of somebody else.
    private func owned(_ context: GatewayRequestContext) async throws -> Video {
        let video = try await pages.viewing.video(context)
        guard VideoViewing.isOwn(video, context) || VideoViewing.mayManage(context) else {
            throw ProblemDetails(.forbidden)
        }
        return video
    }

    private func publish(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let title = try await title(context)
        let sent = try await FormFields(request)
        var contents = VideoContents(name: title.name)
        do {
            try Self.apply(sent, to: &contents)
            let video = try await pages.community.publish(contents, title: title.id, by: context.caller)
            return pages.pages.redirect(VideoPath.video(video.id))
        } catch let error as CommunityError {
            return try form(contents, title: title.id, error: error, request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let video = try await owned(context)
        let sent = try await FormFields(request)
        var contents = VideoContents(video)
        do {
            try Self.apply(sent, to: &contents)
            let revisions = Set([sent[FormFields.versionField].flatMap { Int64($0) } ?? 0])
            _ = try await pages.community.change(
                video.id, from: revisions, by: context.caller, mayManage: VideoViewing.mayManage(context)
            ) { [contents] in $0 = contents }
            return pages.pages.redirect(VideoPath.video(video.id))
        } catch let error as CommunityError {
            return try form(contents, video: video, error: error, request, context)
        }
    }

    /// - Throws: ``CommunityError`` with `invalidField`.
    private static func apply(_ sent: FormFields, to contents: inout VideoContents) throws(CommunityError) {
        contents.name = sent["name"] ?? ""
        contents.text = sent["text"] ?? ""
        contents.tags = (sent["tags"] ?? "").split(separator: ",").map(String.init).filter {
            !$0.allSatisfy(\.isWhitespace)
        }
        contents.competition = nil
        if let text = sent.text("competition") {
            guard let id = OpaqueID(parsing: text) else {
                throw CommunityError(.invalidField, "there is no such competition", field: "competition")
            }
            contents.competition = id
        }
        contents.day = nil
        if let text = sent.text("day") {
            guard let day = Int(text) else {
                throw CommunityError(.invalidField, "a day is a number from 1", field: "day")
            }
            contents.day = day
        }
        contents.visibility = sent["visibility"].flatMap(VideoVisibility.init(rawValue:)) ?? contents.visibility
        contents.commentPolicy = sent["commentPolicy"].flatMap(CommentPolicy.init(rawValue:)) ?? contents.commentPolicy
    }

    private func form(
        _ contents: VideoContents, title: String? = nil, video: Video? = nil, error: CommunityError? = nil,
        _ request: Request, _ context: GatewayRequestContext
    ) throws -> Response {
        let text = pages.text(request)
        var fields: [AccountForm.Field] = [
            .init(name: "name", label: text.name, value: contents.name, isRequired: true),
            .init(name: "text", label: text.text, type: "textarea", value: contents.text),
            .init(name: "tags", label: text.tags, value: contents.tags.joined(separator: ", ")),
            .init(name: "competition", label: text.competition, value: contents.competition?.text ?? ""),
            .init(name: "day", label: text.day, value: contents.day.map { "\($0)" } ?? ""),
            .init(
                name: "visibility", label: text.visibility, type: "select", value: contents.visibility.rawValue,
                options: [
                    (VideoVisibility.public.rawValue, text.listed),
                    (VideoVisibility.unlisted.rawValue, text.onlyByAddress),
                ]),
            .init(
                name: "commentPolicy", label: text.commentPolicy, type: "select",
                value: contents.commentPolicy.rawValue,
                options: [
                    (CommentPolicy.open.rawValue, text.open), (CommentPolicy.approval.rawValue, text.approval),
                    (CommentPolicy.closed.rawValue, text.closed),
                ]),
        ]
        for index in fields.indices where fields[index].name == error?.field {
            fields[index].error = error.map(text.sentence)
        }
        var section = AccountSection()
        if let video {
            fields.append(.version("\(video.revision)"))
            section.forms = [
                AccountForm(
                    action: VideoPath.video(video.id, VideoPath.edit), fields: fields, button: text.save),
                AccountForm(
                    action: VideoPath.video(video.id, VideoPath.withdraw), button: text.withdraw, isDangerous: true),
            ]
        } else if let title {
            section.forms = [
                AccountForm(
                    action: "\(VideoPath.publish)\(SitePage.queryComponent(title))", fields: fields,
                    button: text.publish)
            ]
        }
        return try pages.pages.answer(
            video?.name ?? text.publish, [section], error: error.map(text.sentence), request, context,
            status: error.map { ProblemDetails($0).status } ?? .ok)
    }
}
