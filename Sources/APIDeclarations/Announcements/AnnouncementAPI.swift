package import APIContract
import MediaCore

/// The operations of the API for announcements.
package enum AnnouncementAPI {
    package static let listAnnouncements = APIOperation(
        .get, "/api/v1/announcements", "listAnnouncements", "Announcements, newest first",
        "All of them, at most 100; `next` is always null.", answer: .page(of: AnnouncementFields.self, "Announcements"))

    package static let createAnnouncement = APIOperation(
        .post, "/api/v1/announcements", "createAnnouncement", "Write an announcement",
        "It is shown on top of every page from `from` (now) until `until` (without end), to its audience (everyone), until a visitor dismisses it. `text` is required, and may have `**bold**`, `*italic*` and `[links](https://example.org)`. 409 if there are 100 already.",
        body: APIBody(.json(AnnouncementChangeFields.self)),
        answer: .object(AnnouncementFields.self, "The announcement", status: 201)
    )
    .refusing(.tooMany, .missingFields)

    package static let listCurrentAnnouncements = APIOperation(
        .get, "/api/v1/announcements/current", "listCurrentAnnouncements",
        "Announcements that the caller is shown at the moment", "At most three, the newest first.",
        answer: .page(of: ShownAnnouncementFields.self, "Announcements"))

    package static let getAnnouncement = APIOperation(
        .get, "/api/v1/announcements/{id}", "getAnnouncement", "An announcement", parameters: [.id],
        answer: .object(AnnouncementFields.self, "The announcement"))

    package static let changeAnnouncement = APIOperation(
        .patch, "/api/v1/announcements/{id}", "changeAnnouncement", "Change an announcement",
        "Who has dismissed it is shown it again.", parameters: [.id, .ifMatchOfOwner],
        body: APIBody(.json(AnnouncementChangeFields.self)),
        answer: .object(AnnouncementFields.self, "The announcement")
    )
    .refusing(.missingFields)

    package static let deleteAnnouncement = APIOperation(
        .delete, "/api/v1/announcements/{id}", "deleteAnnouncement", "Delete an announcement", parameters: [.id],
        answer: .nothing("Deleted"))
}
