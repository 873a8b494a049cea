import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// `/api/v1/competitions/{id}/map`.
struct CompetitionMapEndpoints: Sendable {
    let context: CommunityContext
    let maps: CompetitionMapUpload

    /// The address of an image has a version that changes with it.
    private static let cacheControl = "public, max-age=3600"

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.getCompetitionMap, CompetitionEndpoints.reads) { _, caller in
                let (map, competition) = try await context.community.map(
                    of: try CompetitionEndpoints.identifier(caller))
                return Self.answer(map, competition)
            },
            Endpoint(CompetitionAPI.getCompetitionMapImage, CompetitionEndpoints.reads) { request, caller in
                let id = try CompetitionEndpoints.identifier(caller)
                guard let image = try await context.community.mapImage(ofCompetition: id) else {
                    throw ProblemDetails(.notFound, "there is no such competition, or its map has no image")
                }
                return .conditional(
                    image.jpeg, type: "image/jpeg", tag: EntityTag(image.version), cacheControl: Self.cacheControl,
                    for: request)
            },
            Endpoint(CompetitionAPI.setCompetitionMap, CompetitionEndpoints.manages, handler: set),
            Endpoint(CompetitionAPI.deleteCompetitionMap, CompetitionEndpoints.manages) { request, caller in
                _ = try await context.community.setMap(
                    nil, ofCompetition: try CompetitionEndpoints.identifier(caller),
                    from: IfMatch.optional(in: request).revisions, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private func set(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (community, id) = (context.community, try CompetitionEndpoints.identifier(caller))
        // Nobody decodes an image for what is not there.
        _ = try await community.competition(id)
        do {
            let (map, image) = try await maps.map(of: try await maps.sent(in: request))
            let changed = try await community.setMap(
                map, image: image, ofCompetition: id, from: IfMatch.optional(in: request).revisions, by: caller.caller)
            return Self.answer(map, changed)
        } catch let failure as MapFailure {
            throw Refusal(.invalidField, failure.description, field: "map")
        }
    }

    private static func answer(_ map: CompetitionMap, _ competition: Competition) -> Response {
        APIResources.map(map, of: competition.id).response().adding(.eTag, EntityTag(competition.revision).field)
    }
}
