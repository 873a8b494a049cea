package import Hummingbird
package import NIOCore

/// A form with one file, as browsers send it. All of it is in memory.
package struct FileForm: Sendable {
    /// The bytes of the file; `nil` if none was chosen.
    package let file: ByteBuffer?
    /// The fields beside the file; see `MultipartFileParser.maximumSkippedByteCount`.
    package let fields: [String: String]

    /// - Parameters:
    ///   - request: a request whose body is such a form.
    ///   - noun: what the file is, for errors, such as "photo".
    ///   - maximumByteCount: limit of the file.
    /// - Throws: ``ProblemDetails`` with 400, 413 or 415.
    package init(_ request: Request, noun: String, maximumByteCount: Int) async throws {
        guard var parser = request.headers[.contentType].flatMap(MultipartFileParser.init(contentType:)) else {
            throw ProblemDetails(.unsupportedMediaType, "send the \(noun) as a form with a file (multipart/form-data)")
        }
        ExpectedUpload.begin()
        do {
            file = try await Self.file(in: request, &parser, noun, maximumByteCount)
            fields = parser.fields
        } catch let error as MultipartFileParser.Failure {
            throw ProblemDetails(.badRequest, error.description)
        }
    }

    /// Whether the body of a request says that it is such a form.
    package static func isForm(_ request: Request) -> Bool { FormFields.type(of: request) == "multipart/form-data" }

    private static func file(
        in request: Request, _ parser: inout MultipartFileParser, _ noun: String, _ maximumByteCount: Int
    ) async throws -> ByteBuffer? {
        var file = ByteBuffer()
        var hasFile = false
        for try await piece in request.body {
            parser.append(piece)
            while let event = try parser.next(requiringFile: false) {
                switch event {
                case .name: hasFile = true
                case .bytes(var bytes):
                    file.writeBuffer(&bytes)
                    guard file.readableBytes <= maximumByteCount else { throw tooLarge(noun, maximumByteCount) }
                case .end: return hasFile ? file : nil
                }
            }
        }
        throw MultipartFileParser.Failure("the form ends before its last boundary")
    }

    /// A 413 for a file that is too large.
    ///
    /// - Parameters:
    ///   - noun: what the file is, such as "photo".
    ///   - maximumByteCount: limit of the file.
    package static func tooLarge(_ noun: String, _ maximumByteCount: Int) -> ProblemDetails {
        ProblemDetails(.contentTooLarge, "\(noun)s are limited to \(maximumByteCount >> 20) MiB")
    }
}
