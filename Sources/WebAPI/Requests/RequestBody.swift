import HTTPEndpoints
import HTTPTypes
import Hummingbird
import JSONDocument
import NIOCore

/// Bodies of requests to the API. ``BodyFields`` reads the ones whose fields are declared.
enum RequestBody {
    /// Reads and parses the JSON body of a request.
    ///
    /// - Parameters:
    ///   - example: a valid body, shown in the error for a request of another type.
    ///   - maximumByteCount: limit of the body.
    /// - Throws: `ProblemDetails`
    static func body(
        of request: Request, example: @autoclosure () -> String, maximumByteCount: Int
    ) async throws -> JSONNode {
        guard isJSON(request) else {
            throw ProblemDetails(
                .unsupportedMediaType, "send \(example()) with the header Content-Type: application/json")
        }
        return try parsed(try await bytes(of: request, maximumByteCount: maximumByteCount))
    }

    /// Reads the body of a request, whatever its type.
    ///
    /// - Throws: `ProblemDetails` with 413.
    static func bytes(of request: Request, maximumByteCount: Int) async throws -> ByteBuffer {
        do {
            ExpectedUpload.begin(ifMoreThanSmall: maximumByteCount)
            return try await request.body.collect(upTo: maximumByteCount)
        } catch is NIOTooManyBytesError {
            throw ProblemDetails(.contentTooLarge, "the body is limited to \(maximumByteCount) bytes")
        }
    }

    /// Parses a body.
    ///
    /// - Throws: `ProblemDetails` with 400.
    static func parsed(_ body: ByteBuffer) throws -> JSONNode {
        do {
            return try JSONParser.parse(body.readableBytesView)
        } catch {
            throw ProblemDetails(.badRequest, "the body is not JSON: \(error)")
        }
    }

    /// Returns whether the type is JSON, with or without parameters (`application/json; charset=utf-8`).
    private static func isJSON(_ request: Request) -> Bool {
        let type = request.headers[.contentType]?.prefix { $0 != ";" } ?? ""
        return type.filter { $0 != " " && $0 != "\t" }.lowercased() == "application/json"
    }
}
