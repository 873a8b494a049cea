package import Accounts
import Foundation
import HTTPTypes
package import Hummingbird
package import MediaIntake

/// Makes the photos of accounts from what members send: the body of a request, or the file of a form.
package struct PhotoUpload: Sendable {
    private let library: any LibraryOperations

    /// Limit of the file that somebody sends: a photo of a phone. All of it is in memory for a moment.
    package static let maximumByteCount = 8 << 20

    /// - Parameter library: decodes the images, in worker processes.
    package init(library: any LibraryOperations) { self.library = library }

    /// The photo that a request holds.
    ///
    /// - Parameters:
    ///   - request: an image, or a form with one.
    ///   - sender: who sends it.
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: ``ProblemDetails`` that says what is wrong with the image.
    package func photo(in request: Request, from sender: UploadSender) async throws -> AccountPhoto? {
        let body = ImageBody(noun: "photo", maximumByteCount: Self.maximumByteCount)
        guard let jpeg = try await body.square(in: request, from: sender, side: AccountPhoto.side, by: library) else {
            return nil
        }
        guard let photo = AccountPhoto(jpeg: jpeg) else {
            throw ProblemDetails(.unprocessableContent, "the image cannot be made into a photo")
        }
        return photo
    }
}
