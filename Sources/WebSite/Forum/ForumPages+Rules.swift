import Accounts
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The rules of the forum, and the categories of the operators.
extension ForumPages {
    private static let rulesText = "texto"

    var ruleEndpoints: [Endpoint] {
        [
            Endpoint(.get, ForumPath.rules, Self.reading) { request, context in
                try await rules(nil, error: nil, request, context)
            },
            Endpoint(.post, ForumPath.rules, Self.taking) { _, context in
                try await forum.acceptRules(by: context.caller)
                return pages.redirect("\(ForumPath.rules)?\(ForumPath.done)=1")
            },
            Endpoint(.post, "\(ForumPath.rules)/\(ForumPath.edit)", Self.manages) { request, context in
                let sent = try await FormFields(request)
                let language = SiteLanguage.preferred(request.headers[.acceptLanguage])
                do {
                    try await forum.setRules(sent[Self.rulesText] ?? "", language.rawValue)
                    return pages.redirect(ForumPath.rules)
                } catch let error as Refusal {
                    return try await rules(sent, error: error, request, context)
                }
            },
        ]
    }

    private func rules(
        _ sent: FormFields?, error: Refusal?, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (page, text) = (SitePage(.forumRules, request, context), text(request))
        let language = SiteLanguage.preferred(request.headers[.acceptLanguage])
        let rules = try await TopicRules.rules(language, forum)
        var values: [String: Any] = [
            "f": text, "blocks": ForumMarkup().values(rules.text), "done": false, "problem": false,
            "accepting": false, "editing": false,
        ]
        if let member = context.principal.member {
            if try await !forum.hasAccepted(member.id) {
                values["accepting"] = [
                    "forms": [PageForm(action: ForumPath.rules, button: text.accept).values(csrf: context.csrfToken)]
                ]
            } else {
                values["done"] = text.accepted
            }
            if context.may(.manage, .system) {
                let form = PageForm(
                    action: "\(ForumPath.rules)/\(ForumPath.edit)",
                    fields: [
                        .init(
                            name: Self.rulesText, label: text.rulesText, type: "textarea",
                            value: sent?[Self.rulesText] ?? rules.text)
                    ], button: text.save)
                values["editing"] = [
                    "summary": text.editRules, "forms": [form.values(csrf: context.csrfToken)],
                ]
            }
        }
        if let error { values["problem"] = SitePage.displayed(text.sentence(error, pages.text(request))) }
        return try page.response(
            values, title: text.rules, status: error.map { AccountPages.status($0) } ?? .ok)
    }

    // MARK: Categories

    var categoryEndpoints: [Endpoint] {
        [
            Endpoint(.get, ForumPath.categories, Self.manages) { request, context in
                try await categories(error: nil, request, context)
            },
            Endpoint(.post, ForumPath.categories, Self.manages) { request, context in
                let sent = try await FormFields(request)
                return try await change(request, context) { _ = try await forum.createCategory(Self.change(sent)) }
            },
            Endpoint(.post, "\(ForumPath.categories)/{id}", Self.manages) { request, context in
                let id = try context.parameters.identifier(of: "category")
                let sent = try await FormFields(request)
                return try await change(request, context) { _ = try await forum.changeCategory(id, Self.change(sent)) }
            },
            Endpoint(.post, "\(ForumPath.categories)/{id}/\(ForumPath.delete)", Self.manages) { request, context in
                let id = try context.parameters.identifier(of: "category")
                return try await change(request, context) { try await forum.deleteCategory(id) }
            },
        ]
    }

    private func change(
        _ request: Request, _ context: GatewayRequestContext, _ body: () async throws -> Void
    ) async throws -> Response {
        do {
            try await body()
            return pages.redirect(ForumPath.categories)
        } catch let error as Refusal where error.code != .notFound {
            return try await categories(error: error, request, context)
        }
    }

    private static func change(_ sent: FormFields) -> ForumCategoryChange {
        var change = ForumCategoryChange()
        (change.name, change.text) = (sent["name"] ?? "", sent["text"] ?? "")
        // A text that is no number keeps the position.
        change.place = sent.text("place").flatMap { Int64($0) }
        return change
    }

    private func categories(
        error: Refusal?, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (text, accountText) = (text(request), pages.text(request))
        func form(_ category: ForumCategory?) -> PageForm {
            PageForm(
                action: category.map { "\(ForumPath.categories)/\($0.id)" } ?? ForumPath.categories,
                fields: [
                    .init(name: "name", label: text.name, value: category?.name ?? "", isRequired: true),
                    .init(name: "text", label: text.about, value: category?.text ?? ""),
                    .init(
                        name: "place", label: text.place, type: "number", value: category.map { "\($0.place)" } ?? "0"),
                ], button: category == nil ? text.create : text.save)
        }
        let all = try await forum.categories()
        var new = PageSection(heading: text.create)
        new.forms = [form(nil)]
        let sections = all.map { category -> PageSection in
            var section = PageSection(heading: SitePage.displayed(category.name), text: text.topics(category.topics))
            section.forms = [form(category)]
            if category.topics == 0 {
                section.forms.append(
                    PageForm(
                        action: "\(ForumPath.categories)/\(category.id)/\(ForumPath.delete)", button: text.delete,
                        isDangerous: true))
            }
            section.links = [(ForumPath.list(category), text.forum)]
            return section
        }
        let sentence = error.map { error in
            error.code == .conflict && error.field == nil ? text.hasTopics : text.sentence(error, accountText)
        }
        return try pages.answer(
            text.manageCategories, [new] + sections, error: sentence, request, context,
            status: error.map { AccountPages.status($0) } ?? .ok)
    }
}
