import Catalogue
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import Packaging
import VODLibrary

/// Pictures that belong to titles and tracks. Media, a track's own file included, is the delivery handler's.
struct FileEndpoints: Sendable {
    let content: any ContentSource
    /// Reads the images.
    let threadPool: NIOThreadPool

    /// Pictures change with the media; players and browsers ask again after an hour and mostly hear 304. Lists name a
    /// poster with what tells it from the one before.
    private static let artworkCacheControl = "public, max-age=3600"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/vod/{id}/poster.jpg") { request, context in
                let title = try await content.title(id: try context.parameters.require("id"))
                guard let title, let path = title.poster else {
                    throw ProblemDetails(.notFound, "the title has no poster")
                }
                let file = ServedFile(
                    path: path, mediaType: "image/jpeg", revision: APIResources.pictureVersion(path),
                    cacheControl: Self.artworkCacheControl)
                return try await respond(with: file, to: request, context)
            },
            Endpoint(.get, "/radio/{id}/cover") { request, context in
                let track = try await content.track(id: try context.parameters.require("id"))
                guard let track, let path = track.cover else {
                    throw ProblemDetails(.notFound, "the track has no cover")
                }
                let file = ServedFile(
                    path: path, mediaType: track.coverMediaType ?? "image/jpeg", revision: track.revision,
                    cacheControl: Self.artworkCacheControl)
                return try await respond(with: file, to: request, context)
            },
            storyboard(Storyboard.fileName, mediaType: "text/vtt; charset=utf-8", Self.artworkCacheControl),
        ]
            + (1...Storyboard.maximumSheetCount).map { number in
                storyboard(Storyboard.sheetName(number), mediaType: "image/jpeg", Self.sheetCacheControl)
            }
    }

    /// The storyboard names its sheets with the title's revision.
    private static let sheetCacheControl = "public, max-age=31536000, immutable"

    private func storyboard(_ name: String, mediaType: String, _ cacheControl: String) -> Endpoint {
        Endpoint(.get, "/vod/{id}/\(name)") { request, context in
            let title = try await content.title(id: try context.parameters.require("id"))
            guard let title, let path = title.storyboardFile(named: name) else {
                throw ProblemDetails(.notFound, "the title has no storyboard, or none yet")
            }
            let file = ServedFile(
                path: path, mediaType: mediaType, revision: title.revision, cacheControl: cacheControl)
            return try await respond(with: file, to: request, context)
        }
    }

    private struct ServedFile {
        var path: String
        var mediaType: String
        var revision: String
        var cacheControl: String
    }

    private func respond(
        with file: ServedFile, to request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        guard let opened = try await content.library.servedFile(at: file.path) else {
            throw ProblemDetails(.notFound, "the file has been deleted")
        }
        let byteCount = opened.byteCount
        let entityTag = "\"\(file.revision)-\(String(byteCount, radix: 16))\""
        var headers: HTTPFields = [
            .eTag: entityTag, .cacheControl: file.cacheControl, .contentType: file.mediaType,
        ]
        if let known = request.headers[.ifNoneMatch], EntityTag.list(known, matches: entityTag) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        return Response(status: .ok, headers: headers, body: body(of: opened))
    }

    /// Read in pieces from the descriptor that was checked, off the event loop.
    private func body(of file: MediaFile) -> ResponseBody {
        ResponseBody(contentLength: Int(clamping: file.byteCount)) { [threadPool] writer in
            var offset: Int64 = 0
            while offset < file.byteCount {
                let (start, count) = (offset, Int(min(Int64(Self.pieceByteCount), file.byteCount - offset)))
                let piece = try await threadPool.runIfActive { try file.read(at: start, count: count) }
                try await writer.write(piece)
                offset += Int64(count)
            }
            try await writer.finish(nil)
        }
    }

    private static let pieceByteCount = 64 << 10
}
