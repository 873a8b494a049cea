import Accounts
import Community
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The forms of the forum: topics and comments are written, changed, deleted, moderated and reported.
extension ForumPages {
    var writing: [Endpoint] {
        [
            Endpoint(.get, ForumPath.new, Self.taking) { request, context in
                try await newTopic(nil, error: nil, request, context)
            },
            Endpoint(.post, ForumPath.new, Self.taking, handler: begin),
            Endpoint(.post, "\(ForumPath.topics){id}/\(ForumPath.comment)", Self.taking, handler: comment),
            Endpoint(.get, "\(ForumPath.topics){id}/\(ForumPath.edit)", Self.taking) { request, context in
                let topic = try await topic(context)
                return try editing(topic, nil, error: nil, request, context)
            },
            Endpoint(.post, "\(ForumPath.topics){id}/\(ForumPath.edit)", Self.taking, handler: rename),
            Endpoint(.post, "\(ForumPath.topics){id}/\(ForumPath.moderate)", Self.taking, handler: moderate),
            Endpoint(.post, "\(ForumPath.topics){id}/\(ForumPath.delete)", Self.taking) { request, context in
                let topic = try await topic(context)
                do {
                    try await forum.deleteTopic(
                        topic.id, by: context.caller, isModerator: TopicViewing.isModerator(context))
                    return pages.redirect(ForumPath.list(topic.category))
                } catch let error as Refusal {
                    return try await show(topic, error: error, request, context)
                }
            },
            Endpoint(.get, "\(ForumPath.comments){id}/\(ForumPath.edit)", Self.taking) { request, context in
                let found = try await found(context)
                return try editing(found.comment, of: found.topic, nil, error: nil, request, context)
            },
            Endpoint(.post, "\(ForumPath.comments){id}/\(ForumPath.edit)", Self.taking, handler: edit),
            Endpoint(.post, "\(ForumPath.comments){id}/\(ForumPath.delete)", Self.taking) { _, context in
                let found = try await found(context)
                try await forum.deleteComment(
                    found.comment.id, by: context.caller, isModerator: TopicViewing.isModerator(context))
                return pages.redirect(ForumPath.place(found.comment.place, of: found.topic.id))
            },
            Endpoint(.post, "\(ForumPath.comments){id}/\(ForumPath.report)", Self.taking, handler: report),
        ]
    }

    private func topic(_ context: GatewayRequestContext) async throws -> ForumTopic {
        try await viewing.topic(try context.parameters.identifier(of: "topic"), context)
    }

    private func found(
        _ context: GatewayRequestContext
    ) async throws -> (comment: ForumComment, topic: ForumTopic) {
        try await viewing.comment(try context.parameters.identifier(of: "comment"), context)
    }

    // MARK: New topics and comments

    private func newTopic(
        _ sent: FormFields?, error: Refusal?, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (text, accountText) = (text(request), pages.text(request))
        func value(_ name: String) -> String? {
            sent.map { $0[name] } ?? PageRequest.value(of: name, in: request)
        }
        var fields: [PageForm.Field] = []
        let about = [ForumCategory.Kind.channel, .title].first { value(Self.parameter($0))?.isEmpty == false }
        if let about {
            let name = Self.parameter(about)
            fields.append(.init(name: name, label: "", type: "hidden", value: value(name) ?? ""))
        } else {
            let categories = try await forum.categories()
            guard !categories.isEmpty else {
                return try pages.answer(
                    text.newTopic, [PageSection(text: text.noCategories, links: [(ForumPath.forum, text.forum)])],
                    request, context)
            }
            fields.append(
                .init(
                    name: "category", label: text.category, type: "select",
                    value: value("category") ?? categories[0].id.text,
                    options: categories.map { ($0.id.text, SitePage.displayed($0.name)) }))
        }
        var title = PageForm.Field(name: "title", label: text.title, value: value("title") ?? "")
        var first = PageForm.Field(name: "text", label: text.text, type: "textarea", value: sent?["text"] ?? "")
        if let error {
            let sentence = text.sentence(error, accountText)
            if error.field == "title" { title.error = sentence }
            if error.field == "text" { first.error = sentence }
        }
        fields += [title, first, Self.notifying(sent, text.notifiesAll)]
        if let member = context.principal.member, try await !forum.hasAccepted(member.id) {
            fields.append(Self.accepting(text))
        }
        var section = PageSection(text: text.textHelp)
        section.forms = [PageForm(action: ForumPath.new, fields: fields, button: text.begin, draft: "topic")]
        section.links = [(ForumPath.rules, text.rules), (ForumPath.forum, text.forum)]
        if let error, case .text(let id)? = error.facts["topic"], case .text(let title)? = error.facts["topicTitle"],
            let id = OpaqueID(parsing: id)
        {
            section.links.insert((ResourcePaths.page(ofTopic: id), SitePage.displayed(title)), at: 0)
        }
        return try pages.answer(
            text.newTopic, [section], error: error.map { text.sentence($0, accountText) }, request, context,
            status: error.map { AccountPages.status($0) } ?? .ok)
    }

    private func begin(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            try TopicViewing.requireTakingPart(context)
            let category = try await viewing.category(
                id: sent.text("category"), channel: sent.text("channel"), title: sent.text("titleID"), creates: true,
                context)
            guard let category else { throw Refusal.missing(["category"]) }
            if sent.isOn("accepts") { try await forum.acceptRules(by: context.caller) }
            let topic = try await forum.begin(
                sent["title"] ?? "", text: sent["text"] ?? "", in: category.id, notifies: sent.isOn("notifies"),
                by: context.caller, isModerator: TopicViewing.isModerator(context))
            return pages.redirect(ResourcePaths.page(ofTopic: topic.id))
        } catch let error as Refusal {
            return try await newTopic(sent, error: error, request, context)
        }
    }

    private func comment(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let topic = try await topic(context)
        let sent = try await FormFields(request)
        do {
            try TopicViewing.requireTakingPart(context)
            if sent.isOn("accepts") { try await forum.acceptRules(by: context.caller) }
            let comment = try await forum.comment(
                sent["text"] ?? "", in: topic.id, notifies: sent.isOn("notifies"), by: context.caller,
                isModerator: TopicViewing.isModerator(context))
            return pages.redirect(ForumPath.place(comment.place, of: topic.id))
        } catch let error as Refusal {
            return try await show(topic, error: error, typed: sent, request, context)
        }
    }

    // MARK: Changes

    private func editing(
        _ topic: ForumTopic, _ sent: FormFields?, error: Refusal?, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let text = text(request)
        var section = PageSection()
        section.forms = [
            PageForm(
                action: ForumPath.topic(topic.id, ForumPath.edit),
                fields: [.init(name: "title", label: text.title, value: sent?["title"] ?? topic.title)],
                button: text.save),
            PageForm(action: ForumPath.topic(topic.id, ForumPath.delete), button: text.delete, isDangerous: true),
        ]
        section.links = [(ResourcePaths.page(ofTopic: topic.id), SitePage.displayed(topic.title))]
        let accountText = pages.text(request)
        return try pages.answer(
            text.edit, [section], error: error.map { text.sentence($0, accountText) }, request, context,
            status: error.map { AccountPages.status($0) } ?? .ok)
    }

    private func rename(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let topic = try await topic(context)
        let sent = try await FormFields(request)
        var change = ForumTopicChange()
        change.title = sent["title"] ?? ""
        do {
            _ = try await forum.change(
                topic.id, change, by: context.caller, isModerator: TopicViewing.isModerator(context))
            return pages.redirect(ResourcePaths.page(ofTopic: topic.id))
        } catch let error as Refusal {
            return try editing(topic, sent, error: error, request, context)
        }
    }

    private func moderate(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let topic = try await topic(context)
        let sent = try await FormFields(request)
        var change = ForumTopicChange()
        change.isLocked = sent["locked"].map { $0 == "1" }
        change.isPinned = sent["pinned"].map { $0 == "1" }
        change.category = sent.text("category").flatMap { OpaqueID(parsing: $0) }
        do {
            _ = try await forum.change(
                topic.id, change, by: context.caller, isModerator: TopicViewing.isModerator(context))
            return pages.redirect(ResourcePaths.page(ofTopic: topic.id))
        } catch let error as Refusal {
            return try await show(topic, error: error, request, context)
        }
    }

    private func editing(
        _ comment: ForumComment, of topic: ForumTopic, _ sent: FormFields?, error: Refusal?, _ request: Request,
        _ context: GatewayRequestContext
    ) throws -> Response {
        let (text, accountText) = (text(request), pages.text(request))
        guard comment.author == context.principal.member?.id else { throw ProblemDetails(.forbidden) }
        var section = PageSection(text: text.textHelp)
        section.forms = [
            PageForm(
                action: ForumPath.comment(comment.id, ForumPath.edit),
                fields: [
                    .init(name: "text", label: text.comment, type: "textarea", value: sent?["text"] ?? comment.text)
                ], button: text.save)
        ]
        section.links = [(ForumPath.place(comment.place, of: topic.id), SitePage.displayed(topic.title))]
        return try pages.answer(
            text.edit, [section], error: error.map { text.sentence($0, accountText) }, request, context,
            status: error.map { AccountPages.status($0) } ?? .ok)
    }

    private func edit(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let found = try await found(context)
        let sent = try await FormFields(request)
        do {
            _ = try await forum.edit(
                found.comment.id, sent["text"] ?? "", by: context.caller,
                isModerator: TopicViewing.isModerator(context))
            return pages.redirect(ForumPath.place(found.comment.place, of: found.topic.id))
        } catch let error as Refusal {
            return try editing(found.comment, of: found.topic, sent, error: error, request, context)
        }
    }

    private func report(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let found = try await found(context)
        let sent = try await FormFields(request)
        do {
            try await viewing.community.report(
                .topicComment, found.comment.id, sent["reason"].flatMap(ReportReason.init(rawValue:)) ?? .other,
                text: sent["text"] ?? "", by: context.caller)
            return pages.redirect(
                "\(ResourcePaths.page(ofTopic: found.topic.id))?\(ForumPath.done)=\(ForumPath.report)")
        } catch let error as Refusal {
            return try await show(found.topic, error: error, request, context)
        }
    }
}
