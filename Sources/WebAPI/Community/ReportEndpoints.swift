import APIContract
import APIDeclarations
import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import Workflows

/// Reports of members, appeals, and what moderators decide: `/api/v1/videos/{id}/report`,
/// `/api/v1/comments/{id}/report` and `/api/v1/moderation`.
struct ReportEndpoints: Sendable {
    let context: CommunityContext

    private static let taking = AccessRule.member(
        .comment, reason: "the handler asks whether the sender may comment")
    private static let moderators = AccessRule.needs(.moderate, .reports)

    var endpoints: [Endpoint] {
        reports(
            of: .video, report: CommunityAPI.reportVideo, withdraw: CommunityAPI.withdrawVideoReport,
            appeal: CommunityAPI.appealVideo)
            + reports(
                of: .comment, report: CommunityAPI.reportComment, withdraw: CommunityAPI.withdrawCommentReport,
                appeal: CommunityAPI.appealComment)
            + profiles + moderation
    }

    /// Reports of videos or comments, and the appeals of those whose video or comment was hidden.
    private func reports(
        of kind: ReportedKind, report reporting: any DeclaredOperation, withdraw: any DeclaredOperation,
        appeal: any DeclaredOperation
    ) -> [Endpoint] {
        [
            Endpoint(reporting, Self.taking) { request, caller in
                try await report(kind, request, caller) {
                    let id = try caller.parameters.identifier(of: kind.rawValue)
                    let viewing = context.viewing
                    // Clients that may not watch a video do not learn that there is one.
                    let video = kind == .video ? id : try await viewing.community.video(ofComment: id)
                    _ = try await viewing.video(video, caller)
                    return id
                }
            },
            Endpoint(withdraw, Self.taking) { _, caller in
                try CommunityContext.requireTakingPart(caller)
                try await context.community.withdrawReport(
                    kind, try caller.parameters.identifier(of: kind.rawValue), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(appeal, Self.taking) { request, caller in
                let body = try await BodyFields(request, AppealFields.self)
                try CommunityContext.requireTakingPart(caller)
                try await context.community.appeal(
                    kind, try caller.parameters.identifier(of: kind.rawValue), try body.required(\.text),
                    by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private var moderation: [Endpoint] {
        [
            Endpoint(CommunityAPI.listModeratedItems, Self.moderators) { request, _ in
                let page = try VideoEndpoints.page(request)
                let found = try await context.community.moderationQueue(after: page.cursor, limit: page.limit)
                return APIPage(found.items.map { APIResources.moderated($0) }, next: found.next).response()
            },
            Endpoint(CommunityAPI.getModeratedItem, Self.moderators) { _, caller in try await answer(caller) },
            Endpoint(CommunityAPI.claimModeratedItem, Self.moderators) { _, caller in
                let (kind, id) = try Self.subject(caller)
                _ = try await context.community.claim(kind, id, by: caller.caller)
                return try await answer(caller)
            },
            Endpoint(CommunityAPI.decideModeratedItem, Self.moderators, handler: decide),
            Endpoint(CommunityAPI.warnOwner, Self.moderators) { request, caller in
                let body = try await BodyFields(request, OwnerWarningFields.self)
                let (kind, id) = try Self.subject(caller)
                try await context.community.warn(kind, id, try body.required(\.text), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(CommunityAPI.suspendOwner, Self.moderators) { request, caller in
                let body = try await BodyFields(request, OwnerSuspensionFields.self)
                let (kind, id) = try Self.subject(caller)
                let note = try body.text(\.note) ?? ""
                let account = try await context.viewing.suspendOwner(
                    of: kind, id, for: try body.integer(\.suspendedFor).map { .seconds($0) }, note: note,
                    by: caller.caller)
                context.send(.suspended(of: account, note: note), request)
                return Response(status: .noContent)
            },
            Endpoint(CommunityAPI.listWarnings, .member(.read, reason: "what is about the caller")) {
                request, caller in
                let page = try VideoEndpoints.page(request)
                let found = try await context.community.ownRecords(
                    of: caller.caller, after: page.cursor, limit: page.limit)
                return APIPage(found.items.map { APIResources.record($0) }, next: found.next).response()
            },
        ]
    }

    /// Reports of members, and the appeal of one whose profile was hidden.
    private var profiles: [Endpoint] {
        [
            Endpoint(CommunityAPI.reportProfile, Self.taking) { request, caller in
                try await report(.profile, request, caller) { try await subject(caller) }
            },
            Endpoint(CommunityAPI.withdrawProfileReport, Self.taking) { _, caller in
                try CommunityContext.requireTakingPart(caller)
                try await context.community.withdrawReport(
                    .profile, try await subject(caller), by: caller.caller)
                return Response(status: .noContent)
            },
            Endpoint(CommunityAPI.appealProfile, Self.taking) { request, caller in
                let body = try await BodyFields(request, AppealFields.self)
                try CommunityContext.requireTakingPart(caller)
                let member = try Community.member(caller.caller)
                try await context.community.appeal(
                    .profile, OpaqueID(member.id), try body.required(\.text), by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    /// The ID of the member that a path names as `{name}`.
    private func subject(_ caller: GatewayRequestContext) async throws -> OpaqueID {
        OpaqueID(try await context.community.member(named: try caller.parameters.require("name")))
    }

    private static func subject(_ caller: GatewayRequestContext) throws -> (kind: ReportedKind, id: OpaqueID) {
        guard let kind = ReportedKind(rawValue: try caller.parameters.require("kind")) else {
            throw ProblemDetails(.notFound, "videos, comments and profiles are moderated")
        }
        return (kind, try caller.parameters.identifier(of: kind.rawValue))
    }

    private func answer(_ caller: GatewayRequestContext) async throws -> Response {
        let (kind, id) = try Self.subject(caller)
        let found = try await context.community.moderatedItem(kind, id)
        let history = try await context.community.history(of: kind, id)
        return APIResources.moderated(found.item, reports: found.reports, history: history).response()
    }

    /// - Parameter subject: the ID of the reported item, for callers who may know of it.
    private func report(
        _ kind: ReportedKind, _ request: Request, _ caller: GatewayRequestContext,
        _ subject: () async throws -> OpaqueID
    ) async throws -> Response {
        let body = try await BodyFields(request, ReportFields.self)
        try CommunityContext.requireTakingPart(caller)
        let id = try await subject()
        guard let reason = try body.value(\.reason, ReportReason.self) else {
            throw Refusal.missing(["reason"])
        }
        try await context.community.report(kind, id, reason, text: try body.text(\.text) ?? "", by: caller.caller)
        return Response(status: .noContent)
    }

    private func decide(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let body = try await BodyFields(request, ModerationDecisionFields.self)
        let (kind, id) = try Self.subject(caller)
        guard let decision = try body.value(\.decision, ModerationDecision.self) else {
            throw Refusal.missing(["decision"])
        }
        try await context.viewing.decide(
            decision, note: try body.text(\.note) ?? "", kind, id, by: caller)
        return Response(status: .noContent)
    }
}
