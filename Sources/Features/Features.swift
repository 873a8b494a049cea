package import Database
package import Webhooks

/// The features of Antena. A new one is a line here.
package enum Features {
    /// All features, each after those that it builds on.
    package static let all: [any Feature.Type] = [
        ChannelFeature.self, LibraryFeature.self, AccountFeature.self, OperatorFeature.self, MediaAccessFeature.self,
        EventFeature.self,
        WebhookFeature.self, ClubFeature.self, CommunityFeature.self, ForumFeature.self,
        NotificationFeature.self, SupportFeature.self, AnnouncementFeature.self, PositionFeature.self,
        ScoreboardFeature.self, MessagingFeature.self, SiteFeature.self,
    ]

    /// The tables of all domains, in an order in which rows can be inserted.
    package static var schemas: [SQLSchema] { all.flatMap { $0.schemas } }

    /// All events.
    package static let eventKinds = EventKinds(all.flatMap { $0.events })

    /// Opens the domains of a server that starts.
    ///
    /// - Throws: `SQLError` and errors of the domains.
    package static func open(on ground: Ground) async throws -> Parts {
        var parts = Parts()
        parts.add(eventKinds)
        for feature in all { try await feature.open(on: ground, &parts) }
        return parts
    }
}
