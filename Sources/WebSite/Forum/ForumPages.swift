import Accounts
import Forum
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
package import Workflows

/// The pages of the forum: lists of topics, topics with their comments, the rules, and search.
package struct ForumPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: ForumPath.categories, need: (.manage, .system)) { ForumPageText.of($0).manageCategories }
    ]

    let pages: AccountPages
    let viewing: TopicViewing
    var forum: Forum { viewing.forum }

    static let reading = AccessRule.filters(reason: "what the visitor may not see is left out, and answers 404")
    static let taking = AccessRule.member(.session, reason: "the forum asks whose it is")
    static let manages = AccessRule.needs(.manage, .system)

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - viewing: the topics, and who may read them.
    package init(pages: AccountPages, viewing: TopicViewing) { (self.pages, self.viewing) = (pages, viewing) }

    package var endpoints: [Endpoint] { lists + topicEndpoints + writing + ruleEndpoints + categoryEndpoints }

    func text(_ request: Request) -> ForumPageText { ForumPageText.preferred(request.headers[.acceptLanguage]) }

    // MARK: Lists

    private var lists: [Endpoint] {
        [
            Endpoint(.get, ForumPath.forum, Self.reading) { request, context in
                try await list(nil, request, context)
            },
            Endpoint(.get, "\(ForumPath.category){id}", Self.reading) { request, context in
                let category = try await viewing.category(
                    id: try context.parameters.require("id"), channel: nil, title: nil, creates: false, context)
                return try await list(category, request, context)
            },
            Endpoint(.get, "\(ForumPath.channel){name}", Self.reading) { request, context in
                let name = try context.parameters.require("name")
                let category = try await viewing.category(
                    id: nil, channel: name, title: nil, creates: false, context)
                return try await list(category ?? Self.nothing(.channel, name), request, context)
            },
            Endpoint(.get, "\(ForumPath.title){id}", Self.reading) { request, context in
                let id = try context.parameters.require("id")
                let category = try await viewing.category(id: nil, channel: nil, title: id, creates: false, context)
                return try await list(category ?? Self.nothing(.title, id), request, context)
            },
            Endpoint(.get, ForumPath.search, Self.reading, handler: search),
            Endpoint(.post, "\(ForumPath.forum)/\(ForumPath.follow)", Self.taking) { request, context in
                let sent = try await FormFields(request)
                let id = sent.text("category").flatMap { OpaqueID(parsing: $0) }
                try await forum.setFollow(
                    Self.choice(sent), id.map { .category($0) } ?? .all, by: context.caller,
                    isModerator: TopicViewing.isModerator(context))
                return pages.redirect(ReturnPath(parsing: sent["next"])?.text ?? ForumPath.forum)
            },
        ]
    }

    /// A category about a channel or title of which nobody talks yet.
    private static func nothing(_ kind: ForumCategory.Kind, _ subject: String) -> ForumCategory {
        ForumCategory(empty: kind, subject: subject)
    }

    /// The choice that a form of `choices(_:action:more:_:)` makes.
    static func choice(_ sent: FormFields) -> Bool? {
        switch sent["state"] {
        case "on": true
        case "off": false
        default: nil
        }
    }

    /// The buttons with which a member follows something, or hears nothing of it.
    ///
    /// - Parameter choice: the member's choice; `nil` for what is usual.
    static func choices(
        _ choice: Bool?, action: String, more: [PageForm.Field] = [], _ text: ForumPageText
    ) -> [PageForm] {
        func form(_ state: String, _ button: String, _ icon: PageForm.Icon?) -> PageForm {
            PageForm(
                action: action, fields: [.init(name: "state", label: "", type: "hidden", value: state)] + more,
                button: button, isQuiet: true, icon: icon)
        }
        switch choice {
        case true: return [form("", text.usual, .done)]
        case false: return [form("", text.usual, nil)]
        default: return [form("on", text.follow, .follow), form("off", text.silence, nil)]
        }
    }

    private func list(
        _ category: ForumCategory?, _ request: Request, _ context: GatewayRequestContext
    ) async throws -> Response {
        let (page, text) = (SitePage(.forum, request, context), text(request))
        let wanted = try PageRequest(request, defaultLimit: ForumTopic.pageSize)
        let fromEnd = PageRequest.value(of: ForumPath.from, in: request) == ForumPath.end
        let path = category.map(ForumPath.list) ?? ForumPath.forum
        var found = ForumTopicPage.empty
        if category.map({ $0.isMade }) ?? true {
            found = try await forum.topics(
                in: category?.id, after: wanted.cursor, fromEnd: fromEnd, limit: ForumTopic.pageSize)
        }
        let name = try await heading(category, text)
        var values: [String: Any] = [
            "f": text, "pageHeading": SitePage.displayed(name), "find": ["query": ""] as [String: Any],
            "isForum": category == nil, "isSearch": false,
        ]
        let about = category?.text ?? text.introduction
        values["about"] = about.isEmpty ? false : SitePage.displayed(about) as Any
        if context.principal.member != nil {
            values["begin"] = ["path": newPath(category), "text": text.newTopic]
            if category.map({ $0.isMade }) ?? true {
                values["choices"] = ["forms": try await followForms(category, path, text, context)]
            }
        }
        if category == nil {
            let categories = try await forum.categories()
            values["sectors"] = [
                "categories": categories.map { category -> [String: Any] in
                    [
                        "path": ForumPath.list(category), "name": SitePage.displayed(category.name),
                        "text": category.text.isEmpty ? false : SitePage.displayed(category.text) as Any,
                        "count": text.topics(category.topics),
                    ]
                }
            ]
        }
        if context.principal.member != nil, context.may(.manage, .system), category == nil {
            values["manage"] = ["path": ForumPath.categories, "text": text.manageCategories]
        }
        var list: [String: Any] = [
            "heading": category == nil ? text.latest : text.forum, "hits": false, "empty": false,
            "live": wanted.cursor == nil && !fromEnd, "pages": pager(found, path, text),
        ]
        if found.items.isEmpty { list["empty"] = text.noTopics }
        var topics: [[String: Any]] = []
        for topic in found.items {
            topics.append(self.values(of: topic, in: category, text, request, context))
        }
        list["topics"] = topics
        values["list"] = list
        return try page.response(values, title: SitePage.displayed(name))
    }

    private func heading(_ category: ForumCategory?, _ text: ForumPageText) async throws -> String {
        guard let category else { return text.forum }
        let name = try await viewing.name(of: category)
        switch category.kind {
        case .general: return name
        case .channel: return text.aboutChannel.filled("name", with: name)
        case .title: return text.aboutTitle.filled("name", with: name)
        }
    }

    private func newPath(_ category: ForumCategory?) -> String {
        guard let category else { return ForumPath.new }
        let value = SitePage.queryComponent(category.kind == .general ? category.id.text : category.subject)
        return "\(ForumPath.new)?\(Self.parameter(category.kind))=\(value)"
    }

    static func parameter(_ kind: ForumCategory.Kind) -> String {
        switch kind {
        case .general: "category"
        case .channel: "channel"
        case .title: "titleID"
        }
    }

    private func followForms(
        _ category: ForumCategory?, _ path: String, _ text: ForumPageText, _ context: GatewayRequestContext
    ) async throws -> [[String: Any]] {
        let subject: ForumFollow.Subject = category.map { .category($0.id) } ?? .all
        let choice = try await forum.follow(
            subject, of: context.caller, isModerator: TopicViewing.isModerator(context))
        var fields = [PageForm.Field(name: "next", label: "", type: "hidden", value: path)]
        if let category { fields.append(.init(name: "category", label: "", type: "hidden", value: category.id.text)) }
        return Self.choices(choice, action: "\(ForumPath.forum)/\(ForumPath.follow)", more: fields, text)
            .map { $0.values(csrf: context.csrfToken) }
    }

    private func pager(_ page: ForumTopicPage, _ path: String, _ text: ForumPageText) -> [[String: Any]] {
        var links: [[String: Any]] = []
        if let previous = page.previous {
            links.append(["address": path, "name": text.first, "rel": false])
            links.append(["address": "\(path)?cursor=\(previous)", "name": text.previous, "rel": "prev"])
        }
        if let next = page.next {
            links.append(["address": "\(path)?cursor=\(next)", "name": text.next, "rel": "next"])
            links.append(["address": "\(path)?\(ForumPath.from)=\(ForumPath.end)", "name": text.last, "rel": false])
        }
        return links
    }

    /// The photo of an author, which members see.
    static func photo(_ name: String?, _ photo: String?, _ context: GatewayRequestContext) -> String? {
        context.principal.member == nil ? nil : ResourcePaths.photo(ofMember: name, photo)
    }

    private func values(
        of topic: ForumTopic, in category: ForumCategory?, _ text: ForumPageText, _ request: Request,
        _ context: GatewayRequestContext
    ) -> [String: Any] {
        let author = topic.authorName ?? "—"
        var values: [String: Any] = [
            "path": ResourcePaths.page(ofTopic: topic.id), "title": SitePage.displayed(topic.title),
            "author": SitePage.displayed(author), "count": text.comments(topic.comments),
            "lastPath": ForumPath.place(topic.places, of: topic.id), "marks": Self.marks(topic, text),
            "time": pages.text(request).ago(topic.lastAt).values, "categoryName": false,
            "avatar": SitePage.avatar(author, photo: Self.photo(topic.authorName, topic.authorPhoto, context)),
        ]
        if category == nil { values["categoryName"] = SitePage.displayed(topic.category.name) }
        return values
    }

    static func marks(_ topic: ForumTopic, _ text: ForumPageText) -> [[String: Any]] {
        [
            (topic.isPinned, text.pinned), (topic.isLocked, text.locked), (topic.state == .hidden, text.hidden),
        ].filter(\.0).map { ["mark": $0.1] }
    }

    // MARK: Search

    private func search(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let (page, text) = (SitePage(.forum, request, context), text(request))
        let wanted = try PageRequest(request)
        let words = wanted.query ?? ""
        let found = try await forum.search(words, for: context.caller, after: wanted.cursor)
        var list: [String: Any] = [
            "heading": words.isEmpty ? text.search : "“\(SitePage.displayed(words))”", "topics": [[String: Any]](),
            "empty": false, "live": false, "pages": [[String: Any]](),
        ]
        if found.items.isEmpty, !words.isEmpty { list["empty"] = text.nothingFound }
        list["hits"] = [
            "comments": found.items.map { comment -> [String: Any] in
                let beginning = String(comment.text.prefix(Self.hitCharacterCount))
                return [
                    "path": ForumPath.place(comment.place, of: comment.topic), "place": "\(comment.place)",
                    "title": SitePage.displayed(comment.topicTitle),
                    "author": SitePage.displayed(comment.authorName ?? "—"),
                    "time": pages.text(request).ago(comment.writtenAt).values,
                    "blocks": ForumMarkup(topic: comment.topic).values(beginning),
                ]
            }
        ]
        if let next = found.next {
            let query = SitePage.queryComponent(words)
            list["pages"] = [
                ["address": "\(ForumPath.search)?q=\(query)&cursor=\(next)", "name": text.next, "rel": "next"]
            ]
        }
        let values: [String: Any] = [
            "f": text, "pageHeading": text.searchForum, "about": false, "isForum": false, "isSearch": true,
            "find": ["query": SitePage.displayed(words)] as [String: Any], "list": list,
        ]
        return try page.response(values, title: text.searchForum)
    }

    /// Number of characters of a comment that is found.
    private static let hitCharacterCount = 400
}
