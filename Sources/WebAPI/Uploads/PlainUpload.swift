import APIContract
import APIDeclarations
import Catalogue
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaIntake
import NIOCore
import Workflows

/// The upload of a file as the body of one request, which is how `curl` and browser forms send it. An interrupted
/// upload leaves nothing behind; `UploadEndpoints` offers resumable uploads for large files and unreliable networks.
struct PlainUpload: Sendable {
    let library: any LibraryIntake & LibraryJobControl
    /// Writes a title.
    let title: @Sendable (TitleRecord) -> APIObject<TitleFields>

    private static let formType = "multipart/form-data"

    /// Returns whether the `Content-Type` of a POST is that of a file; any other body is treated as JSON.
    static func isFile(_ request: Request) -> Bool {
        let type = request.headers[.contentType]?.lowercased() ?? ""
        return ["video/", "audio/", "application/octet-stream", "application/mp4", formType]
            .contains { type.hasPrefix($0) }
    }

    /// Ingests the body and answers 201.
    ///
    /// - Parameter name: the file's name; `nil` if the request itself contains it.
    func answer(_ request: Request, name: String? = nil) async throws -> Response {
        guard let length = request.headers[.contentLength].flatMap({ Int64($0) }), length >= 0 else {
            throw ProblemDetails(.lengthRequired, "send Content-Length: the server checks first that there is room")
        }
        guard length > 0 else { throw ProblemDetails(.unprocessableContent, "the file is empty") }
        ExpectedUpload.begin()
        do {
            let item =
                if let parser = request.headers[.contentType].flatMap(MultipartFileParser.init), name == nil {
                    try await receiveForm(request, parser, length: length)
                } else {
                    try await receive(request, name: name ?? Self.name(of: request), length: length)
                }
            return created(item, job: await library.openJob(of: item))
        } catch let error as UploadError {
            throw ProblemDetails(error)
        } catch let error as LibraryError {
            throw ProblemDetails(error)
        } catch let error as MultipartFileParser.Failure {
            throw ProblemDetails(.badRequest, error.description)
        }
    }

    private func receive(_ request: Request, name: String?, length: Int64) async throws -> IngestedItem {
        guard let name else {
            throw ProblemDetails(
                .unprocessableContent, "name the file: ?name=film.mp4, or Content-Disposition with a filename")
        }
        return try await library.receive(name: name, byteCount: length, isExact: true) { write in
            for try await piece in request.body { try await write(piece) }
        }
    }

    private func receiveForm(
        _ request: Request, _ parser: MultipartFileParser, length: Int64
    ) async throws -> IngestedItem {
        var parser = parser
        var pieces = request.body.makeAsyncIterator()
        func next() async throws -> MultipartFileParser.Event {
            while true {
                if let event = try parser.next() { return event }
                guard let piece = try await pieces.next() else {
                    throw MultipartFileParser.Failure("the form ends before its last boundary")
                }
                parser.append(piece)
            }
        }
        guard case .name(let name) = try await next() else {
            throw MultipartFileParser.Failure("the form contains no file")
        }
        return try await library.receive(name: name, byteCount: length, isExact: false) { write in
            while case .bytes(let bytes) = try await next() { try await write(bytes) }
        }
    }

    private static func name(of request: Request) -> String? {
        let disposition = request.headers[.contentDisposition].flatMap(ContentDisposition.fileName)
        guard let name = PageRequest.value(of: "name", in: request) ?? disposition else { return nil }
        return ReceivedFileName.completed(name, ofType: request.headers[.contentType])
    }

    /// Answers 201 with the title or track and its job, because the file is part of the library even if the job fails.
    private func created(_ item: IngestedItem, job: JobRecord?) -> Response {
        let job = job.map(APIResources.job)
        var response =
            switch item {
            case .title(let record):
                UploadedTitleFields.object { APIResources.members(of: title(record)) + [$0.job(job)] }
                    .response(status: .created)
            case .track(let record):
                UploadedTrackFields.object { APIResources.members(of: APIResources.track(record)) + [$0.job(job)] }
                    .response(status: .created)
            }
        response.headers[.location] = LibraryUploads.location(of: item)
        return response
    }
}
