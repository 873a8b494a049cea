package import Accounts
import Foundation
package import HTTPEndpoints
import HTTPTypes
import LibraryCore
package import Hummingbird
package import MediaIntake
package import NIOCore

/// Makes the photos of accounts from what members send: the body of a request, or the file of a form.
package struct PhotoUpload: Sendable {
    private let library: any LibraryOperations
    /// Fetches photos that somebody has elsewhere; `nil` if the server fetches none.
    private let pictures: (any PictureFetching)?

    /// Limit of the file that somebody sends: a photo of a phone. All of it is in memory for a moment.
    package static let maximumByteCount = 8 << 20

    /// - Parameters:
    ///   - library: decodes the images, in worker processes.
    ///   - pictures: fetches photos that somebody has elsewhere; `nil` if the server fetches none.
    package init(library: any LibraryOperations, pictures: (any PictureFetching)? = nil) {
        (self.library, self.pictures) = (library, pictures)
    }

    /// True if photos can be fetched from other servers.
    package var fetchesPictures: Bool { pictures != nil }

    /// The photo that is made of an image on another server, which has room as if its owner had sent it.
    ///
    /// - Parameters:
    ///   - address: the address of a JPEG or PNG file.
    ///   - origin: an address of the server that has named it, which the operator trusts.
    ///   - sender: whose photo it becomes.
    /// - Throws: `ProblemDetails` that says what is wrong with the image, with 502 if it cannot be fetched.
    package func photo(
        at address: String, namedBy origin: String, for sender: UploadSender
    ) async throws -> AccountPhoto {
        guard let pictures else { throw ProblemDetails(.notFound) }
        let limit = Self.maximumByteCount
        let image = try await ImagePlaces.process.receive(limit, from: sender) {
            do {
                return try await pictures.picture(
                    at: address, namedBy: origin, maximumByteCount: limit)
            } catch {
                throw ProblemDetails(.badGateway, "the image cannot be fetched")
            }
        }
        return try await photo(of: image, from: sender)
    }

    /// The photo that a request holds.
    ///
    /// - Parameters:
    ///   - request: an image, or a form with one.
    ///   - sender: who sends it.
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: `ProblemDetails` that says what is wrong with the image.
    package func photo(in request: Request, from sender: UploadSender) async throws -> AccountPhoto? {
        let body = ImageBody(noun: "photo", maximumByteCount: Self.maximumByteCount)
        guard let jpeg = try await body.square(in: request, from: sender, side: AccountPhoto.side, by: library) else {
            return nil
        }
        return try Self.photo(jpeg)
    }

    /// The form of a request with fields and a photo.
    ///
    /// - Parameters:
    ///   - request: a request whose body is such a form.
    ///   - sender: who sends it.
    /// - Throws: `ProblemDetails` with 400, 413, 415, or 429 if there is no room.
    package func form(_ request: Request, from sender: UploadSender) async throws -> FileForm {
        let limit = Self.maximumByteCount
        return try await ImagePlaces.process.receive(
            ImagePlaces.byteCount(of: request, limit: limit), from: sender
        ) { try await FileForm(request, noun: "photo", maximumByteCount: limit) }
    }

    /// The photo that is made of an image file.
    ///
    /// - Parameters:
    ///   - image: the bytes of a JPEG or PNG file, at most ``maximumByteCount``.
    ///   - sender: who has sent it, or whose photo it becomes.
    /// - Throws: `ProblemDetails` that says what is wrong with the image.
    package func photo(of image: ByteBuffer, from sender: UploadSender) async throws -> AccountPhoto {
        do {
            return try Self.photo(try await library.squareImage(of: image, side: AccountPhoto.side, from: sender))
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }

    /// Gives an account that was just registered the photo that came with its form. It is decoded after the account is
    /// made, so that nobody decodes images for forms that are refused.
    ///
    /// - Parameters:
    ///   - image: the bytes of a JPEG or PNG file; `nil` or empty if none was chosen.
    ///   - account: the account, as it was registered.
    ///   - accounts: where it is.
    ///   - origin: where the request came from.
    /// - Returns: the account, and `false` if the image cannot be used; the account stays without a photo then.
    package func setFirst(
        _ image: ByteBuffer?, of account: Account, in accounts: Accounts, from origin: RequestOrigin
    ) async throws -> (account: Account, isUsable: Bool) {
        guard let image, image.readableBytes > 0 else { return (account, true) }
        do {
            let photo = try await photo(of: image, from: .member(account.id.text))
            return (try await accounts.setFirstPhoto(photo, of: account, from: origin), true)
        } catch is ProblemDetails {
            return (account, false)
        }
    }

    private static func photo(_ jpeg: [UInt8]) throws -> AccountPhoto {
        guard let photo = AccountPhoto(jpeg: jpeg) else {
            throw ProblemDetails(.unprocessableContent, "the image cannot be made into a photo")
        }
        return photo
    }
}
