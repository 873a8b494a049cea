import Catalogue
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Pictures that belong to titles and tracks. Media, a track's own file included, is the delivery handler's.
struct FileEndpoints: Sendable {
    let content: any ContentSource
    let files = FileIO()

    /// Posters change with the media; players and browsers ask again after an hour and mostly hear 304.
    private static let artworkCacheControl = "public, max-age=3600"

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/vod/{id}/poster.jpg") { request, context in
                let title = try await content.title(id: try context.parameters.require("id"))
                guard let title, let path = title.poster else { throw ProblemDetails(.notFound, "there is no poster") }
                let file = ServedFile(
                    path: path, mediaType: "image/jpeg", revision: title.revision,
                    cacheControl: Self.artworkCacheControl)
                return try await respond(with: file, to: request, context)
            },
            Endpoint(.get, "/radio/{id}/cover") { request, context in
                let track = try await content.track(id: try context.parameters.require("id"))
                guard let track, let path = track.cover else { throw ProblemDetails(.notFound, "there is no cover") }
                let file = ServedFile(
                    path: path, mediaType: track.coverMediaType ?? "image/jpeg", revision: track.revision,
                    cacheControl: Self.artworkCacheControl)
                return try await respond(with: file, to: request, context)
            },
        ]
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
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: file.path),
            let byteCount = (attributes[.size] as? NSNumber)?.intValue
        else { throw ProblemDetails(.notFound, "the file is not there any more") }
        let entityTag = "\"\(file.revision)-\(String(byteCount, radix: 16))\""
        var headers: HTTPFields = [
            .eTag: entityTag, .cacheControl: file.cacheControl, .contentType: file.mediaType,
        ]
        if let known = request.headers[.ifNoneMatch], EntityTag.list(known, matches: entityTag) {
            headers[.contentType] = nil
            return Response(status: .notModified, headers: headers)
        }
        let body = try await files.loadFile(path: file.path, context: context)
        return Response(status: .ok, headers: headers, body: body)
    }
}
