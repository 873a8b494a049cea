import Accounts
import Catalogue
import Foundation
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaAccess
import MediaCore
import MediaWorker
import NIOCore
import NIOPosix
import Packaging
import VODLibrary
import Workflows

/// The images of titles and tracks: posters, covers and storyboards. Media, including a track's own file, is served by
/// the delivery handler.
package struct FileEndpoints: Sendable {
    let content: any ChannelContent & TitleContent & TrackContent
    let library: any LibraryFileAccess & LibraryImages
    /// Reads the images.
    let threadPool: NIOThreadPool
    /// Decides who may watch; `nil` in tests without media.
    let delivery: MediaDelivery?

    /// Images change with the media; players and browsers revalidate after an hour and usually get 304. Lists contain
    /// poster URLs with a version that changes with the image. Shared caches ask earlier, because the audience may
    /// change.
    private static let artworkCacheControl = CachePolicy.image(seconds: 3_600)

    /// Half of the time for which the picture of a channel is kept here.
    private static let thumbnailSeconds: Int64 = 5

    /// Nobody else keeps what a signature opens.
    private static let signedCacheControl = "private, max-age=3600"

    private static let posterName = "poster.jpg"
    private static let signature = "signature"
    private static let folder = "/vod/{id}"
    private static let signedFolder = "/\(MediaLinks.folderName)/{\(signature)}\(folder)"
    private static let thumbnailName = "thumbnail.jpg"
    private static let channelFolder = "/live/{name}"
    private static let signedChannelFolder = "/\(MediaLinks.folderName)/{\(signature)}\(channelFolder)"
    private static let signed = AccessRule.open(reason: "the signature in the path decides")

    var endpoints: [Endpoint] { images.map(\.forPrograms) }

    private var images: [Endpoint] {
        [
            Endpoint(.get, "\(Self.folder)/\(Self.posterName)", .title(.read)) { request, context in
                try await poster(of: try await title(context), cacheControl: Self.artworkCacheControl, request)
            },
            Endpoint(.get, "\(Self.signedFolder)/\(Self.posterName)", Self.signed) { request, context in
                _ = try await requireViewing(request, context)
                return try await poster(of: try await title(context), cacheControl: Self.signedCacheControl, request)
            },
            Endpoint(.get, "/radio/{id}/cover", .track(.read)) { request, context in
                let id = try context.parameters.mediaName("id").text
                guard let track = try await content.track(id: id) else { throw ProblemDetails.unknown(.track, id) }
                guard let cover = track.shownCover else {
                    throw ProblemDetails(.notFound, "the track has no cover")
                }
                let file = ServedFile(
                    path: cover.path, mediaType: cover.mediaType, revision: ResourcePaths.imageVersion(cover.path),
                    cacheControl: Self.artworkCacheControl)
                return try await respond(with: file, to: request)
            },
            Endpoint(.get, "/live/{name}/cover", .channel(.read)) { request, context in
                try await channelCover(request, context)
            },
            Endpoint(.get, "\(Self.channelFolder)/\(Self.thumbnailName)", .channel(.read), handler: thumbnail),
            Endpoint(.get, "\(Self.signedChannelFolder)/\(Self.thumbnailName)", Self.signed, handler: thumbnail),
        ]
            + storyboard(Storyboard.fileName, mediaType: "text/vtt; charset=utf-8") { _, _ in
                Self.artworkCacheControl
            }
            + (1...Storyboard.maximumSheetCount).flatMap { number in
                storyboard(
                    Storyboard.sheetName(number), mediaType: "image/jpeg", cacheControl: Self.sheetCacheControl)
            }
    }

    private func title(_ context: GatewayRequestContext) async throws -> TitleRecord {
        let id = try context.parameters.mediaName("id").text
        guard let title = try await content.title(id: id) else { throw ProblemDetails.unknown(.title, id) }
        return title
    }

    /// The poster of a title that the sender may see.
    ///
    /// - Throws: `ProblemDetails` with 404 for a title without one.
    func poster(of title: TitleRecord, cacheControl: String, _ request: Request) async throws -> Response {
        guard let path = title.poster else { throw ProblemDetails(.notFound, "the title has no poster") }
        let file = ServedFile(
            path: path, mediaType: "image/jpeg", revision: ResourcePaths.imageVersion(path), cacheControl: cacheControl)
        return try await respond(with: file, to: request)
    }

    /// The image of a channel. It is asked for again each time, because its file may be replaced.
    private func channelCover(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let name = try context.parameters.mediaName("name").text
        guard content.channel(named: name) != nil else { throw content.missing(channel: name, context) }
        guard let file = content.coverFile(ofChannel: name),
            let image = try await library.channelCover(ofFile: file)
        else { throw ProblemDetails(.notFound, "the channel has no cover on this server") }
        return .conditional(
            image, type: "image/jpeg", tag: EntityTag(of: image), cacheControl: "no-cache", for: request)
    }

    /// The current picture of a channel, for those who may watch it.
    @Sendable private func thumbnail(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        // Beside the playlist, whose folder is `/live/canalA.stream`, and beside the cover.
        let component = try context.parameters.mediaName("name")
        let subject = MediaSubject(path: "/live/\(component.text)") ?? .channel(component)
        guard case .channel(let channel) = subject, content.channel(named: channel.text) != nil else {
            throw content.missing(channel: component.text, context)
        }
        let name = channel.text
        let isForEveryone = try await requireViewing("\(subject.folder)/playlist.m3u8", request, context) {
            content.missing(channel: name, context)
        }
        guard let image = await content.thumbnail(ofChannel: name) else {
            throw ProblemDetails(.notFound, "there is no picture of the channel at the moment")
        }
        let policy = CachePolicy.image(seconds: Self.thumbnailSeconds)
        return .conditional(
            image, type: "image/jpeg", tag: EntityTag(of: image),
            cacheControl: isForEveryone ? policy : CachePolicy.forOneViewer(policy), for: request)
    }

    /// The cache policy of a storyboard sheet. The storyboard refers to sheets by the title's revision, so such a URL
    /// may be cached forever. A URL with the revision of a replaced file is answered with 404, because its positions
    /// would refer to other images.
    ///
    /// - Throws: `ProblemDetails` with status 404.
    private static func sheetCacheControl(_ request: Request, _ title: TitleRecord) throws -> String {
        guard let version = PageRequest.value(of: "v", in: request) else { return artworkCacheControl }
        guard version == title.revision else {
            throw ProblemDetails(.notFound, "the title's file has been replaced; load \(Storyboard.fileName) again")
        }
        return CachePolicy.media
    }

    private func storyboard(
        _ name: String, mediaType: String,
        cacheControl: @escaping @Sendable (Request, TitleRecord) throws -> String
    ) -> [Endpoint] {
        [(Self.folder, AccessRule.title(.read)), (Self.signedFolder, Self.signed)].map { folder, rule in
            Endpoint(.get, "\(folder)/\(name)", rule) { request, context in
                let isForEveryone = try await requireViewing(request, context)
                let title = try await title(context)
                guard let path = title.storyboardFile(named: name) else {
                    throw ProblemDetails(.notFound, "the title has no storyboard, or none yet")
                }
                let policy = try cacheControl(request, title)
                let file = ServedFile(
                    path: path, mediaType: mediaType, revision: title.revision,
                    cacheControl: isForEveryone ? policy : CachePolicy.forOneViewer(policy))
                return try await respond(with: file, to: request)
            }
        }
    }

    /// A storyboard shows the whole film, so it is for those who may watch that; and a signed path leads to what is not
    /// for everyone.
    ///
    /// - Returns: whether everybody may watch it.
    /// - Throws: `ProblemDetails`
    private func requireViewing(_ request: Request, _ context: GatewayRequestContext) async throws -> Bool {
        let id = try context.parameters.mediaName("id").text
        return try await requireViewing("/vod/\(id)/\(TitleChapters.fileName)", request, context) {
            ProblemDetails.unknown(.title, id)
        }
    }

    /// - Parameters:
    ///   - target: the path of the media that is shown, without a signature.
    ///   - request: the request for its picture.
    ///   - context: who sent it.
    ///   - unknown: says that there is no such thing.
    private func requireViewing(
        _ target: String, _ request: Request, _ context: GatewayRequestContext, unknown: () -> ProblemDetails
    ) async throws -> Bool {
        var target = target
        if context.parameters.get(Self.signature) != nil {
            // Only what has the form of a signature can be a part of the path that is asked about.
            guard let signature = MediaSignature(parsing: try context.parameters.require(Self.signature))?.text else {
                throw unknown()
            }
            target = "/\(MediaLinks.folderName)/\(signature)\(target)"
        }
        switch await delivery?.decide(target, fields: request.headers, from: context.remoteAddress) {
        case .decided(let decision, _):
            if let problem = decision.problem { throw problem }
            return decision == .open
        case .nothing, .conflict, nil: throw unknown()
        }
    }

    private struct ServedFile {
        var path: String
        var mediaType: String
        var revision: String
        var cacheControl: String
    }

    private func respond(with file: ServedFile, to request: Request) async throws -> Response {
        guard let opened = try await library.servedFile(at: file.path) else {
            throw ProblemDetails(.notFound, "the file has been deleted")
        }
        let whole = FileRange(offset: 0, byteCount: Int(clamping: opened.byteCount))
        let transfer = FileTransfer(
            StoredMedia(file: opened, runs: [.file(whole)]), request: request.head,
            fields: [.cacheControl: file.cacheControl, .contentType: file.mediaType],
            etag: "\"\(file.revision)-\(String(opened.byteCount, radix: 16))\"")
        return Response(status: transfer.head.status, headers: transfer.head.headerFields, body: body(of: transfer))
    }

    /// A body that is read in pieces, off the event loop, from the descriptor that was checked.
    private func body(of transfer: FileTransfer) -> ResponseBody {
        ResponseBody(contentLength: transfer.remainingByteCount) { [threadPool] writer in
            let reader = PieceReader(transfer, buffer: ByteBuffer())
            while !reader.isAtEnd {
                try await reader.fetchNext()
                _ = try await threadPool.runIfActive { try reader.readNext(cachedOnly: false) }
                try await writer.write(reader.piece)
            }
            try await writer.finish(nil)
        }
    }
}
