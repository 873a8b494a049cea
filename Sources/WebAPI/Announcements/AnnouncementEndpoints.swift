import APIContract
import APIDeclarations
import Accounts
package import Announcements
import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore

/// `/api/v1/announcements`: operators write what is shown on top of every page.
package struct AnnouncementEndpoints: Sendable {
    private let announcements: Announcements

    /// - Parameter announcements: the announcements.
    package init(announcements: Announcements) { self.announcements = announcements }

    private static let manages = AccessRule.needs(.manage, .system)

    package var endpoints: [Endpoint] {
        [
            Endpoint(AnnouncementAPI.listAnnouncements, Self.manages) { _, _ in
                APIPage(try await announcements.list().map(resource)).response()
            },
            Endpoint(
                AnnouncementAPI.listCurrentAnnouncements,
                .filters(reason: "announcements for members are left out for others")
            ) { _, caller in
                let shown = announcements.shown(toMember: caller.principal.member != nil)
                return APIPage(shown.map(Self.shown)).response()
            },
            Endpoint(AnnouncementAPI.createAnnouncement, Self.manages) { request, caller in
                let body = try await BodyFields(request, AnnouncementChangeFields.self)
                let new = try await announcements.create(try Self.change(body), by: caller.caller)
                return answer(new, status: .created)
            },
            Endpoint(AnnouncementAPI.getAnnouncement, Self.manages) { _, caller in
                answer(try await announcements.announcement(try caller.parameters.identifier(of: "announcement")))
            },
            Endpoint(AnnouncementAPI.changeAnnouncement, Self.manages) { request, caller in
                let id = try caller.parameters.identifier(of: "announcement")
                let body = try await BodyFields(request, AnnouncementChangeFields.self)
                let revisions = try IfMatch.required(in: request).revisions
                return answer(try await announcements.change(id, from: revisions, try Self.change(body)))
            },
            Endpoint(AnnouncementAPI.deleteAnnouncement, Self.manages) { _, caller in
                try await announcements.remove(try caller.parameters.identifier(of: "announcement"))
                return Response(status: .noContent)
            },
        ]
    }

    /// - Throws: `Refusal` with `invalidField`.
    private static func change(_ body: BodyFields<AnnouncementChangeFields>) throws -> AnnouncementChange {
        var change = AnnouncementChange()
        change.text = try body.text(\.text)
        change.audience = try body.value(\.audience, Announcement.Audience.self)
        change.startsAt = try time(\.from, body)
        if body.has(\.until) { change.endsAt = .some(try time(\.until, body)) }
        return change
    }

    /// A time; `nil` if the field is missing or null.
    private static func time(
        _ field: KeyPath<AnnouncementChangeFields, Field<some APIValue>>, _ body: BodyFields<AnnouncementChangeFields>
    ) throws -> WallClockTime? {
        guard let text = try body.text(field) else { return nil }
        guard let time = ProgramTime(parsing: text[...])?.time else {
            let name = AnnouncementChangeFields.fields[keyPath: field].name
            throw Refusal(
                .invalidField, "the field `\(name)` must be a date like \"2026-11-21T22:00:00Z\"", fields: [name])
        }
        return time
    }

    private func answer(_ announcement: Announcement, status: HTTPResponse.Status = .ok) -> Response {
        resource(announcement).response(status: status).adding(.eTag, EntityTag(announcement.revision).field)
    }

    private func resource(_ announcement: Announcement) -> APIObject<AnnouncementFields> {
        AnnouncementFields.object {
            [
                $0.id(announcement.id.text), $0.text(announcement.text),
                $0.from(APIResources.time(announcement.startsAt)), $0.until(APIResources.time(announcement.endsAt)),
                $0.audience(announcement.audience.rawValue), $0.author(announcement.author?.text),
                $0.createdAt(APIResources.time(announcement.createdAt)),
                $0.shown(announcement.isShown(at: announcements.now)),
            ]
        }
    }

    /// The part of an announcement that everybody may see.
    private static func shown(_ announcement: Announcement) -> APIObject<ShownAnnouncementFields> {
        ShownAnnouncementFields.object {
            [
                $0.id(announcement.id.text), $0.text(announcement.text),
                $0.from(APIResources.time(announcement.startsAt)), $0.until(APIResources.time(announcement.endsAt)),
            ]
        }
    }

    /// The announcements that a member has written.
    package func export(of member: ExportedMember) async throws -> [ExportChapter] {
        let written = try await announcements.announcements(by: member.account.id)
        return [
            ExportChapter(
                [.both(name: "announcements", written.map(resource).json)], text: "announcements")
        ]
    }
}
