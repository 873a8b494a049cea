import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaCore
import Workflows

/// The endpoints of `/api/v1/tracks`, which list and delete audio tracks.
struct TrackEndpoints: Sendable {
    let content: any TrackContent
    let library: any LibraryFileAccess

    var endpoints: [Endpoint] {
        [
            Endpoint(TrackAPI.deleteTrack, .track(.manage)) { _, context in
                try await delete(context)
            },
            Endpoint(TrackAPI.listTracks, .tracks) {
                request, context in try await tracks(request, context)
            },
            Endpoint(TrackAPI.getTrack, .track(.read)) { _, context in try await track(context) },
        ]
    }

    private func tracks(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let page = try PageRequest(request)
        let tracks = try await content.tracks(
            try RecordQuery(request, page, visible: context.visibleTracks), after: page.cursor, limit: page.limit)
        return APIPage(tracks.items.map(APIResources.track), next: tracks.next).response()
    }

    private func track(_ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        guard let track = try await content.track(id: id) else { throw await content.missing(track: id, context) }
        return APIResources.track(track).taggedResponse()
    }

    private func delete(_ context: GatewayRequestContext) async throws -> Response {
        do {
            let id = try context.parameters.require("id")
            guard try await library.deleteTrack(id: id) else { throw await content.missing(track: id, context) }
            return Response(status: .noContent)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }
}
