import APIContract
import Accounts
import Database
import HTTPEndpoints
import MediaAccess
import WebAPI
import ServerSettings
import ServiceLifecycle
import VideoClub
import WebSite
import Webhooks

/// The video club: prices, credits, rentals and offline copies.
struct ClubFeature: Feature {
    static let schemas = [ClubSchema.schema]

    private let club: VideoClub
    private let api: ClubEndpoints
    private let station: Station

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let club = try await VideoClub.open(
            ground.database, program: Product.version, settings: ClubSettings(ground.channelsFile.section(.videoClub)),
            wallClock: ground.wallClock, steadiness: ground.steadiness)
        ground.stateCopies.add("entitlements") { try await club.refresh() }
        parts.add(club)
        if let file = ground.configuration.paymentSecretFile {
            parts.add(try PaymentsStart(file: file).open())
        }
    }

    init?(_ station: Station) {
        guard let club = station.parts[VideoClub.self], let accounts = station.authority.accounts else { return nil }
        (self.club, self.station) = (club, station)
        var api = ClubEndpoints(
            club: club, accounts: accounts, links: station.parts[MediaLinks.self],
            publicAddress: station.publicAddress, content: station.content,
            files: LibraryFeature.library(station).files)
        api.copies = station.parts[OfflineCopies.self]
        api.payments = station.parts[WebhookVerification.self]
        self.api = api
    }

    var endpoints: [Endpoint] {
        api.endpoints + InterchangeEndpoints(content: station.content, club: club).endpoints
    }

    var accountLinks: [AccountPageLink] { ClubPages.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        ClubPages(pages: frame, content: station.content, club: club, copies: station.parts[OfflineCopies.self])
            .endpoints
    }

    func services(on ground: Ground) -> [any Service] {
        let copies = station.parts[OfflineCopies.self].map {
            [OfflineCopyService(copies: $0, logger: ground.logger) as any Service]
        }
        return [VideoClubService(club: club, logger: ground.logger)] + (copies ?? [])
    }

    func metrics() async -> [MetricFamily] {
        ClubMetrics(statistics: club.statistics, open: try? await club.openRentals()).families
    }

    func export(of member: ExportedMember) async throws -> [ExportChapter] { try await api.export(of: member) }
    func forget(_ user: UserID, _ db: any SQLConnection) throws { try VideoClub.forget(user, db) }
    func endCredentials(of user: UserID, _ db: any SQLConnection) throws { try VideoClub.removeDevices(of: user, db) }

    func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) {
        club.settings = ClubSettings(file.section(.videoClub))
    }
}
