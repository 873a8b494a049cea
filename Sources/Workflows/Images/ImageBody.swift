import HTTPEndpoints
import HTTPTypes
package import Hummingbird
import LibraryCore
package import MediaIntake
package import NIOCore
import VODLibrary

/// An image that somebody sends: the body of a request, or the file of a form. All of it is in memory for a moment.
package struct ImageBody: Sendable {
    /// The noun for the image in errors, such as "photo".
    package var noun: String
    package var maximumByteCount: Int

    /// Image types that all browsers show and the worker can decode.
    package static let types = ["image/jpeg", "image/png"]
    /// The cover of a track.
    package static let cover = ImageBody(noun: "cover", maximumByteCount: VODLibrary.maximumPosterByteCount)
    /// The poster of a title.
    package static let poster = ImageBody(noun: "poster", maximumByteCount: VODLibrary.maximumPosterByteCount)

    package init(noun: String, maximumByteCount: Int) {
        (self.noun, self.maximumByteCount) = (noun, maximumByteCount)
    }

    /// The image of a request.
    ///
    /// - Parameters:
    ///   - request: an image, or a form with one.
    ///   - sender: who sends it.
    ///   - places: the room for images that arrive.
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: `ProblemDetails` with 400, 413, 415, or 429 if there is no room.
    package func read(
        _ request: Request, from sender: UploadSender, places: ImagePlaces = .process
    ) async throws -> ByteBuffer? {
        try await places.receive(ImagePlaces.byteCount(of: request, limit: maximumByteCount), from: sender) {
            try await receive(request)
        }
    }

    private func receive(_ request: Request) async throws -> ByteBuffer? {
        let type = FormFields.type(of: request)
        if Self.types.contains(type) {
            ExpectedUpload.begin()
            do {
                return try await request.body.collect(upTo: maximumByteCount)
            } catch is NIOTooManyBytesError {
                throw FileForm.tooLarge(noun, maximumByteCount)
            }
        }
        guard FileForm.isForm(request) else {
            throw ProblemDetails(
                .unsupportedMediaType,
                "send the \(noun) with the header Content-Type: \(Self.types.joined(separator: " or "))")
        }
        return try await FileForm(request, noun: noun, maximumByteCount: maximumByteCount).file
    }

    /// The image of a request that must have one.
    ///
    /// - Throws: `ProblemDetails` with 422 without an image, and the errors of ``read(_:from:places:)``.
    package func required(in request: Request, from sender: UploadSender) async throws -> ByteBuffer {
        guard let image = try await read(request, from: sender), image.readableBytes > 0 else {
            throw ProblemDetails(.unprocessableContent, "the body must be a JPEG or PNG file")
        }
        return image
    }

    /// The square in the middle of the image of a request, as a JPEG file without metadata.
    ///
    /// - Parameters:
    ///   - request: an image, or a form with one.
    ///   - sender: who sends it.
    ///   - side: width and height in pixels.
    ///   - library: decodes the image, in a worker process.
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: `ProblemDetails` that says what is wrong with the image.
    package func square(
        in request: Request, from sender: UploadSender, side: Int, by library: any LibraryOperations
    ) async throws -> [UInt8]? {
        guard let image = try await read(request, from: sender), image.readableBytes > 0 else { return nil }
        do {
            return try await library.squareImage(of: image, side: side, from: sender)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
    }
}
