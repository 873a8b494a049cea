import APIContract
import Accounts
import Community
import Database
import HTTPEndpoints
import LogMetadata
import Logging
import MediaAccess
import MediaCore
import PlaybackPositions
import ServiceLifecycle
import VideoClub
import WebAPI
import WebSite
import Workflows

/// The places at which members go on watching.
struct PositionFeature: Feature {
    static let schemas = [PositionSchema.schema]

    private let positions: Positions
    private let api: PositionEndpoints

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(
            try await Positions.open(ground.database, program: Product.version, wallClock: ground.wallClock))
    }

    init?(_ station: Station) {
        guard let positions = station.parts[Positions.self] else { return nil }
        self.positions = positions
        api = PositionEndpoints(positions: positions, items: Self.items(station))
    }

    private static func items(_ station: Station) -> PositionedItems {
        let club = station.parts[VideoClub.self]
        let viewing = station.parts[Community.self].map { community in
            VideoViewing(
                community, library: station.content.library, links: station.parts[MediaLinks.self], club: club,
                accounts: station.authority.accounts)
        }
        return PositionedItems(content: station.content, club: club, viewing: viewing)
    }

    /// Finds the place up to which a member has watched a title; `nil` for a server without positions.
    static func position(_ station: Station) -> SiteEndpoints.Position? {
        guard let positions = station.parts[Positions.self] else { return nil }
        return { caller, title in
            guard let member = caller.principal.member else { return nil }
            return try await positions.position(.title, title, of: member.id)
        }
    }

    /// Number of a member's positions that cards of titles show.
    private static let shownCount = 100

    /// The shares of titles that a member has watched lately, by their IDs; `nil` for a server without positions.
    static func watched(
        _ station: Station
    ) -> (@Sendable (GatewayRequestContext) async throws -> [String: Double])? {
        guard let positions = station.parts[Positions.self] else { return nil }
        return { caller in
            guard let member = caller.principal.member else { return [:] }
            let items = try await positions.positions(of: member.id, limit: shownCount).items
            return items.reduce(into: [:]) { shares, position in
                guard position.kind == .title, shares[position.item] == nil else { return }
                shares[position.item] = min(1, position.position.seconds / max(1, position.duration.seconds))
            }
        }
    }

    /// Finds what a member can go on watching; `nil` for a server without positions.
    static func continued(
        _ station: Station
    ) -> (@Sendable (GatewayRequestContext, _ limit: Int) async throws -> [PositionedItem])? {
        guard let positions = station.parts[Positions.self] else { return nil }
        let items = items(station)
        return { caller, limit in
            guard let member = caller.principal.member else { return [] }
            return try await items.continued(try await positions.positions(of: member.id).items, caller, limit: limit)
        }
    }

    var endpoints: [Endpoint] { api.endpoints }

    func services(on ground: Ground) -> [any Service] {
        [
            SweepService(every: .seconds(86_400), while: ground.steadiness, positions.sweep) { error in
                ground.logger.warning(
                    "old positions could not be removed; will retry", metadata: [.error: "\(error)"])
            }
        ]
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
}
