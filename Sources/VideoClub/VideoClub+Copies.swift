package import Accounts
import Database

extension VideoClub {
    /// The state of rentals' copies on members' devices, by rental, in the order in which devices were registered.
    /// Nothing is said of rentals that have ended: devices delete their copies.
    ///
    /// - Parameter rentals: a page of rentals.
    package func copiesOnDevices(of rentals: [Rental]) async throws -> [OpaqueID: [CopyOnDevice]] {
        let now = now
        let open = rentals.filter { [.rented, .activated].contains($0.state(at: now)) }.map(\.id)
        guard !open.isEmpty else { return [:] }
        return try await database.read { db in try CopyRows.onDevices(of: open, db) }
    }
}
