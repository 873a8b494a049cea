import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The forms with which a title is published, and what is said about a video is changed.
struct PublishingPages: Sendable {
    let pages: PublishedVideoPages

    private static let page = "\(VideoPath.publish){id}"
    private static let edit = "\(VideoPath.videos){id}/\(VideoPath.edit)"
    private static let owners = AccessRule.member(.session, reason: "the community asks whose video it is")

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.page, .title(.manage)) { request, context in
                let title = try await title(context)
                let contents = VideoContents(name: title.name)
                return try await form(contents, title: title.id, request, context)
            },
            Endpoint(.post, Self.page, .title(.manage), handler: publish),
            Endpoint(.get, Self.edit, Self.owners) { request, context in
                let video = try await owned(context)
                return try await form(VideoContents(video), video: video, request, context)
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
            await pages.uploads.makeRenditions(ofTitle: title.id, logger: context.logger)
            return pages.pages.redirect(VideoPath.video(video.id))
        } catch let error as Refusal {
            return try await form(contents, sent: sent, title: title.id, error: error, request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let video = try await owned(context)
        let sent = try await FormFields(request)
        var contents = VideoContents(video)
        do {
            try Self.apply(sent, to: &contents)
            let revisions = Set([sent[FormFields.versionField].flatMap { Int64($0) } ?? 0])
            let title = sent.text("title")
            if let title, try await !pages.community.isUpload(title: title, of: context.caller) {
                throw Refusal(.notFound, "there is no such title", field: "title")
            }
            _ = try await pages.community.change(
                video.id, title: title, from: revisions, by: context.caller, mayManage: VideoViewing.mayManage(context)
            ) { [contents] in $0 = contents }
            return pages.pages.redirect(VideoPath.video(video.id))
        } catch let error as Refusal {
            return try await form(contents, sent: sent, video: video, error: error, request, context)
        }
    }

    /// - Throws: `Refusal` with `invalidField`.
    static func apply(_ sent: FormFields, to contents: inout VideoContents) throws(Refusal) {
        contents.name = sent["name"] ?? ""
        contents.text = sent["text"] ?? ""
        contents.tags = (sent["tags"] ?? "").split(separator: ",").map(String.init).filter {
            !$0.allSatisfy(\.isWhitespace)
        }
        contents.competition = nil
        if let text = sent.text("competition") {
            guard let id = OpaqueID(parsing: text) else {
                throw Refusal(.invalidField, "there is no such competition", field: "competition")
            }
            contents.competition = id
        }
        contents.day = nil
        if let text = sent.text("day") {
            guard let day = Int(text) else {
                throw Refusal(.invalidField, "a day is a number from 1", field: "day")
            }
            contents.day = day
        }
        // A page that was loaded before there were these fields does not take a place away.
        if sent.isOn(VideoPageText.latitudeField) || sent.isOn(VideoPageText.longitudeField) {
            contents.place = try place(sent)
        }
        contents.visibility = sent["visibility"].flatMap(VideoVisibility.init(rawValue:)) ?? contents.visibility
        contents.commentPolicy =
            sent["commentPolicy"].flatMap(CommentPolicy.init(rawValue:)) ?? contents.commentPolicy
    }

    private static func place(_ sent: FormFields) throws(Refusal) -> GeographicPoint? {
        let texts = [VideoPageText.latitudeField, VideoPageText.longitudeField].map { sent.text($0) }
        guard texts.contains(where: { $0 != nil }) else { return nil }
        func refusal(_ field: String) -> Refusal {
            Refusal(
                .invalidField, "a place has a latitude from -90 to 90 and a longitude from -180 to 180", field: field)
        }
        let degrees = texts.map { $0.flatMap { Double($0.replacing(",", with: ".")) } }
        // The equator has all longitudes, so that the wrong one of the two is named.
        guard let latitude = degrees[0], GeographicPoint(latitude: latitude, longitude: 0) != nil else {
            throw refusal(VideoPageText.latitudeField)
        }
        guard let longitude = degrees[1], let place = GeographicPoint(latitude: latitude, longitude: longitude) else {
            throw refusal(VideoPageText.longitudeField)
        }
        return place
    }

    private func form(
        _ contents: VideoContents, sent: FormFields? = nil, title: String? = nil, video: Video? = nil,
        error: Refusal? = nil,
        _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = pages.text(request)
        var fields = try await fields(contents, sent, error, text)
        var section = PageSection()
        if let video {
            let uploadText = UploadText.preferred(request.headers[.acceptLanguage])
            let isUpload = try await pages.community.isUpload(title: video.title, of: context.caller)
            if isUpload { fields += try await replacements(uploadText, context) }
            fields.append(.version("\(video.revision)"))
            section.forms = [
                PageForm(
                    action: VideoPath.video(video.id, VideoPath.edit), fields: fields, button: text.save),
                PageForm(
                    action: VideoPath.video(video.id, VideoPath.withdraw),
                    button: isUpload ? uploadText.delete : text.withdraw, isDangerous: true),
            ]
        } else if let title {
            section.forms = [
                PageForm(
                    action: "\(VideoPath.publish)\(SitePage.queryComponent(title))", fields: fields,
                    button: text.publish)
            ]
        }
        return try pages.pages.answer(
            video?.name ?? text.publish, [section], error: error.map(text.sentence), request, context,
            status: error.map { ProblemDetails($0).status } ?? .ok)
    }

    /// The fields of a form about a video.
    ///
    /// - Parameters:
    ///   - contents: what was said about it.
    ///   - sent: the form that led here, whose place may not be one; `nil` without one.
    ///   - error: what is wrong with what was sent; it stands beside its field.
    func fields(
        _ contents: VideoContents, _ sent: FormFields?, _ error: Refusal?, _ text: VideoPageText
    ) async throws -> [PageForm.Field] {
        func degrees(_ name: String, _ label: String, _ value: Double?) -> PageForm.Field {
            .init(name: name, label: label, type: "decimal", value: sent?[name] ?? value.map { "\($0)" } ?? "")
        }
        var fields: [PageForm.Field] = [
            .init(name: "name", label: text.name, value: contents.name, isRequired: true),
            .init(name: "text", label: text.text, type: "textarea", value: contents.text),
            .init(name: "tags", label: text.tags, value: contents.tags.joined(separator: ", ")),
            .init(
                name: "competition", label: text.competition, type: "select", value: contents.competition?.text ?? "",
                options: try await competitions(with: contents.competition)),
            .init(name: "day", label: text.day, value: contents.day.map { "\($0)" } ?? ""),
            degrees(VideoPageText.latitudeField, text.latitude, contents.place?.latitude),
            degrees(VideoPageText.longitudeField, text.longitude, contents.place?.longitude),
            .init(
                name: "place", label: text.usePlace, type: "place", value: text.placeUnknown),
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
        return fields
    }

    /// The time for which videos are added to a competition that is over.
    private static let timeAfterCompetitions = Duration.seconds(30 * 86_400)

    /// The competitions that are chosen from, and the one that was.
    private func competitions(with chosen: OpaqueID?) async throws -> [(value: String, label: String)] {
        let community = pages.community
        let now = community.now
        let filter = CompetitionFilter(.endingAfter(now - Self.timeAfterCompetitions))
        var found = try await community.competitions(filter, limit: 100).items.filter { $0.state(at: now) != .closed }
        if let chosen, !found.contains(where: { $0.id == chosen }) {
            // One that was deleted meanwhile is none.
            found += [try? await community.competition(chosen)].compactMap(\.self)
        }
        return [("", "—")] + found.map { ($0.id.text, SitePage.displayed($0.name)) }
    }

    /// The field with the files that can take the place of a video's; none if there are none.
    private func replacements(
        _ text: UploadText, _ context: GatewayRequestContext
    ) async throws -> [PageForm.Field] {
        let ready = try await pages.community.uploads(by: context.caller).page.items.filter { $0.state == .ready }
        guard !ready.isEmpty else { return [] }
        let options = ready.compactMap { upload in
            upload.title.map { (value: $0.id, label: SitePage.displayed(upload.fileName)) }
        }
        return [
            .init(name: "title", label: text.replace, type: "select", options: [("", text.keep)] + options)
        ]
    }
}
