import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import LibraryCore
import MediaIntake
import NIOCore
import Workflows

/// The choice of a poster: an image, or the frame at a time.
enum PosterChoice: Sendable {
    case image(ByteBuffer)
    /// In seconds from the beginning.
    case frame(Double)

    /// Limit of a JSON body; `{"at": 83.5}` is short.
    private static let maximumBodyByteCount = 1_024

    /// Reads a request, whose body is an image or `{"at": 83.5}`.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - owner: what the poster belongs to, for the error, such as `title`.
    ///   - sender: who sends it.
    /// - Throws: `ProblemDetails`
    init(_ request: Request, of owner: String, from sender: UploadSender) async throws {
        let type = request.headers[.contentType]?.prefix { $0 != ";" }.lowercased() ?? ""
        if ImageBody.types.contains(type) {
            guard let image = try await ImageBody.poster.read(request, from: sender) else {
                throw ProblemDetails(.badRequest)
            }
            self = .image(image)
            return
        }
        let body = try await RequestBody.body(
            of: request, example: "{\"at\": 83.5}", maximumByteCount: Self.maximumBodyByteCount)
        guard let seconds = body["at"]?.number, seconds >= 0 else {
            throw ProblemDetails(.badRequest, "\"at\" must be a number of seconds from the \(owner)'s start")
        }
        self = .frame(seconds)
    }

    /// Makes it the poster of a title.
    ///
    /// - Parameters:
    ///   - id: the ID of the title.
    ///   - library: the library.
    ///   - sender: who asks.
    ///   - condition: whether the title is still the one that the change is meant for.
    /// - Returns: the title; `nil` if there is no title with that ID.
    /// - Throws: `LibraryError`; `Refusal` if the title has been changed.
    func set(
        ofTitle id: String, in library: any LibraryOperations, from sender: UploadSender,
        if condition: @escaping RecordCondition<TitleRecord>
    ) async throws -> TitleRecord? {
        switch self {
        case .image(let image): try await library.setPoster(ofTitle: id, to: image, from: sender, if: condition)
        case .frame(let seconds): try await library.setPoster(ofTitle: id, at: seconds, from: sender, if: condition)
        }
    }
}
