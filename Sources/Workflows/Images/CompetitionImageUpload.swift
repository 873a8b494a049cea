package import Community
import HTTPEndpoints
import HTTPTypes
package import Hummingbird
import MediaIntake

/// Makes the images of competitions from what operators send: the body of a request, or the file of a form.
package struct CompetitionImageUpload: Sendable {
    private let library: any LibraryOperations

    /// - Parameter library: decodes the images, in worker processes.
    package init(library: any LibraryOperations) { self.library = library }

    /// The image that a request holds: the square in its middle, without metadata.
    ///
    /// - Returns: `nil` for a form in which no file was chosen.
    /// - Throws: `ProblemDetails` that says what is wrong with the image.
    package func image(in request: Request) async throws -> CompetitionImage? {
        let body = ImageBody(noun: "image", maximumByteCount: PhotoUpload.maximumByteCount)
        guard
            let jpeg = try await body.square(
                in: request, from: .operators, side: CompetitionImage.side, by: library)
        else {
            return nil
        }
        guard let image = CompetitionImage(jpeg: jpeg) else {
            throw ProblemDetails(.unprocessableContent, "the file cannot be made into an image of a competition")
        }
        return image
    }
}
