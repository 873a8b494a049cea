package import Database

/// The features of Antena. A new one is a line here.
package enum Features {
    /// All features, each after those that it builds on.
    package static let all: [any Feature.Type] = [
        LibraryFeature.self, ChannelFeature.self, AccountFeature.self, MediaAccessFeature.self, EventFeature.self,
        WebhookFeature.self, ClubFeature.self, CommunityFeature.self, NotificationFeature.self, SupportFeature.self,
        AnnouncementFeature.self,
        SiteFeature.self,
    ]

    /// The tables of all domains, in an order in which rows can be inserted.
    package static var schemas: [SQLSchema] { all.flatMap { $0.schemas } }

    /// Opens the domains of a server that starts.
    ///
    /// - Throws: `SQLError` and errors of the domains.
    package static func open(on ground: Ground) async throws -> Parts {
        var parts = Parts()
        for feature in all { try await feature.open(on: ground, &parts) }
        return parts
    }
}
