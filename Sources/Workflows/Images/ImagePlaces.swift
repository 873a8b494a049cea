import HTTPEndpoints
package import Hummingbird
package import MediaIntake
import Synchronization

/// The memory of images while they arrive: all of an image is in memory until its last byte has come.
///
/// Operators have room of their own, so that members cannot take it.
package final class ImagePlaces: Sendable {
    private let shares = Mutex(SenderShares(limit: maximumByteCount, ofMember: maximumMemberByteCount))

    /// The images that arrive in this process.
    package static let process = ImagePlaces()

    /// Limit of the images of all operators, and of those of all members, in bytes.
    static let maximumByteCount = 96 << 20
    /// Limit of the images of one member, in bytes: a poster, or two photos.
    static let maximumMemberByteCount = 16 << 20

    package init() {}

    /// Receives an image, whose room is given back when `receive` ends.
    ///
    /// - Parameters:
    ///   - byteCount: the bytes that may come.
    ///   - sender: who sends it.
    ///   - receive: receives it.
    /// - Throws: `ProblemDetails` with 429 if there is no room, and the errors of `receive`.
    package func receive<Image>(
        _ byteCount: Int, from sender: UploadSender, _ receive: () async throws -> Image
    ) async throws -> Image {
        guard shares.withLock({ $0.take(byteCount, for: sender) }) else {
            throw ProblemDetails(.tooManyRequests, "other images are being sent; try again in a moment")
        }
        defer { shares.withLock { $0.giveBack(byteCount, of: sender) } }
        return try await receive()
    }

    /// The bytes that the body of a request may bring.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - limit: the bytes that are accepted.
    package static func byteCount(of request: Request, limit: Int) -> Int {
        min(limit, max(0, request.headers[.contentLength].flatMap { Int($0) } ?? limit))
    }
}
