package import Accounts
package import MediaAccess
import MediaCore
package import VideoClub

/// The gate for downloads of offline copies: a client with an address that this server has signed, while the rental
/// lasts, the device is still the member's, and the title is not hidden.
package struct DownloadGate: Sendable {
    /// Why nobody gets anything at an address.
    package enum Refusal: Error, Hashable {
        /// This server has not signed it.
        case wrongAddress
        case expired
        /// The title was hidden.
        case hidden
        /// The database does not answer.
        case unavailable
    }

    private let copies: OfflineCopies
    private let links: MediaLinks

    /// - Parameters:
    ///   - copies: the copies.
    ///   - links: checks signatures.
    package init(_ copies: OfflineCopies, _ links: MediaLinks) { (self.copies, self.links) = (copies, links) }

    /// The copy at an address.
    ///
    /// - Parameters:
    ///   - id: the copy's ID.
    ///   - device: the device that downloads; `nil` for the member.
    ///   - signature: the text of the signature in the path.
    ///   - folder: what is signed.
    ///   - audiences: know what was hidden.
    /// - Throws: `Refusal`; `Refusal` if the rental has ended, the device was removed or the copy was replaced;
    ///   `SQLError`.
    package func copy(
        _ id: OpaqueID, device: OpaqueID?, signature: String, in folder: String, _ audiences: AudienceRules
    ) async throws -> (copy: OfflineCopy, rental: Rental) {
        guard let rental = MediaSignature(parsing: signature).flatMap({ OpaqueID(parsing: $0.id) }) else {
            throw Refusal.wrongAddress
        }
        let decision = await links.decide(signature, for: folder)
        switch decision {
        case .valid, .expired: break
        case .wrong, .revoked: throw Refusal.wrongAddress
        case .unavailable: throw Refusal.unavailable
        }
        // The end of a rental says more than that of its addresses.
        let found = try await copies.downloadedCopy(id, rental: rental, device: device)
        guard !audiences.isHidden(titleID: found.rental.titleID) else { throw Refusal.hidden }
        guard case .valid = decision else { throw Refusal.expired }
        return found
    }
}
