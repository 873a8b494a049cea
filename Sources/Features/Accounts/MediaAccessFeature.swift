import APIContract
import Accounts
import Database
import HTTPEndpoints
import LogMetadata
import Logging
import MediaAccess
import WebAPI
import WebSite
import ServiceLifecycle

/// The access to media: links, and the audiences of single titles and tracks.
struct MediaAccessFeature: Feature {
    static let schemas = [MediaLinkSchema.schema]

    private let links: MediaLinks?
    private let station: Station
    let endpoints: [Endpoint]

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        parts.add(
            try await MediaLinks.open(
                ground.database, program: Product.version, key: ground.keys.key(.links), wallClock: ground.wallClock,
                uptime: ground.equipment.uptime))
        let audiences = TitleAudiences(
            ground.database, accounts: try parts.require(Accounts.self), wallClock: ground.wallClock)
        try await audiences.refresh()
        ground.stateCopies.add("audiences") { try await audiences.refresh() }
        parts.add(audiences)
    }

    init?(_ station: Station) {
        links = station.parts[MediaLinks.self]
        self.station = station
        var api = MediaAccessEndpoints(
            content: station.content, publicAddress: station.publicAddress, ports: station.ports.publishing)
        api.links = links
        api.audiences = station.parts[TitleAudiences.self]
        api.delivery = station.delivery
        endpoints = api.endpoints
    }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        guard let links else { return [] }
        return PublishLinkPages(
            pages: frame, content: station.content, links: links, ports: station.ports.publishing
        ).endpoints
    }

    func services(on ground: Ground) -> [any Service] {
        guard let links else { return [] }
        return [
            SweepService(every: .seconds(3_600), while: ground.steadiness, links.maintain) { error in
                ground.logger.warning("expired links could not be removed; will retry", metadata: [.error: "\(error)"])
            }
        ]
    }
}
