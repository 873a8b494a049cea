import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaCore
import SiteTexts
import Workflows

/// The pages on which members send videos and say what they are about, until they are published. What was typed is kept
/// by the server, and an upload goes on after a reload.
struct UploadPages: Sendable {
    let pages: PublishedVideoPages
    let uploads: MemberUploads

    private static let page = VideoPath.upload
    private static let item = "\(page)/{id}"
    private static let rule = AccessRule.member(.session, reason: "who may send videos, and whose it is, is asked here")
    private var community: Community { uploads.community }

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.page, Self.rule, handler: list),
            Endpoint(.get, Self.item, Self.rule) { request, context in
                try await show(try await owned(context), request, context)
            },
            Endpoint(.post, Self.item, Self.rule, handler: describe),
            Endpoint(.post, "\(Self.item)/\(VideoPath.poster)", Self.rule) { request, context in
                let upload = try await owned(context)
                let sent = try await FormFields(request)
                guard let title = upload.title, let text = sent.text("at"), let seconds = Double(text),
                    (0...604_800).contains(seconds)
                else { throw ProblemDetails(.unprocessableContent) }
                do {
                    _ = try await uploads.library.setPoster(
                        ofTitle: title.id, at: seconds, from: context.uploadSender
                    ) { _ in true }
                } catch let error as LibraryError {
                    throw ProblemDetails(error)
                }
                return pages.pages.redirect(VideoPath.upload(upload.id))
            },
            Endpoint(.post, "\(Self.item)/\(VideoPath.ownPoster)", Self.rule, handler: setOwnPoster),
            Endpoint(.post, "\(Self.item)/\(VideoPath.delete)", Self.rule) { _, context in
                try await uploads.delete(try await owned(context).id, by: context.caller)
                return pages.pages.redirect(Self.page)
            },
        ]
    }

    /// - Throws: `ProblemDetails` with 401 or 403 for somebody who may not send videos, and 404 for what is not theirs.
    private func owned(_ context: GatewayRequestContext) async throws -> MemberUpload {
        try MemberUploads.requireSending(context)
        do {
            return try await community.upload(try context.parameters.identifier(of: "upload"), by: context.caller)
        } catch let error as Refusal {
            throw ProblemDetails(error)
        }
    }

    private func list(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try MemberUploads.requireSending(context)
        let text = UploadText.preferred(request.headers[.acceptLanguage])
        let wanted = try PageRequest(request)
        let (page, usage) = try await community.uploads(
            by: context.caller, after: wanted.cursor, limit: wanted.limit)
        var sending = PageSection(text: community.takesUploads ? text.room(usage) : text.notTaken)
        if community.takesUploads, let token = context.csrfToken {
            sending.sender = PageSection.Sender(text: text, token: token)
        }
        var own = PageSection(heading: text.own, text: page.items.isEmpty ? text.nothing : nil)
        own.items = page.items.map { upload in
            let name = upload.videoName ?? upload.contents.name
            return .init(
                text: name.isEmpty ? upload.fileName : name, detail: PageText(text.state(upload)),
                links: [(upload.video.map { VideoPath.video($0) } ?? VideoPath.upload(upload.id), text.open)])
        }
        if let next = page.next { own.links.append(("?cursor=\(next)", pages.text(request).more)) }
        return try pages.pages.answer(text.heading, [sending, own], request, context)
    }

    private func show(
        _ upload: MemberUpload, typed: VideoContents? = nil, sent: FormFields? = nil, error: Refusal? = nil,
        pictureError: ProblemDetails? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        if let video = upload.video {
            return pages.pages.redirect(VideoPath.video(video, isShared: VideoPath.isShared(request)))
        }
        let (text, videoText) = (UploadText.preferred(request.headers[.acceptLanguage]), pages.text(request))
        var about = PageSection(text: "\(upload.fileName): \(text.state(upload))")
        if let reason = upload.title?.error { about.text? += " · \(MediaFailure.text(reason, in: text.language))" }
        if upload.isUnderway {
            about.progress = PageSection.Progress(
                address: "/api/v1/me/uploads/\(upload.id)", state: upload.state.rawValue, text: about.text ?? "")
            about.text = nil
        }
        var sections = [about]
        if let title = upload.title, title.state == .ready {
            var preview = PageSection(heading: text.picture)
            if let folder = pages.viewing.previewFolder(ofTitle: title.id) {
                preview.player = PageSection.Player(
                    playlist: "\(folder)/playlist.m3u8", poster: title.hasPoster ? "\(folder)/poster.jpg" : nil,
                    label: text.preview)
            }
            preview.forms = [
                PageForm(
                    action: VideoPath.upload(upload.id, VideoPath.poster),
                    fields: [.init(name: "at", label: text.pictureTime, type: "decimal", value: "0", isRequired: true)],
                    button: text.usePicture),
                PageForm(
                    action: VideoPath.upload(upload.id, VideoPath.ownPoster),
                    fields: [.init(name: "image", label: text.ownPicture, type: "file", isRequired: true)],
                    button: text.usePicture, sendsFile: true),
            ]
            sections.append(preview)
        }
        var fields = try await PublishingPages(pages: pages).fields(
            typed ?? upload.contents, sent, error, videoText)
        fields.append(.version("\(upload.revision)"))
        let action = VideoPath.upload(upload.id)
        var form = PageSection()
        if upload.state != .failed {
            form.forms = [
                PageForm(
                    action: action,
                    fields: fields + [
                        .init(
                            name: "publish", label: text.publish, type: "select", value: "1",
                            options: [("1", text.publish), ("", text.saveOnly)]),
                        .init(name: "share", label: text.shareAfter, type: "checkbox", value: "1"),
                    ], button: videoText.save)
            ]
        }
        form.forms.append(
            PageForm(
                action: VideoPath.upload(upload.id, VideoPath.delete), button: text.delete, isDangerous: true))
        sections.append(form)
        let problem =
            error.map(videoText.sentence) ?? pictureError.map { text.sentence(aboutPicture: $0.status) }
            ?? text.problem(of: upload, videoText)
        return try pages.pages.answer(
            text.heading, sections, error: problem, request, context,
            status: error.map { ProblemDetails($0).status } ?? pictureError?.status ?? .ok)
    }

    /// Takes an image file as the picture in lists.
    private func setOwnPoster(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let upload = try await owned(context)
        do {
            guard let title = upload.title else { throw ProblemDetails(.conflict) }
            guard let image = try await ImageBody.poster.read(request, from: context.uploadSender),
                image.readableBytes > 0
            else {
                throw ProblemDetails(.unprocessableContent)
            }
            do {
                _ = try await uploads.library.setPoster(
                    ofTitle: title.id, to: image, from: context.uploadSender
                ) { _ in true }
            } catch let error as LibraryError {
                throw ProblemDetails(error)
            }
            return pages.pages.redirect(VideoPath.upload(upload.id))
        } catch let error as ProblemDetails where error.status.kind == .clientError {
            return try await show(upload, pictureError: error, request, context)
        }
    }

    private func describe(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let upload = try await owned(context)
        let sent = try await FormFields(request)
        var contents = upload.contents
        do {
            try PublishingPages.apply(sent, to: &contents)
            let changed = try await uploads.describe(
                upload.id, from: Set([sent[FormFields.versionField].flatMap { Int64($0) } ?? 0]),
                publishes: sent["publish"] == "1", by: context.caller
            ) { [contents] in $0 = contents }
            let isShared = sent["share"] == "1"
            return pages.pages.redirect(
                changed.video.map { VideoPath.video($0, isShared: isShared) }
                    ?? VideoPath.upload(upload.id, isShared: isShared))
        } catch let error as Refusal {
            return try await show(upload, typed: contents, sent: sent, error: error, request, context)
        }
    }
}

extension MemberUpload {
    /// Whether the server is going to do something with it by itself.
    fileprivate var isUnderway: Bool {
        switch state {
        case .receiving, .processing: true
        case .ready: isWanted
        case .failed, .published: false
        }
    }
}
