import Accounts
package import Announcements
import Foundation
import HLSDelivery
package import HTTPEndpoints
package import HTTPTypes
import Hummingbird
import MediaCore
import SiteTexts
import Workflows

/// The form with which operators write announcements, and the one with which visitors dismiss them.
package struct AnnouncementPages: Sendable {
    /// The links to the pages on the page of an account.
    package static let links = [
        AccountPageLink(path: ResourcePaths.announcements, need: (.manage, .system)) {
            AnnouncementPageText.of($0).heading
        }
    ]

    private let pages: AccountPages
    private let announcements: Announcements

    private static let path = ResourcePaths.announcements
    private static let manages = AccessRule.needs(.manage, .system)
    /// The names of dismissed announcements, separated by points.
    private static let cookie = "antena_dismissed"
    /// Limit of the names in the cookie: more than there can be on pages at once.
    private static let maximumDismissedCount = 16
    private static let cookieSeconds = 90 * 86_400

    /// - Parameters:
    ///   - pages: the account pages, whose forms look the same.
    ///   - announcements: the announcements.
    package init(pages: AccountPages, announcements: Announcements) {
        (self.pages, self.announcements) = (pages, announcements)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.manages) { request, context in
                try await page(nil, nil, error: nil, request, context)
            },
            Endpoint(.post, Self.path, Self.manages, handler: publish),
            Endpoint(.get, "\(Self.path)/{id}", Self.manages) { request, context in
                let id = try context.parameters.identifier(of: "announcement")
                return try await page(try await announcements.announcement(id), nil, error: nil, request, context)
            },
            Endpoint(.post, "\(Self.path)/{id}", Self.manages, handler: change),
            Endpoint(.post, "\(Self.path)/{id}/borrar", Self.manages) { _, context in
                try await announcements.remove(try context.parameters.identifier(of: "announcement"))
                return pages.redirect(Self.path)
            },
            Endpoint(
                .post, ResourcePaths.announcementDismissal,
                .anyone(.session, reason: "visitors dismiss what they have read"),
                handler: dismiss),
        ]
    }

    // MARK: Notices

    /// The notices on top of a page.
    ///
    /// - Parameters:
    ///   - shown: the announcements for the visitor.
    ///   - fields: the header of the request, whose cookie names those that the visitor has dismissed.
    package static func notices(_ shown: [Announcement], dismissed fields: HTTPFields) -> [PageNotice] {
        let dismissed = Set(dismissedNames(fields))
        return shown.map { PageNotice(name: name(of: $0), text: $0.text) }
            .filter { !dismissed.contains($0.name) }
    }

    /// Another revision has another name, so that a change is shown to those who have dismissed the text before it.
    private static func name(of announcement: Announcement) -> String {
        "\(announcement.id.text)-\(announcement.revision)"
    }

    private static func dismissedNames(_ fields: HTTPFields) -> [String] {
        let value = RequestCookie.value(named: cookie, in: fields) ?? ""
        return value.split(separator: ".").prefix(maximumDismissedCount).map(String.init).filter(isName)
    }

    /// Whether a text could be the name of an announcement; see `name(of:)`.
    private static func isName(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        return parts.count == 2 && OpaqueID(parsing: parts[0]) != nil && Int64(parts[1]) != nil
    }

    private func dismiss(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        let next = ReturnPath(parsing: sent["next"])?.text ?? "/"
        var response = pages.redirect(next)
        guard let name = sent["name"], Self.isName(name) else { return response }
        // The newest ones: what is not on a page any more need not be remembered.
        let names = (Self.dismissedNames(request.headers).filter { $0 != name } + [name])
            .suffix(Self.maximumDismissedCount)
        let secure = request.head.scheme == "https" ? "; Secure" : ""
        response.headers[.setCookie] =
            "\(Self.cookie)=\(names.joined(separator: ".")); Path=/; HttpOnly; SameSite=Lax; "
            + "Max-Age=\(Self.cookieSeconds)\(secure)"
        return response
    }

    // MARK: Writing

    private func publish(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let sent = try await FormFields(request)
        do {
            _ = try await announcements.create(try Self.change(sent), by: context.caller)
            return pages.redirect(Self.path)
        } catch let error as Refusal {
            return try await page(nil, sent, error: error, request, context)
        }
    }

    private func change(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.identifier(of: "announcement")
        let sent = try await FormFields(request)
        do {
            let revisions = Set([sent[FormFields.versionField].flatMap { Int64($0) } ?? 0])
            _ = try await announcements.change(id, from: revisions, try Self.change(sent))
            return pages.redirect(Self.path)
        } catch let error as Refusal where error.code != .notFound {
            return try await page(try await announcements.announcement(id), sent, error: error, request, context)
        }
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func change(_ sent: FormFields) throws(Refusal) -> AnnouncementChange {
        var change = AnnouncementChange()
        change.text = sent["text"] ?? ""
        change.audience = sent["audience"].flatMap(Announcement.Audience.init(rawValue:))
        change.startsAt = try time("from", sent)
        change.endsAt = .some(try time("until", sent))
        return change
    }

    private static func time(_ field: String, _ sent: FormFields) throws(Refusal) -> WallClockTime? {
        guard let text = sent[field], !text.allSatisfy(\.isWhitespace) else { return nil }
        guard let time = ProgramTime(parsing: text[...])?.time else {
            throw Refusal(.invalidField, "the field `\(field)` must be a date", fields: [field])
        }
        return time
    }

    /// - Parameters:
    ///   - edited: the announcement that is edited; `nil` for a new one.
    ///   - sent: the values of the form that led here; `nil` for those that are stored.
    private func page(
        _ edited: Announcement?, _ sent: FormFields?, error: Refusal?, _ request: Request,
        _ context: GatewayRequestContext
    ) async throws -> Response {
        let text = AnnouncementPageText.preferred(request.headers[.acceptLanguage])
        var sections = [
            PageSection(text: text.explanation, forms: [form(edited, sent, text)])
        ]
        if edited == nil {
            let all = try await announcements.list()
            var list = PageSection(text: all.isEmpty ? text.empty : nil)
            list.items = all.map { item($0, text, pages.text(request)) }
            sections.append(list)
        }
        return try pages.answer(
            text.heading, sections, error: error.map { Self.message($0, text, pages.text(request)) }, request,
            context, status: error.map(AccountPages.status) ?? .ok)
    }

    private func form(_ edited: Announcement?, _ sent: FormFields?, _ text: AnnouncementPageText) -> PageForm {
        func value(_ name: String, _ stored: String) -> String { sent?[name] ?? stored }
        var fields: [PageForm.Field] = [
            .init(
                name: "text", label: text.text, type: "textarea", value: value("text", edited?.text ?? ""),
                isRequired: true),
            .init(
                name: "audience", label: text.audience, type: "select",
                value: value("audience", (edited?.audience ?? .everyone).rawValue),
                options: [
                    (Announcement.Audience.everyone.rawValue, text.everyone),
                    (Announcement.Audience.members.rawValue, text.members),
                ]),
            .init(
                name: "from", label: "\(text.from) \(text.timeHint)",
                value: value("from", edited.map { Self.shown($0.startsAt) } ?? "")),
            .init(
                name: "until", label: "\(text.until) \(text.timeHint)",
                value: value("until", edited?.endsAt.map(Self.shown) ?? "")),
        ]
        if let edited { fields.append(.version(String(edited.revision))) }
        return PageForm(
            action: edited.map { "\(Self.path)/\($0.id)" } ?? Self.path, fields: fields,
            button: edited == nil ? text.publish : text.save)
    }

    private static func shown(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }

    private func item(
        _ announcement: Announcement, _ text: AnnouncementPageText, _ account: AccountText
    ) -> PageSection.Item {
        let audience = announcement.audience == .everyone ? text.everyone : text.members
        let end = announcement.endsAt.map { " – \(account.time($0))" } ?? ""
        return .init(
            text: announcement.text, detail: "\(audience) · \(account.time(announcement.startsAt))\(end)",
            forms: [
                PageForm(
                    action: "\(Self.path)/\(announcement.id)/borrar", fields: [], button: text.delete,
                    isDangerous: true)
            ], path: "\(Self.path)/\(announcement.id)")
    }

    /// The message for an operator; the reasons of errors are in English.
    private static func message(
        _ error: Refusal, _ text: AnnouncementPageText, _ account: AccountText
    ) -> String {
        switch (error.code, error.fields.first) {
        case (.missingFields, _): text.textMissing
        case (.invalidField, "text"): text.textTooLong
        case (.invalidField, "until") where error.reason.contains("later"): text.wrongEnd
        case (.invalidField, _): text.wrongTime
        case (.tooMany, _): text.tooMany
        case (.changedMeanwhile, _): text.changedMeanwhile
        default: account.error(error)
        }
    }
}
