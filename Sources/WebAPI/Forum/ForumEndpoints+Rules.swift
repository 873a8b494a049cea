import APIContract
import APIDeclarations
import Accounts
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

extension ForumEndpoints {
    /// `/api/v1/topics/rules`.
    var rules: [Endpoint] {
        [
            Endpoint(ForumAPI.getTopicRules, Self.reading) { request, caller in
                let wanted = PageRequest.value(of: "language", in: request)
                let language = SiteLanguage.preferred(wanted ?? request.headers[.acceptLanguage])
                return try await answer(language, caller)
            },
            Endpoint(ForumAPI.setTopicRules, Self.managing) { request, caller in
                let body = try await BodyFields(
                    request, TopicRulesChangeFields.self, maximumTextLength: ForumRules.maximumLength * 2,
                    maximumByteCount: 256 * 1_024)
                let language = TopicRules.languages.first { $0.rawValue == (try? body.text(\.language)) }
                guard let language else {
                    throw Refusal(
                        .invalidField,
                        "the field `language` must be one of \(TopicRules.languages.map(\.rawValue).joined(separator: ", "))",
                        field: "language")
                }
                guard let text = try body.text(\.text) else { throw Refusal.missing(["text"]) }
                try await forum.setRules(text, language.rawValue)
                return try await answer(language, caller)
            },
            Endpoint(ForumAPI.acceptTopicRules, Self.taking) { _, caller in
                try TopicViewing.requireTakingPart(caller)
                try await forum.acceptRules(by: caller.caller)
                return Response(status: .noContent)
            },
        ]
    }

    private func answer(_ language: SiteLanguage, _ caller: GatewayRequestContext) async throws -> Response {
        let rules = try await TopicRules.rules(language, forum)
        var accepted: Bool?
        if let member = caller.principal.member { accepted = try await forum.hasAccepted(member.id) }
        return TopicRulesFields.object {
            [$0.language(rules.language), $0.text(rules.text), $0.own(rules.isOwn), $0.accepted(accepted)]
        }.response()
    }
}
