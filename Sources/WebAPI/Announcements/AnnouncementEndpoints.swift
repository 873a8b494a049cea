import Accounts
package import Announcements
import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import MediaCore

/// `/api/v1/announcements`: operators write what is shown on top of every page.
package struct AnnouncementEndpoints: Sendable {
    private let announcements: Announcements

    /// - Parameter announcements: the announcements.
    package init(announcements: Announcements) { self.announcements = announcements }

    private static let path = "/api/v1/announcements"
    private static let manages = AccessRule.needs(.manage, .system)
    private static let fields = ["text", "audience", "from", "until"]

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.manages) { _, _ in
                APIResources.page(try await announcements.list().map(resource)).response()
            },
            Endpoint(
                .get, "\(Self.path)/current", .filters(reason: "announcements for members are left out for others")
            ) { _, caller in
                let shown = announcements.shown(toMember: caller.principal.member != nil)
                return APIResources.page(shown.map { .object(Self.publicFields($0)) }).response()
            },
            Endpoint(.post, Self.path, Self.manages) { request, caller in
                let body = try await BodyFields(request, fields: Self.fields)
                let new = try await announcements.create(try Self.change(body), by: caller.caller)
                return answer(new, status: .created)
            },
            Endpoint(.get, "\(Self.path)/{id}", Self.manages) { _, caller in
                answer(try await announcements.announcement(try caller.parameters.identifier(of: "announcement")))
            },
            Endpoint(.patch, "\(Self.path)/{id}", Self.manages) { request, caller in
                let id = try caller.parameters.identifier(of: "announcement")
                let body = try await BodyFields(request, fields: Self.fields)
                let revisions = try IfMatch.required(in: request).revisions
                return answer(try await announcements.change(id, from: revisions, try Self.change(body)))
            },
            Endpoint(.delete, "\(Self.path)/{id}", Self.manages) { _, caller in
                try await announcements.remove(try caller.parameters.identifier(of: "announcement"))
                return Response(status: .noContent)
            },
        ]
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func change(_ body: BodyFields) throws -> AnnouncementChange {
        var change = AnnouncementChange()
        change.text = try body.text("text")
        change.audience = try body.value("audience", Announcement.Audience.self)
        change.startsAt = try body.text("from").map { try time("from", $0) }
        if body.has("until") { change.endsAt = .some(try body.text("until").map { try time("until", $0) }) }
        return change
    }

    private static func time(_ field: String, _ text: String) throws(Refusal) -> WallClockTime {
        guard let time = ProgramTime(parsing: text[...])?.time else {
            throw Refusal(
                .invalidField, "the field `\(field)` must be a date like \"2026-11-21T22:00:00Z\"", fields: [field])
        }
        return time
    }

    private func answer(_ announcement: Announcement, status: HTTPResponse.Status = .ok) -> Response {
        resource(announcement).response(status: status).adding(.eTag, EntityTag(announcement.revision).field)
    }

    private func resource(_ announcement: Announcement) -> JSONText {
        .object(
            Self.publicFields(announcement) + [
                ("audience", .string(announcement.audience.rawValue)), ("author", .optional(announcement.author?.text)),
                ("createdAt", APIResources.time(announcement.createdAt)),
                ("shown", .boolean(announcement.isShown(at: announcements.now))),
            ])
    }

    /// The fields that everybody may see who is shown an announcement.
    private static func publicFields(_ announcement: Announcement) -> [JSONText.Field] {
        [
            ("id", .string(announcement.id.text)), ("text", .string(announcement.text)),
            ("from", APIResources.time(announcement.startsAt)), ("until", APIResources.time(announcement.endsAt)),
        ]
    }

    /// The announcements that a member has written.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let written = try await announcements.announcements(by: member.account.id)
        return [
            ExportChapter(
                [.both(name: "announcements", .array(written.map(resource)))], text: "announcements")
        ]
    }
}
