import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import MediaCore
import NIOCore
import Workflows

/// The descriptions of videos that members upload, until those are published: `/api/v1/me/uploads` beside its uploads.
struct MemberUploadEndpoints: Sendable {
    let context: CommunityContext
    let target: MemberUploadTarget

    private static let path = MemberUploadTarget.path
    private static let item = "\(path)/{id}"
    private static let rule = MemberUploadTarget.rule

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.rule, handler: list),
            Endpoint(.get, Self.item, Self.rule) { _, caller in answer(try await target.owned(caller)) },
            Endpoint(.put, "\(Self.item)/video", Self.rule, handler: describe),
            Endpoint(.put, "\(Self.item)/poster", Self.rule, handler: choosePoster),
        ]
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try MemberUploads.requireSending(caller)
        let wanted = try VideoEndpoints.page(request)
        let (page, usage) = try await target.uploads.community.uploads(
            by: caller.caller, after: wanted.cursor, limit: wanted.limit)
        return JSONText.object([
            ("items", .array(page.items.map(resource))), ("next", .optional(page.next)),
            ("bytes", .number(Double(usage.byteCount))), ("quota", .number(Double(usage.quota))),
        ]).response()
    }

    /// The body is that of a video, and `publish`; fields that are missing keep their values.
    private func describe(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let upload = try await target.owned(caller)
        let body = try await VideoEndpoints.body(request, VideoEndpoints.fields + ["publish"])
        var contents = upload.contents
        try VideoEndpoints.apply(body, to: &contents)
        let publishes = try body.boolean("publish")
        let changed = try await target.uploads.describe(
            upload.id, publishes: publishes, by: caller.caller
        ) { [contents] in $0 = contents }
        return answer(changed)
    }

    /// The body is an image, or `{"at": 83.5}` with a time of the video.
    private func choosePoster(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let upload = try await target.owned(caller)
        guard let title = upload.title else {
            throw ProblemDetails(.conflict, "the file is not complete; send the rest first")
        }
        let choice = try await PosterChoice(request, of: "video", from: caller.uploadSender)
        do {
            _ = try await choice.set(
                ofTitle: title.id, in: target.uploads.library, from: caller.uploadSender
            ) { _ in true }
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
        return answer(try await target.owned(caller))
    }

    private func answer(_ upload: MemberUpload) -> Response { resource(upload).response() }

    private func resource(_ upload: MemberUpload) -> JSONText {
        let (title, contents) = (upload.title, upload.contents)
        let folder = title.flatMap { title in
            title.state == .ready ? context.viewing.previewFolder(ofTitle: title.id) : nil
        }
        return .object([
            ("id", .string(upload.id.text)), ("state", .string(upload.state.rawValue)),
            ("fileName", .string(upload.fileName)), ("bytes", .number(Double(upload.byteCount))),
            ("title", .optional(title?.id)), ("progress", .optional(title?.progress)),
            ("error", .optional(title?.error)), ("duration", .optional(title?.duration)),
            ("playlist", .optional(folder.map { "\($0)/playlist.m3u8" })),
            ("poster", .optional(title?.hasPoster == true ? folder.map { "\($0)/poster.jpg" } : nil)),
            ("name", .string(contents.name)), ("text", .string(contents.text)),
            ("tags", .array(contents.tags.map(JSONText.string))),
            ("competition", .optional(contents.competition?.text)), ("day", .optional(contents.day)),
            ("latitude", .optional(contents.place?.latitude)), ("longitude", .optional(contents.place?.longitude)),
            ("visibility", .string(contents.visibility.rawValue)),
            ("commentPolicy", .string(contents.commentPolicy.rawValue)), ("publish", .boolean(upload.isWanted)),
            ("problem", .optional(upload.problem)), ("video", .optional(upload.video?.text)),
            ("createdAt", APIResources.time(upload.createdAt)),
        ])
    }
}
