import APIContract
import APIDeclarations
import Accounts
import Catalogue
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaCore
import NIOCore
import Workflows

/// The descriptions of videos that members upload, until those are published: `/api/v1/me/uploads` beside its uploads.
struct MemberUploadEndpoints: Sendable {
    let context: CommunityContext
    let target: MemberUploadTarget

    private static let rule = MemberUploadTarget.rule

    var endpoints: [Endpoint] {
        [
            Endpoint(MemberUploadAPI.listMemberUploads, Self.rule, handler: list),
            Endpoint(MemberUploadAPI.getMemberUpload, Self.rule) { _, caller in answer(try await target.owned(caller))
            },
            Endpoint(MemberUploadAPI.publishMemberUpload, Self.rule, handler: describe),
            Endpoint(MemberUploadAPI.setMemberUploadPoster, Self.rule, handler: choosePoster),
        ]
    }

    private func list(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        try MemberUploads.requireSending(caller)
        let wanted = try VideoEndpoints.page(request)
        let (page, usage) = try await target.uploads.community.uploads(
            by: caller.caller, after: wanted.cursor, limit: wanted.limit)
        return SentVideoListFields.object {
            [
                $0.items(page.items.map(resource)), $0.next(NextCursor(page.next)),
                $0.bytes(Double(usage.byteCount)), $0.quota(Double(usage.quota)),
            ]
        }.response()
    }

    /// The body is that of a video, and `publish`; fields that are missing keep their values.
    private func describe(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let upload = try await target.owned(caller)
        let body = try await VideoEndpoints.body(request, SentVideoChangeFields.self)
        var contents = upload.contents
        try VideoEndpoints.apply(body, to: &contents)
        let publishes = try body.boolean(\.publish)
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

    private func resource(_ upload: MemberUpload) -> APIObject<SentVideoFields> {
        let (title, contents) = (upload.title, upload.contents)
        let folder = title.flatMap { title in
            title.state == .ready ? context.viewing.previewFolder(ofTitle: title.id) : nil
        }
        let poster = title?.hasPoster == true ? folder.map { "\($0)/poster.jpg" } : nil
        return SentVideoFields.object { f in
            [
                f.id(upload.id.text), f.state(upload.state.rawValue), f.fileName(upload.fileName),
                f.bytes(Double(upload.byteCount)), f.title(title?.id), f.progress(title?.progress),
                f.error(title?.error), f.duration(title?.duration),
                f.playlist(folder.map { "\($0)/playlist.m3u8" }), f.poster(poster), f.name(contents.name),
                f.text(contents.text), f.tags(contents.tags), f.competition(contents.competition?.text),
                f.day(contents.day), f.latitude(contents.place?.latitude), f.longitude(contents.place?.longitude),
                f.visibility(contents.visibility.rawValue), f.commentPolicy(contents.commentPolicy.rawValue),
                f.publish(upload.isWanted), f.problem(upload.problem), f.video(upload.video?.text),
                f.createdAt(APIResources.time(upload.createdAt)),
            ]
        }
    }
}
