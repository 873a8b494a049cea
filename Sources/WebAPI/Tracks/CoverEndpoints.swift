import APIDeclarations
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaIntake
import Workflows

/// The endpoints of `/api/v1/tracks/{id}/cover`, which set a track's cover.
struct CoverEndpoints: Sendable {
    let content: any TrackContent
    let library: any LibraryImages

    var endpoints: [Endpoint] {
        [
            Endpoint(TrackAPI.setTrackCover, .track(.manage)) { request, context in
                let match = try IfMatch.required(in: request)
                let image = try await ImageBody.cover.required(in: request, from: .operators)
                return try await answer(context, match) {
                    try await library.setCover(ofTrack: $0, to: image, if: $1)
                }
            },
            Endpoint(TrackAPI.resetTrackCover, .track(.manage)) { request, context in
                try await answer(context, try IfMatch.required(in: request)) {
                    try await library.setCover(ofTrack: $0, to: nil, if: $1)
                }
            },
        ]
    }

    private static func version(of track: AudioTrackRecord) -> String {
        EntityTag(of: APIResources.track(track)).version
    }

    private func answer(
        _ context: GatewayRequestContext, _ match: IfMatch,
        _ change: (String, @escaping RecordCondition<AudioTrackRecord>) async throws -> AudioTrackRecord?
    ) async throws -> Response {
        do {
            let id = try context.parameters.require("id")
            guard let old = try await content.track(id: id) else { throw await content.missing(track: id, context) }
            let version = try match.admitted(Self.version(of: old))
            let condition: RecordCondition<AudioTrackRecord> = { version == nil || Self.version(of: $0) == version }
            guard let track = try await change(id, condition) else {
                throw await content.missing(track: id, context)
            }
            return APIResources.track(track).taggedResponse()
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }
}
