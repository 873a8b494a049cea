import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import LibraryDetails
import Workflows

/// The endpoints of `/api/v1/titles/{id}/details` and `/api/v1/tracks/{id}/details`: what people read about a title or
/// track, and where it comes from.
struct DetailEndpoints: Sendable {
    let content: any TitleContent & TrackContent
    let library: any LibraryDetailEditing

    /// Limit of a body, which has room for a description of the longest kind in any script.
    static let maximumBodyByteCount = 128 * 1_024

    var endpoints: [Endpoint] {
        endpoints(.titles, TitleAPI.getTitleDetails, TitleAPI.changeTitleDetails, AccessRule.title(.manage))
            + endpoints(.tracks, TrackAPI.getTrackDetails, TrackAPI.changeTrackDetails, .track(.manage))
    }

    private func endpoints(
        _ section: LibrarySection, _ get: any DeclaredOperation, _ change: any DeclaredOperation, _ rule: AccessRule
    ) -> [Endpoint] {
        [
            Endpoint(get, rule) { _, context in
                let id = try context.parameters.require("id")
                guard let found = try await library.details(of: id, in: section) else {
                    throw await missing(id, section, context)
                }
                return Self.answer(found, section)
            },
            Endpoint(change, rule) { request, context in
                let id = try context.parameters.require("id")
                let wishes = try await Self.wishes(request, section.detailFields)
                guard let old = try await library.details(of: id, in: section) else {
                    throw await missing(id, section, context)
                }
                let version = try IfMatch.required(in: request).admitted(old.version)
                let new = try await library.chooseDetails(of: id, in: section, version: version) {
                    wishes.apply(to: &$0)
                }
                guard let new else { throw await missing(id, section, context) }
                return Self.answer(new, section)
            },
        ]
    }

    private func missing(
        _ id: String, _ section: LibrarySection, _ context: GatewayRequestContext
    ) async -> ProblemDetails {
        switch section {
        case .titles: await content.missing(title: id, context)
        case .tracks: await content.missing(track: id, context)
        }
    }

    private static func answer(_ layers: DetailLayers, _ section: LibrarySection) -> Response {
        let response =
            switch section {
            case .titles: APIResources.titleDetails(layers).response()
            case .tracks: APIResources.trackDetails(layers).response()
            }
        return response.adding(.eTag, EntityTag(layers.version).field)
    }

    /// The changes of a JSON merge patch (RFC 7396).
    private static func wishes(_ request: Request, _ fields: [DetailField]) async throws -> DetailWishes {
        let body = try await RequestBody.body(
            of: request, example: "{\"title\": \"Garden of life\", \"year\": null}",
            maximumByteCount: maximumBodyByteCount)
        guard let members = body.members else {
            throw ProblemDetails(.badRequest, "the body must be an object with the fields to change")
        }
        var wishes = DetailWishes()
        for member in members {
            guard let field = DetailField(rawValue: member.name), fields.contains(field) else {
                let known = fields.map(\.rawValue).joined(separator: ", ")
                throw ProblemDetails(
                    .unprocessableContent, "there is no field \"\(member.name)\"; there are \(known)")
            }
            do {
                wishes[field] = member.value.value == .null ? .reset : .set(try DetailValue(member.value, of: field))
            } catch {
                throw ProblemDetails(.unprocessableContent, error.description)
            }
        }
        return wishes
    }
}
