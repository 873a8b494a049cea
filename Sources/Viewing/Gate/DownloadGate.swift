package import Accounts
package import MediaAccess
import MediaCore
package import VideoClub

/// The gate for downloads of offline copies: a client with an address that this server has signed, while the rental
/// lasts, the device is still the member's, and the title is not hidden.
package struct DownloadGate: Sendable {
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
    /// - Throws: ``DownloadDenial``; `Refusal` if the rental has ended, the device was removed or the copy was
    ///   replaced; `SQLError`.
    package func copy(
        _ id: OpaqueID, device: OpaqueID?, signature: String, in folder: String, _ audiences: AudienceRules
    ) async throws -> (copy: OfflineCopy, rental: Rental) {
        guard let rental = MediaSignature(parsing: signature).flatMap({ OpaqueID(parsing: $0.id) }) else {
            throw DownloadDenial.wrongAddress
        }
        let decision = await links.decide(signature, for: folder)
        if let denial = ViewingRules.denial(decision, isHidden: nil) { throw denial }
        let found = try await copies.downloadedCopy(id, rental: rental, device: device)
        let isHidden = audiences.isHidden(titleID: found.rental.titleID)
        if let denial = ViewingRules.denial(decision, isHidden: isHidden) { throw denial }
        return found
    }
}
