import Accounts
import Community
import Forum
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// A topic with a page of its comments.
extension ForumPages {
    /// Number of characters from which on a comment is folded, and of its first line in place of it.
    private static let foldedCharacterCount = 3_000
    private static let summaryCharacterCount = 200

    var topicEndpoints: [Endpoint] {
        [
            Endpoint(.get, "\(ForumPath.topics){id}", Self.reading) { request, context in
                let topic = try await viewing.topic(try context.parameters.identifier(of: "topic"), context)
                return try await show(topic, request, context)
            },
            Endpoint(.get, "\(ForumPath.comments){id}", Self.reading) { _, context in
                let found = try await viewing.comment(try context.parameters.identifier(of: "comment"), context)
                return pages.redirect(ForumPath.place(found.comment.place, of: found.topic.id))
            },
            Endpoint(.get, "\(ForumPath.comments){id}/\(ForumPath.whole)", Self.reading) { request, context in
                let found = try await viewing.comment(try context.parameters.identifier(of: "comment"), context)
                return try await show(found.topic, whole: found.comment, request, context)
            },
            Endpoint(.post, "\(ForumPath.topics){id}/\(ForumPath.follow)", Self.taking) { request, context in
                let topic = try await viewing.topic(try context.parameters.identifier(of: "topic"), context)
                let sent = try await FormFields(request)
                try await forum.setFollow(
                    Self.choice(sent), .topic(topic.id), by: context.caller,
                    isModerator: TopicViewing.isModerator(context))
                return pages.redirect(ResourcePaths.page(ofTopic: topic.id))
            },
        ]
    }

    /// - Parameters:
    ///   - whole: the comment that is shown alone, with its whole text; `nil` for a page of comments.
    ///   - error: what was wrong with the comment that somebody has sent.
    ///   - typed: what they have typed.
    func show(
        _ topic: ForumTopic, whole: ForumComment? = nil, error: Refusal? = nil, typed: FormFields? = nil,
        _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (page, text, isModerator) = (
            SitePage(.topic, request, context), text(request), TopicViewing.isModerator(context)
        )
        let size = Int64(ForumComment.pageSize)
        let last = max(1, (topic.places + size - 1) / size)
        let asked = PageRequest.value(of: ForumPath.page, in: request).flatMap { Int64($0) }
        let number = min(max(asked ?? 1, 1), last)
        var comments = whole.map { [$0] } ?? []
        if whole == nil {
            comments = try await forum.comments(
                of: topic.id, after: (number - 1) * size, for: context.caller, isModerator: isModerator
            ).page.items
        }
        let markup = ForumMarkup(topic: topic.id, title: topic.category.kind == .title ? topic.category.subject : nil)
        var values: [String: Any] = [
            "f": text, "topic": topic.id.text, "title": SitePage.displayed(topic.title),
            "categoryPath": ForumPath.list(topic.category),
            "categoryName": SitePage.displayed(try await viewing.name(of: topic.category)),
            "marks": Self.marks(topic, text), "count": text.comments(topic.comments),
            "isLast": whole == nil && number == last, "lastPath": ForumPath.place(topic.places, of: topic.id),
            "comments": comments.map {
                comment($0, of: topic, markup, isWhole: whole != nil, text, request, context)
            },
        ]
        if whole == nil, last > 1 {
            values["pageCount"] = text.pageOf(last, ["number": "\(number)"])
            let pager: [String: Any] = ["pages": self.pager(number, of: last, topic, text)]
            (values["pager"], values["pagerTop"]) = (pager, number > 1 ? pager : false)
        }
        if let error {
            var sentence = text.sentence(error, pages.text(request))
            if error.field == "title", case .text(let title)? = error.facts["topicTitle"] { sentence += " \(title)" }
            values["problem"] = SitePage.displayed(sentence)
        } else if PageRequest.value(of: ForumPath.done, in: request) == ForumPath.report {
            values["done"] = text.reported
        }
        try await addForms(to: &values, topic, typed, text, request, context)
        return try page.response(
            values, title: SitePage.displayed(topic.title),
            preview: page.preview(
                "article", of: topic.title, at: ResourcePaths.page(ofTopic: topic.id),
                text: comments.first?.text ?? "", image: nil, pages.publicAddress),
            status: error.map { AccountPages.status($0) } ?? .ok)
    }

    private func pager(
        _ number: Int64, of last: Int64, _ topic: ForumTopic, _ text: ForumPageText
    ) -> [[String: Any]] {
        func link(_ page: Int64, _ name: String, _ rel: String?) -> [String: Any] {
            [
                "address": "\(ResourcePaths.page(ofTopic: topic.id))?\(ForumPath.page)=\(page)", "name": name,
                "rel": rel ?? false,
            ]
        }
        var links: [[String: Any]] = []
        if number > 1 { links += [link(1, text.first, nil), link(number - 1, text.previous, "prev")] }
        if number < last { links += [link(number + 1, text.next, "next"), link(last, text.last, nil)] }
        return links
    }

    // MARK: Comments

    private func comment(
        _ comment: ForumComment, of topic: ForumTopic, _ markup: ForumMarkup, isWhole: Bool, _ text: ForumPageText,
        _ request: Request, _ context: GatewayRequestContext
    ) -> [String: Any] {
        let isGone = comment.state == .deleted || comment.state == .hidden && comment.text.isEmpty
        let name = isGone ? "—" : comment.authorName ?? "—"
        var values: [String: Any] = [
            "place": "\(comment.place)", "path": "\(ResourcePaths.page(ofTopicComment: comment.id))",
            "time": pages.text(request).ago(comment.writtenAt).values, "mark": false, "gone": false, "folded": false,
            "open": false, "whole": false, "tools": false, "author": false, "member": false,
            "avatar": SitePage.avatar(
                name, photo: isGone ? nil : Self.photo(comment.authorName, comment.authorPhoto, context)),
        ]
        if !isGone, let author = comment.authorName {
            values["member"] = ["path": VideoPath.member(author), "name": SitePage.displayed(author)]
        } else {
            values["author"] = name
        }
        guard !isGone else {
            values["gone"] = comment.state == .deleted ? text.deleted : text.hiddenComment
            return values
        }
        if comment.state == .hidden {
            values["mark"] = text.hiddenComment
        } else if comment.editedAt != nil {
            values["mark"] = text.edited
        }
        let blocks: [String: Any] = ["blocks": markup.values(comment.text)]
        let isLong = comment.text.count > Self.foldedCharacterCount && !isWhole
        if comment.isMuted || isLong {
            let beginning = comment.text.prefix(Self.summaryCharacterCount).replacing("\n", with: " ")
            values["folded"] = blocks.merging([
                "summary": comment.isMuted ? text.muted : "\(beginning)…"
            ]) { $1 }
        } else {
            values["open"] = blocks
        }
        if comment.isCut {
            values["whole"] = ["path": ForumPath.comment(comment.id, ForumPath.whole), "text": text.showAll]
        }
        if let member = context.principal.member {
            values["tools"] = tools(of: comment, in: topic, member, text, context)
        }
        return values
    }

    private func tools(
        of comment: ForumComment, in topic: ForumTopic, _ member: Member, _ text: ForumPageText,
        _ context: GatewayRequestContext
    ) -> [String: Any] {
        let (isModerator, isOwn) = (TopicViewing.isModerator(context), comment.author == member.id)
        var (links, forms): ([[String: Any]], [PageForm]) = ([], [])
        if !topic.isLocked || isModerator {
            links.append([
                "path":
                    "\(ResourcePaths.page(ofTopic: topic.id))?\(ForumPath.page)=\(lastPage(of: topic))&\(ForumPath.quote)=\(comment.id)#write",
                "text": text.quote,
            ])
            if isOwn { links.append(["path": ForumPath.comment(comment.id, ForumPath.edit), "text": text.edit]) }
        }
        if comment.place > 1, isOwn || isModerator {
            forms.append(
                PageForm(
                    action: ForumPath.comment(comment.id, ForumPath.delete), button: text.delete, isDangerous: true))
        }
        var tools: [String: Any] = [
            "links": links, "forms": forms.map { $0.values(csrf: context.csrfToken) }, "reporting": false,
        ]
        if !isOwn, comment.state == .shown {
            tools["reporting"] = [
                "summary": text.report, "forms": [reportForm(of: comment, text).values(csrf: context.csrfToken)],
            ]
        }
        return tools
    }

    private func lastPage(of topic: ForumTopic) -> Int64 {
        max(1, (topic.places + Int64(ForumComment.pageSize) - 1) / Int64(ForumComment.pageSize))
    }

    private func reportForm(of comment: ForumComment, _ text: ForumPageText) -> PageForm {
        let videos = VideoPageText.of(text.language)
        return PageForm(
            action: ForumPath.comment(comment.id, ForumPath.report),
            fields: [
                .init(
                    name: "reason", label: videos.reason, type: "select",
                    options: ReportReason.allCases.map { ($0.rawValue, videos.reasons[$0] ?? $0.rawValue) }),
                .init(name: "text", label: videos.reportText, type: "textarea"),
            ], button: text.report, isQuiet: true)
    }

    // MARK: Forms

    private func addForms(
        to values: inout [String: Any], _ topic: ForumTopic, _ typed: FormFields?, _ text: ForumPageText,
        _ request: Request, _ context: GatewayRequestContext
    ) async throws {
        let isModerator = TopicViewing.isModerator(context)
        let path = ResourcePaths.page(ofTopic: topic.id)
        guard let member = context.principal.member else {
            values["login"] = ["path": "\(AccountPath.logIn)?next=\(path)", "text": text.logInToTakePart]
            return
        }
        let choice = try await forum.follow(.topic(topic.id), of: context.caller, isModerator: isModerator)
        var links: [[String: Any]] = []
        if isModerator || topic.author == member.id && !topic.isLocked {
            links.append(["path": ForumPath.topic(topic.id, ForumPath.edit), "text": text.edit])
        }
        values["choices"] = [
            "forms": Self.choices(choice, action: ForumPath.topic(topic.id, ForumPath.follow), text)
                .map { $0.values(csrf: context.csrfToken) }, "links": links,
        ]
        if isModerator {
            let categories = try await forum.categories()
            values["moderating"] = [
                "summary": text.moderation,
                "forms": moderationForms(topic, categories, text).map { $0.values(csrf: context.csrfToken) },
            ]
        }
        guard isModerator || !topic.isLocked else {
            values["closed"] = text.isLocked
            return
        }
        let quoted = try await quotation(request, context)
        var fields = [
            PageForm.Field(name: "text", label: text.comment, type: "textarea", value: typed?["text"] ?? quoted ?? "")
        ]
        fields.append(Self.notifying(typed, text.notifies))
        if try await !forum.hasAccepted(member.id) { fields.append(Self.accepting(text)) }
        let form = PageForm(
            action: ForumPath.topic(topic.id, ForumPath.comment), fields: fields, button: text.send,
            draft: "topic-\(topic.id)")
        values["writing"] = ["forms": [form.values(csrf: context.csrfToken)], "help": text.textHelp]
    }

    /// The box with which an author decides whether members are notified; ticked at first.
    static func notifying(_ typed: FormFields?, _ label: String) -> PageForm.Field {
        PageForm.Field(
            name: "notifies", label: label, type: "checkbox", value: "1",
            isChecked: typed.map { $0.isOn("notifies") } ?? true)
    }

    /// The box with which a member accepts the rules.
    static func accepting(_ text: ForumPageText) -> PageForm.Field {
        PageForm.Field(name: "accepts", label: text.acceptRules, type: "checkbox", value: "1")
    }

    private func moderationForms(
        _ topic: ForumTopic, _ categories: [ForumCategory], _ text: ForumPageText
    ) -> [PageForm] {
        let action = ForumPath.topic(topic.id, ForumPath.moderate)
        func form(_ name: String, _ value: String, _ button: String) -> PageForm {
            PageForm(
                action: action, fields: [.init(name: name, label: "", type: "hidden", value: value)], button: button,
                isQuiet: true)
        }
        var forms = [
            form("locked", topic.isLocked ? "0" : "1", topic.isLocked ? text.unlock : text.lock),
            form("pinned", topic.isPinned ? "0" : "1", topic.isPinned ? text.unpin : text.pin),
        ]
        if !categories.isEmpty {
            forms.append(
                PageForm(
                    action: action,
                    fields: [
                        .init(
                            name: "category", label: text.category, type: "select", value: topic.category.id.text,
                            options: categories.map { ($0.id.text, SitePage.displayed($0.name)) })
                    ], button: text.move, isQuiet: true))
        }
        forms.append(
            PageForm(action: ForumPath.topic(topic.id, ForumPath.delete), button: text.delete, isDangerous: true))
        return forms
    }

    /// The text of a form that quotes the comment that the address names; `nil` if it names none.
    private func quotation(_ request: Request, _ context: GatewayRequestContext) async throws -> String? {
        guard let id = PageRequest.value(of: ForumPath.quote, in: request).flatMap({ OpaqueID(parsing: $0) }),
            let found = try? await viewing.comment(id, context)
        else { return nil }
        let lines = found.comment.text.prefix(Self.foldedCharacterCount).split(
            omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        // What the comment itself quotes is not quoted again.
        let own = lines.filter { !$0.hasPrefix(">") }.drop { $0.allSatisfy(\.isWhitespace) }.map { "> \($0)" }
        let first = QuotedPlaces.line(place: found.comment.place, author: found.comment.authorName)
        return ([first] + own).joined(separator: "\n") + "\n\n"
    }
}
