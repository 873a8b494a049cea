package import APIContract
package import APIDeclarations

extension ServerClient {
    /// All announcements, newest first.
    package func announcements() async throws -> [APIObject<AnnouncementFields>] {
        try await items(AnnouncementAPI.listAnnouncements)
    }

    /// The announcements that the caller is shown at the moment.
    package func currentAnnouncements() async throws -> [APIObject<ShownAnnouncementFields>] {
        try await items(AnnouncementAPI.listCurrentAnnouncements)
    }

    package func announcement(_ id: String) async throws -> APIObject<AnnouncementFields> {
        try await send(AnnouncementAPI.getAnnouncement, id)
    }

    /// Writes an announcement.
    package func createAnnouncement(
        _ new: APIObject<AnnouncementChangeFields>
    ) async throws -> APIObject<AnnouncementFields> {
        try await send(AnnouncementAPI.createAnnouncement, body: new)
    }

    /// Changes fields of an announcement.
    package func changeAnnouncement(
        _ id: String, _ change: APIObject<AnnouncementChangeFields>
    ) async throws -> APIObject<AnnouncementFields> {
        try await self.change(AnnouncementAPI.changeAnnouncement, id, body: change)
    }

    package func deleteAnnouncement(_ id: String) async throws {
        try await send(AnnouncementAPI.deleteAnnouncement, id)
    }
}
