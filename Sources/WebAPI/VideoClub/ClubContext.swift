import APIContract
import APIDeclarations
import Accounts
import HTTPEndpoints
import Hummingbird
import MediaAccess
import MediaCore
import VideoClub
import Viewing

/// The context that the endpoints of the video club share.
struct ClubContext: Sendable {
    let club: VideoClub
    /// Signs the addresses of rentals; `nil` for a server without any.
    let links: MediaLinks?
    let publicAddress: PublicAddress?
    /// Counts the requests of devices against the limits of their owners.
    let accounts: Accounts

    /// The rule for managing credits and rentals.
    static let manages = AccessRule.needs(.manage, Resource(.rental))

    /// The JSON of rentals, each with the address at which the caller watches it and what devices have of it.
    func resources(
        _ rentals: [Rental], _ club: VideoClub, for caller: Caller
    ) async throws -> [APIObject<RentalFields>] {
        let copies = try await club.copiesOnDevices(of: rentals)
        return rentals.map { resource($0, copies[$0.id] ?? [], club, for: caller) }
    }

    /// The JSON of a rental, with the address at which the caller watches it and what devices have of it.
    func resource(_ rental: Rental, _ club: VideoClub, for caller: Caller) async throws -> APIObject<RentalFields> {
        resource(rental, try await club.copiesOnDevices(of: [rental])[rental.id] ?? [], club, for: caller)
    }

    func resource(
        _ rental: Rental, _ copies: [CopyOnDevice], _ club: VideoClub, for caller: Caller
    ) -> APIObject<RentalFields> {
        let now = club.now
        guard rental.state(at: now) == .activated, let links,
            let permit = RentalPermit(rental, of: caller.principal, in: club)
        else {
            return APIResources.rental(rental, at: now, playlist: nil, copies: copies)
        }
        let path = "\(ViewingSignatures(links).folder("/vod/\(rental.titleID)", with: permit))/playlist.m3u8"
        return APIResources.rental(rental, at: now, playlist: publicAddress?.url(path) ?? path, copies: copies)
    }

    /// The member that a path names.
    func user(_ caller: GatewayRequestContext) async throws -> UserID {
        try await club.user(named: try caller.parameters.require("name"))
    }

    /// The key with which a client has marked a request; `nil` without one.
    static func key(_ request: Request, of operation: String, _ caller: GatewayRequestContext) throws -> RequestKey? {
        try request.headers.checkedIdempotencyKey().map { RequestKey($0, of: operation, by: caller.caller) }
    }
}
