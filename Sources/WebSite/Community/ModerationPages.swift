import Accounts
import Community
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// Reported items, for moderators.
struct ModerationPages: Sendable {
    let pages: PublishedVideoPages

    private static let moderators = AccessRule.needs(.moderate, .reports)

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, VideoPath.moderation, Self.moderators) { request, context in
                try await list(request, context)
            },
            Endpoint(.post, VideoPath.moderation, Self.moderators, handler: decide),
        ]
    }

    private func decide(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        guard let kind = sent["kind"].flatMap(ReportedKind.init(rawValue:)),
            let id = sent["id"].flatMap({ OpaqueID(parsing: $0) }),
            let decision = sent["decision"].flatMap(ModerationRecord.Event.init(rawValue:))
        else { throw ProblemDetails(.badRequest, "the form is not complete") }
        let note = sent["note"] ?? ""
        do {
            switch decision {
            case .warned: try await pages.community.warn(kind, id, note, by: context.caller)
            case .suspended:
                let account = try await pages.viewing.suspendOwner(
                    of: kind, id, for: try sent.suspensionTime(), note: note, by: context.caller)
                pages.pages.send(.suspended(of: account, note: note), request)
            case .restored, .hidden, .deleted:
                guard let decision = ModerationDecision(rawValue: decision.rawValue) else { break }
                try await pages.viewing.decide(decision, note: note, kind, id, by: context)
            }
            return pages.pages.redirect(VideoPath.moderation)
        } catch let error as Refusal {
            let sentence =
                decision == .suspended
                ? pages.pages.text(request).error(error) : pages.text(request).sentence(error)
            let refused = Refused(
                kind: kind, id: id, sent: sent, sentence: sentence, status: ProblemDetails(error).status)
            return try await list(refused: refused, request, context)
        }
    }

    /// A decision that was refused: its form comes back as it was sent.
    private struct Refused {
        var kind: ReportedKind
        var id: OpaqueID
        var sent: FormFields
        /// The reason for the refusal.
        var sentence: String
        var status: HTTPResponse.Status
    }

    private func list(
        refused: Refused? = nil, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = pages.text(request)
        let wanted = try PageRequest(request)
        var page = try await pages.community.moderationQueue(after: wanted.cursor, limit: wanted.limit)
        if let refused, !page.items.contains(where: { $0.kind == refused.kind && $0.subject == refused.id }),
            let item = try await pages.community.moderation(of: refused.kind, refused.id)
        {
            // It is on another page, or somebody else has decided about it.
            page.items.insert(item, at: 0)
        }
        var section = PageSection(text: page.items.isEmpty ? text.nothingToDecide : nil)
        let reports = try await pages.community.reports(of: page.items)
        let histories = try await pages.community.histories(of: page.items)
        let accountText = pages.pages.text(request)
        section.items = page.items.map {
            let sent = $0.kind == refused?.kind && $0.subject == refused?.id ? refused?.sent : nil
            return line($0, reports[$0.subject] ?? [], histories[$0.subject] ?? [], sent, text, accountText)
        }
        if let next = page.next { section.links.append(("\(VideoPath.moderation)?cursor=\(next)", text.more)) }
        return try pages.pages.answer(
            text.moderation, [section], error: refused?.sentence, request, context, status: refused?.status ?? .ok)
    }

    private func line(
        _ item: ModeratedItem, _ reports: [ItemReport], _ history: [ModerationRecord], _ sent: FormFields?,
        _ text: VideoPageText, _ accountText: AccountText
    ) -> PageSection.Item {
        let said = reports.filter { $0.decidedAt == nil }.map { report in
            let reason = text.reasons[report.reason] ?? report.reason.rawValue
            return report.text.isEmpty ? reason : "\(reason): \(report.text)"
        }
        var details = [
            item.ownerName ?? text.station, text.reports(item.reports),
            said.isEmpty ? "" : "\(text.saidWith) \(said.joined(separator: "; "))",
        ]
        if let appeal = item.appeal, item.appealedAt != nil { details.append("\(text.appealOf) \(appeal)") }
        var days = PageForm.Field.suspensionDays(accountText)
        days.value = sent?[FormFields.suspensionDaysName] ?? ""
        let form = PageForm(
            action: VideoPath.moderation,
            fields: [
                .init(name: "kind", label: "", type: "hidden", value: item.kind.rawValue),
                .init(name: "id", label: "", type: "hidden", value: item.subject.text),
                .init(
                    name: "decision", label: text.reason, type: "select", value: sent?["decision"] ?? "",
                    options: [
                        (ModerationDecision.restored.rawValue, text.restore),
                        (ModerationDecision.hidden.rawValue, text.hide),
                        (ModerationDecision.deleted.rawValue, text.deleteForGood),
                        (ModerationRecord.Event.warned.rawValue, text.warn),
                        (ModerationRecord.Event.suspended.rawValue, text.suspend),
                    ]),
                .init(name: "note", label: text.note, value: sent?["note"] ?? ""), days,
            ], button: text.send)
        return PageSection.Item(
            text: item.text, detail: PageText(details.filter { !$0.isEmpty }.joined(separator: " · ")),
            notes: history.map { text.record($0) }, forms: [form], links: Self.links(item, text))
    }

    private static func links(_ item: ModeratedItem, _ text: VideoPageText) -> [(path: String, text: String)] {
        switch item.kind {
        case .video: [(VideoPath.video(item.subject), text.videos)]
        case .profile: item.ownerName.map { [(VideoPath.member($0), text.profile)] } ?? []
        case .comment: []
        case .topicComment: [(ResourcePaths.page(ofTopicComment: item.subject), text.comment)]
        }
    }
}
