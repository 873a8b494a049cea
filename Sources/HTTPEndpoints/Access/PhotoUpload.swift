package import Accounts
import Foundation
import HTTPTypes
package import Hummingbird
import Synchronization

/// Makes the photos of accounts from what members send: the body of a request, or the file of a form.
package final class PhotoUpload: Sendable {
    private let library: any LibraryOperations
    /// The accounts whose photos are being received.
    private let senders = Mutex(Set<UserID>())

    /// Limit of the file that somebody sends: a photo of a phone. All of it is in memory for a moment.
    package static let maximumByteCount = 8 << 20
    /// Limit of the photos that are received at the same time, one for each account.
    static let maximumSenderCount = 16

    /// - Parameter library: decodes the images, in worker processes.
    package init(library: any LibraryOperations) { self.library = library }

    /// The photo that a request holds.
    ///
    /// - Parameters:
    ///   - request: an image, or a form with one.
    ///   - sender: the account that sends it.
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: ``ProblemDetails`` that says what is wrong with the image.
    package func photo(in request: Request, of sender: UserID) async throws -> AccountPhoto? {
        let isAdmitted = senders.withLock { $0.count < Self.maximumSenderCount && $0.insert(sender).inserted }
        guard isAdmitted else {
            throw ProblemDetails(.tooManyRequests, "other photos are being sent; try again in a moment")
        }
        defer { _ = senders.withLock { $0.remove(sender) } }
        let body = ImageBody(noun: "photo", maximumByteCount: Self.maximumByteCount)
        guard let jpeg = try await body.square(in: request, side: AccountPhoto.side, by: library) else { return nil }
        guard let photo = AccountPhoto(jpeg: jpeg) else {
            throw ProblemDetails(.unprocessableContent, "the image cannot be made into a photo")
        }
        return photo
    }
}
