package import Community
import HTTPEndpoints
import HTTPTypes
package import Hummingbird
import LibraryCore
import MediaIntake
package import NIOCore

/// Makes the maps of competitions from operators' files: a GPX file, or an image with its edges.
package struct CompetitionMapUpload: Sendable {
    /// An operator's file and its edges.
    package struct Sent: Sendable {
        package var bytes: ByteBuffer
        package var bounds: MapBounds?

        /// - Parameters:
        ///   - bytes: the file.
        ///   - bounds: the edges of an image; a GPX file needs none.
        package init(bytes: ByteBuffer, bounds: MapBounds?) { (self.bytes, self.bounds) = (bytes, bounds) }
    }

    private let library: any LibraryOperations

    /// The media type of GPX files; there is none that is registered.
    package static let gpxType = "application/gpx+xml"
    /// Limit of an image that is sent. All of it is in memory for a moment.
    package static let maximumImageByteCount = PhotoUpload.maximumByteCount
    /// The names of the edges of an image.
    package static let edges = ["north", "west", "south", "east"]

    /// - Parameter library: decodes the images, in worker processes.
    package init(library: any LibraryOperations) { self.library = library }

    /// The edges of an image, as the parameters of an address or the fields of a form have them.
    ///
    /// - Parameter value: the text of an edge; `nil` if it is missing.
    /// - Returns: `nil` if all are missing.
    /// - Throws: `MapFailure` with `edges` if they are wrong.
    package static func bounds(_ value: (_ edge: String) -> String?) throws(MapFailure) -> MapBounds? {
        let texts = edges.map(value)
        guard texts.contains(where: { $0 != nil }) else { return nil }
        let degrees = texts.compactMap { $0.flatMap { Double($0) } }
        guard degrees.count == edges.count,
            let bounds = MapBounds(north: degrees[0], west: degrees[1], south: degrees[2], east: degrees[3])
        else { throw .edges }
        return bounds
    }

    /// The body of a request.
    ///
    /// - Returns: the file with the edges in the address.
    /// - Throws: `ProblemDetails` with 413 or 415, and `MapFailure`.
    package func sent(in request: Request) async throws -> Sent {
        let type = FormFields.type(of: request)
        guard type == Self.gpxType || ImageBody.types.contains(type) else {
            throw ProblemDetails(
                .unsupportedMediaType,
                "send the map with the header Content-Type: \(([Self.gpxType] + ImageBody.types).joined(separator: ", "))"
            )
        }
        let bounds = try Self.bounds { PageRequest.value(of: $0, in: request) }
        let limit = type == Self.gpxType ? GPXTrack.maximumByteCount : Self.maximumImageByteCount
        ExpectedUpload.begin()
        do {
            let bytes = try await ImagePlaces.process.receive(
                ImagePlaces.byteCount(of: request, limit: limit), from: .operators
            ) { try await request.body.collect(upTo: limit) }
            return Sent(bytes: bytes, bounds: bounds)
        } catch is NIOTooManyBytesError {
            throw Self.tooLarge
        }
    }

    /// The map of a file, whose type follows from its first bytes.
    ///
    /// - Returns: the map, and its image if it has one.
    /// - Throws: `MapFailure`, or `ProblemDetails` that says what is wrong with the image.
    package func map(of sent: Sent) async throws -> (map: CompetitionMap, image: MapImage?) {
        let bytes = sent.bytes.readableBytesView
        guard bytes.starts(with: [0xFF, 0xD8, 0xFF]) || bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
            guard bytes.count <= GPXTrack.maximumByteCount else { throw Self.tooLarge }
            return (try CompetitionMap(lines: try GPXTrack.lines(of: Array(bytes))), nil)
        }
        guard let bounds = sent.bounds else { throw MapFailure.edges }
        let jpeg: [UInt8]
        do {
            jpeg = try await library.sentImage(of: sent.bytes, width: MapImage.maximumWidth, from: .operators)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        }
        guard let image = MapImage(jpeg: jpeg) else { throw MapFailure.image }
        return (try CompetitionMap(image, bounds: bounds), image)
    }

    private static var tooLarge: ProblemDetails {
        ProblemDetails(
            .contentTooLarge,
            "GPX files are limited to \(GPXTrack.maximumByteCount >> 20) MiB, and images to "
                + "\(maximumImageByteCount >> 20) MiB")
    }
}
