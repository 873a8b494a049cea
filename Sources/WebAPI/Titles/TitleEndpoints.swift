import APIContract
import APIDeclarations
import Accounts
import Catalogue
import Foundation
import HLSDelivery
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LiveChannels
import MediaCore
import MediaIntake
import NIOCore
import VideoClub
import Workflows

/// The endpoints of `/api/v1/titles` that list, ingest and delete titles.
struct TitleEndpoints: Sendable {
    let content: any ContentIngest & TitleContent
    let library: any LibraryFileAccess & LibraryIntake & LibraryJobControl
    /// The keys of encrypted titles; `nil` if titles cannot be encrypted.
    let titleKeys: TitleKeys?
    /// The source of rentals; `nil` for a server without a video club.
    let club: VideoClub?

    /// Limit of a request's body; `{"path": …}` is short.
    static let maximumBodyByteCount = 16 * 1024

    var endpoints: [Endpoint] {
        [
            Endpoint(TitleAPI.listTitles, .titles) {
                request, context in try await titles(request, context)
            },
            Endpoint(CollectionAPI.listGenres, .titles) { _, context in try await genres(context) },
            Endpoint(TitleAPI.ingestTitle, .needs(.upload, .library)) { request, context in
                if PlainUpload.isFile(request) { return try await plainUpload.answer(request) }
                // Files of this machine, and whatever it can reach, are for those who manage it.
                try context.require(.manage, .library)
                return try await ingest(request, context)
            },
            // `curl -T film.mp4 http://127.0.0.1:8080/api/v1/titles/` sends this request; the name takes the place of
            // the ID.
            Endpoint(TitleAPI.uploadTitle, .needs(.upload, .library)) { request, context in
                try await plainUpload.answer(request, name: try context.parameters.require("id"))
            },
            Endpoint(TitleAPI.getTitle, .title(.read)) { _, context in try await title(context) },
            Endpoint(TitleAPI.deleteTitle, .title(.manage)) { _, context in
                try await delete(context)
            },
        ]
    }

    private func titles(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        try context.requireLists(of: club)
        let page = try PageRequest(request)
        let wanted = try TitleListRequest(
            request, page, visible: context.visibleTitles, newSince: club?.newSince ?? VideoClub.alwaysNew)
        let titles =
            switch wanted {
            case .library(let query): try await content.listed(query, after: page.cursor, limit: page.limit)
            case .shelf(let query): try await content.titles(query, after: page.cursor, limit: page.limit)
            }
        let items = titles.items.map { APIResources.listed(resource($0.record), $0.listing) }
        return APIPage(items, next: titles.next).response()
    }

    private func genres(_ context: GatewayRequestContext) async throws -> Response {
        try context.requireLists(of: club)
        let genres = try await content.genres(visible: context.visibleTitles)
        return APIPage(genres.map { genre in GenreFields.object { [$0.name(genre)] } }).response()
    }

    private func title(_ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let title = try await content.title(id: id) else { throw await content.missing(title: id, context) }
        return resource(title).taggedResponse()
    }

    private func resource(_ title: TitleRecord) -> APIObject<TitleFields> {
        APIResources.title(title, keys: titleKeys)
    }

    private func delete(_ context: GatewayRequestContext) async throws -> Response {
        do {
            let id = try context.parameters.require("id")
            guard try await delete(id: id) else { throw await content.missing(title: id, context) }
            return Response(status: .noContent)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }

    /// Deletes a title with its encryption setting, so that a later title with the same ID does not inherit it.
    private func delete(id: String) async throws -> Bool {
        guard try await library.deleteTitle(id: id) else { return false }
        do {
            try await titleKeys?.change(.byDefault, ofTitle: id)
        } catch let error as TitleKeyError {
            throw ProblemDetails(.internalServerError, error.description)
        }
        return true
    }

    // MARK: Ingest

    private var plainUpload: PlainUpload { PlainUpload(library: library) { resource($0) } }

    /// Ingests a file on this machine or imports one from a URL.
    private func ingest(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let body = try await RequestBody.body(
            of: request, example: "{\"path\": \"/a/film.mp4\"} or {\"url\": \"https://…\"}",
            maximumByteCount: Self.maximumBodyByteCount)
        guard body["path"] == nil || body["url"] == nil else {
            throw ProblemDetails(.badRequest, "the body has both \"path\" and \"url\"; send one of them")
        }
        if let url = body["url"] { return try await importFile(url.string ?? "") }
        let path = body["path"]?.string ?? ""
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw ProblemDetails(
                .badRequest,
                "the body must have \"path\", an absolute path of this machine, or \"url\", an http or https URL")
        }
        // The files of the machine are for programs on it, as those that channels.json names: a session may be a
        // stolen one, and the answer says which files there are.
        if !context.principal.isOnMachine {
            guard try await library.isInMediaFolder(path: path) else {
                throw ProblemDetails(
                    .forbidden,
                    "files outside of the media folder are imported by \"antena ingest\" on the server's machine, with the token of this server; upload the file, or name a URL"
                )
            }
        }
        let item: IngestedItem
        do {
            if let job = try await library.importFile(atPath: path) { return Self.accepted(job) }
            item = try await content.ingest(path: path)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        } catch let error as any CustomStringConvertible & Error {
            throw ProblemDetails(.unprocessableContent, error.description)
        }
        switch item {
        case .title(let title):
            var response = resource(title).response(status: title.state == .ready ? .ok : .accepted)
            response.headers[.location] = "/api/v1/titles/\(title.id)"
            return response
        case .track(let track):
            var response = APIResources.track(track).response(status: .accepted)
            response.headers[.location] = "/api/v1/tracks/\(track.id)"
            return response
        }
    }

    /// Queues an import and answers with the job, because there is no title until the file has arrived.
    private func importFile(_ url: String) async throws -> Response {
        do {
            return Self.accepted(try await library.importFile(from: url))
        } catch let error as LibraryError {
            throw error.code == .notPossible
                ? ProblemDetails(.unprocessableContent, error.reason) : ProblemDetails(error)
        }
    }

    private static func accepted(_ job: JobRecord) -> Response {
        var response = APIResources.job(job).response(status: .accepted)
        response.headers[.location] = "/api/v1/jobs/\(job.number)"
        return response
    }
}
