import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// `/api/v1/competitions`: everybody who may read the site reads, operators write.
struct CompetitionEndpoints: Sendable {
    let context: CommunityContext

    /// The rule for managing competitions.
    static let manages = AccessRule.needs(.manage, .library)
    static let reads = AccessRule.needs(.read, .site)
    static let list = "/api/v1/competitions"

    /// Limit of a body: a description in which every letter is escaped.
    private static let maximumBodyByteCount = 72 * 1_024

    /// The groups of states that a list can have.
    private enum Period: String, CaseIterable {
        /// Closed, open and running.
        case current
        case finished
    }

    var endpoints: [Endpoint] {
        [
            Endpoint(CompetitionAPI.listCompetitions, Self.reads, handler: page),
            Endpoint(CompetitionAPI.createCompetition, Self.manages, handler: create),
            Endpoint(CompetitionAPI.getCompetition, Self.reads) { _, caller in
                let community = context.community
                return Self.answer(try await community.competition(try Self.identifier(caller)), community)
            },
            Endpoint(CompetitionAPI.changeCompetition, Self.manages, handler: change),
            Endpoint(CompetitionAPI.deleteCompetition, Self.manages) { request, caller in
                let revisions = IfMatch.optional(in: request).revisions
                try await context.community.deleteCompetition(
                    try Self.identifier(caller), from: revisions, by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    static func identifier(_ caller: GatewayRequestContext) throws -> OpaqueID {
        try caller.parameters.identifier(of: "competition")
    }

    /// A competition with its days and its version.
    static func answer(
        _ competition: Competition, _ community: Community, status: HTTPResponse.Status = .ok
    ) -> Response {
        APIResources.competitionWithDays(competition, at: community.now).response(status: status)
            .adding(.eTag, EntityTag(competition.revision).field)
    }

    private func page(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let community = context.community
        let wanted = try PageRequest(request)
        let period: Period? = try PageRequest.choice("period", in: request)
        let now = community.now
        let chosen: CompetitionFilter.Period =
            switch period {
            case .current: .endingAfter(now)
            case .finished: .ended(by: now)
            case nil: .any
            }
        let found = try await community.competitions(
            CompetitionFilter(chosen, text: wanted.query), after: wanted.cursor, limit: wanted.limit)
        return APIPage(
            found.items.map { APIResources.competition($0, at: now) }, next: found.next
        ).response()
    }

    private func create(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let community = context.community
        let body = try await Self.body(request, NewCompetitionFields.self)
        let required: [KeyPath<NewCompetitionFields, Field<String>>] = [\.name, \.timeZone, \.firstDay]
        let missing = required.filter { !body.has($0) }.map { NewCompetitionFields.fields[keyPath: $0].name }
        guard missing.isEmpty else {
            throw Refusal.missing(missing)
        }
        let schedule = try CompetitionSchedule(
            timeZone: try body.required(\.timeZone), firstDay: try Self.date(try body.required(\.firstDay)),
            dayCount: try body.integer(\.dayCount) ?? 1)
        let made = try await community.createCompetition(
            name: try body.required(\.name), description: try body.text(\.description) ?? "", schedule: schedule,
            by: caller.caller)
        return Self.answer(made, community, status: .created).adding(.location, "\(Self.list)/\(made.id)")
    }

    /// The body is a JSON merge patch (RFC 7396): a description that is null is none; the other fields stay as they are
    /// if they are null.
    private func change(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let (community, id) = (context.community, try Self.identifier(caller))
        let body = try await Self.body(request, CompetitionChangeFields.self)
        let (name, zone, dayCount) = (
            try body.text(\.name), try body.text(\.timeZone), try body.integer(\.dayCount)
        )
        let firstDay = try body.text(\.firstDay).map(Self.date)
        let description = body.has(\.description) ? try body.text(\.description) ?? "" : nil
        // What is not there answers 404, with If-Match and without.
        _ = try await community.competition(id)
        let revisions = try IfMatch.required(in: request).revisions
        let changed = try await community.changeCompetition(id, from: revisions, by: caller.caller) { competition in
            if let name { competition.name = name }
            if let description { competition.description = description }
            let old = competition.schedule
            guard zone != nil || firstDay != nil || dayCount != nil else { return }
            competition.schedule = try CompetitionSchedule(
                timeZone: zone ?? old.zone.identifier, firstDay: firstDay ?? old.firstDay,
                dayCount: dayCount ?? old.dayCount)
        }
        return Self.answer(changed, community)
    }

    private static func body<Fields: ObjectFields>(
        _ request: Request, _ fields: Fields.Type
    ) async throws -> BodyFields<Fields> {
        try await BodyFields(
            request, fields, maximumTextLength: Competition.maximumDescriptionLength,
            maximumByteCount: maximumBodyByteCount)
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func date(_ text: String) throws(Refusal) -> CivilDate {
        guard let date = CivilDate(parsing: text) else {
            let shown = UntrustedText.escaped(text, maximumCharacterCount: 40)
            throw Refusal(
                .invalidField, "\"\(shown)\" is not a date; write it like 2026-07-17", field: "firstDay")
        }
        return date
    }
}
