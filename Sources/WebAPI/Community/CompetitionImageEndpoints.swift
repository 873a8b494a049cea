import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import Workflows

/// `/api/v1/competitions/{id}/image`.
struct CompetitionImageEndpoints: Sendable {
    let context: CommunityContext
    let images: CompetitionImageUpload

    /// The address has a version that changes with the image.
    private static let cacheControl = "public, max-age=3600"

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.getCompetitionImage, CompetitionEndpoints.reads) { request, caller in
                let id = try CompetitionEndpoints.identifier(caller)
                guard let image = try await context.community.image(ofCompetition: id) else {
                    throw ProblemDetails(.notFound, "there is no such competition, or it has no image")
                }
                return .conditional(
                    image.jpeg, type: "image/jpeg", tag: EntityTag(image.version), cacheControl: Self.cacheControl,
                    for: request)
            },
            Endpoint(CompetitionAPI.setCompetitionImage, CompetitionEndpoints.manages) { request, caller in
                let (community, id) = (context.community, try CompetitionEndpoints.identifier(caller))
                // Nobody decodes an image for what is not there.
                _ = try await community.competition(id)
                guard let image = try await images.image(in: request) else {
                    throw ProblemDetails(.unprocessableContent, "the image is empty")
                }
                return CompetitionEndpoints.answer(
                    try await community.setImage(
                        image, ofCompetition: id, from: IfMatch.optional(in: request).revisions, by: caller.caller),
                    community)
            },
            Endpoint(CompetitionAPI.deleteCompetitionImage, CompetitionEndpoints.manages) { request, caller in
                _ = try await context.community.setImage(
                    nil, ofCompetition: try CompetitionEndpoints.identifier(caller),
                    from: IfMatch.optional(in: request).revisions, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }
}
