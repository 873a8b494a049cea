import APIContract
import APIDeclarations
import Accounts
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaAccess
import MediaCore
import Workflows

/// `/api/v1/titles/{id}/audience` and `/api/v1/tracks/{id}/audience`: who may watch a single title or track.
struct AudienceEndpoints: Sendable {
    let content: any TitleContent & TrackContent
    let audiences: TitleAudiences

    /// The value of the field `audience` for a title without an audience of its own.
    private static let sectionName = "section"

    var endpoints: [Endpoint] {
        endpoints(.titles, MediaAccessAPI.getTitleAudience, MediaAccessAPI.setTitleAudience, .title(.manage))
            + endpoints(.tracks, MediaAccessAPI.getTrackAudience, MediaAccessAPI.setTrackAudience, .track(.manage))
    }

    private func endpoints(
        _ section: AudienceRows.Section, _ get: any DeclaredOperation, _ set: any DeclaredOperation,
        _ rule: AccessRule
    ) -> [Endpoint] {
        [
            Endpoint(get, rule) { _, context in
                let id = try context.parameters.require("id")
                try await requireExisting(section, id, context)
                return try await answer(section, id, context)
            },
            Endpoint(set, rule) { request, context in try await change(section, request, context) },
        ]
    }

    /// - Throws: `ProblemDetails` with 404.
    private func requireExisting(
        _ section: AudienceRows.Section, _ id: String, _ context: GatewayRequestContext
    ) async throws {
        switch section {
        case .titles:
            guard try await content.title(id: id) != nil else { throw await content.missing(title: id, context) }
        case .tracks:
            guard try await content.track(id: id) != nil else { throw await content.missing(track: id, context) }
        }
    }

    /// The body is `{"audience": "invited", "invited": ["ana"]}`; what is missing stays as it is.
    private func change(
        _ section: AudienceRows.Section, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let id = try context.parameters.require("id")
        let body = try await BodyFields(request, ItemAudienceChangeFields.self)
        let change: AudienceChange?
        switch try body.text(\.audience) {
        case nil: change = nil
        case Self.sectionName: change = AudienceChange(nil)
        case let name?:
            guard let audience = Audience(rawValue: name) else {
                throw Refusal(
                    .invalidField,
                    "the field `audience` must be one of everyone, members, invited, \(Self.sectionName)",
                    fields: ["audience"])
            }
            change = AudienceChange(audience)
        }
        let invited = try body.texts(\.invited)
        guard change != nil || invited != nil else {
            throw Refusal(.missingFields, "one of these fields is required: audience, invited")
        }
        try await requireExisting(section, id, context)
        let versions = try IfMatch.required(in: request).versions
        try await audiences.set(change, invited: invited, in: section, of: id, from: versions, by: context.caller)
        return try await answer(section, id, context)
    }

    private func answer(
        _ section: AudienceRows.Section, _ id: String, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (audience, invited, version) = try await audiences.audience(in: section, of: id)
        let rules = context.identity.audiences
        let effective = audience ?? (section == .titles ? rules.titles : rules.tracks)
        return ItemAudienceFields.object {
            [
                $0.id(id), $0.audience(audience?.rawValue ?? Self.sectionName), $0.effective(effective.rawValue),
                $0.invited(invited),
            ]
        }.response().adding(.eTag, EntityTag(version).field)
    }
}
