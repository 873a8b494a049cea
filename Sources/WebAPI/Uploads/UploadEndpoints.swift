import APIDeclarations
import Community
import Foundation
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import MediaCore
import MediaIntake
import VODLibrary
import Workflows

/// Resumable uploads with tus 1.0.0 (https://tus.io/protocols/resumable-upload) and its extensions creation,
/// creation-with-upload, checksum, termination and expiration.
struct UploadEndpoints: Sendable {
    let library: any LibraryOperations
    /// The target of the uploads.
    let target: any UploadTarget

    static let version = "1.0.0"
    static let extensions = "creation,creation-with-upload,checksum,termination,expiration"
    static let mediaType = "application/offset+octet-stream"
    /// Limit of `Upload-Metadata`, which holds a name and a few words.
    static let maximumMetadataByteCount = 4_096

    private static let capabilitiesReason = "the versions and limits of tus are the same for everybody"

    var endpoints: [Endpoint] {
        let operations = target.operations
        return [
            Endpoint(operations.describeAll, .open(reason: Self.capabilitiesReason)) { _, _ in Self.capabilities() },
            Endpoint(operations.create, target.rule) { request, context in
                try await Self.tus(request) { try await create(request, context) }
            },
            Endpoint(operations.describe, .open(reason: Self.capabilitiesReason)) { _, _ in
                Self.capabilities()
            },
            Endpoint(operations.offset, target.rule) { request, context in
                try await Self.tus(request) { try await status(context) }
            },
            Endpoint(operations.append, target.rule) { request, context in
                try await Self.tus(request) { try await append(request, context) }
            },
            Endpoint(operations.delete, target.rule) { request, context in
                try await Self.tus(request) { try await delete(context) }
            },
            // Some clients' networks pass neither PATCH nor DELETE.
            Endpoint(operations.override, target.rule) { request, context in
                try await Self.tus(request) {
                    switch request.headers[Field.methodOverride]?.uppercased() {
                    case "PATCH": try await append(request, context)
                    case "DELETE": try await delete(context)
                    case "HEAD": try await status(context)
                    default: throw ProblemDetails(.badRequest, "X-HTTP-Method-Override must be PATCH, DELETE or HEAD")
                    }
                }
            },
        ]
    }

    /// The header fields of tus.
    private enum Field {
        static let resumable = name("Tus-Resumable")
        static let version = name("Tus-Version")
        static let `extension` = name("Tus-Extension")
        static let maximumSize = name("Tus-Max-Size")
        static let checksumAlgorithm = name("Tus-Checksum-Algorithm")
        static let offset = name("Upload-Offset")
        static let length = name("Upload-Length")
        static let deferLength = name("Upload-Defer-Length")
        static let metadata = name("Upload-Metadata")
        static let checksum = name("Upload-Checksum")
        static let expires = name("Upload-Expires")
        static let methodOverride = name("X-HTTP-Method-Override")

        private static func name(_ text: String) -> HTTPField.Name {
            guard let name = HTTPField.Name(text) else { preconditionFailure("\(text) is a field's name") }
            return name
        }
    }

    private static func capabilities() -> Response {
        Response(
            status: .noContent,
            headers: [
                Field.resumable: version, Field.version: version, Field.extension: extensions,
                Field.maximumSize: "\(VODLibrary.maximumUploadByteCount)",
                Field.checksumAlgorithm: UploadChecksum.Algorithm.allCases.map(\.rawValue).joined(separator: ","),
            ])
    }

    /// Checks `Tus-Resumable` and adds the headers common to all responses except those to OPTIONS.
    private static func tus(
        _ request: Request, _ body: () async throws -> Response
    ) async throws -> Response {
        var response: Response
        do {
            guard request.headers[Field.resumable] == version else {
                throw ProblemDetails(.preconditionFailed, "send the header Tus-Resumable: \(version)")
            }
            response = try await body()
        } catch let problem as ProblemDetails {
            response = problem.response(instance: request.uri.path)
            if problem.status == .preconditionFailed { response.headers[Field.version] = version }
        } catch let error as UploadError {
            response = ProblemDetails(error).response(instance: request.uri.path)
        } catch let error as LibraryError {
            response = ProblemDetails(error).response(instance: request.uri.path)
        } catch let error as Refusal {
            response = ProblemDetails(error).response(instance: request.uri.path)
        }
        response.headers[Field.resumable] = version
        response.headers[.cacheControl] = "no-store"
        return response
    }

    // MARK: Requests

    private func create(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard request.headers[Field.deferLength] == nil else {
            throw ProblemDetails(.badRequest, "Upload-Defer-Length is not supported; send Upload-Length")
        }
        guard let length = Self.number(Field.length, in: request), length > 0 else {
            throw ProblemDetails(.badRequest, "Upload-Length must be a number of bytes, at least 1")
        }
        let metadata = try Self.metadata(request.headers[Field.metadata] ?? "")
        guard let name = metadata["filename"] ?? metadata["name"] else {
            throw ProblemDetails(.badRequest, "Upload-Metadata must have a \"filename\"")
        }
        let (id, upload) = try await target.create(
            name: name, type: metadata["filetype"], byteCount: length, context)
        var headers: HTTPFields = [.location: "\(target.operations.path)/\(id)"]
        headers[Field.expires] = HTTPDate.header(WallClockTime(upload.expiresAt))
        if request.headers[.contentType] == Self.mediaType {
            ExpectedUpload.begin()
            let (offset, item) = try await library.append(
                request.body, toUpload: upload.id, offset: 0, checksum: Self.checksum(request))
            headers[Field.offset] = "\(offset)"
            headers[.contentLocation] = item.map { target.location(of: $0, id: id) }
        }
        return Response(status: .created, headers: headers)
    }

    private func status(_ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let (name, upload, offset) = try await target.upload(id, context)
        var headers: HTTPFields = [
            Field.offset: "\(offset)", Field.length: "\(upload.byteCount)",
            Field.expires: HTTPDate.header(WallClockTime(upload.expiresAt)),
            Field.metadata: "filename \(Data(name.utf8).base64EncodedString())",
        ]
        if upload.isFinished { headers[.contentLocation] = target.location(of: upload, id: id) }
        return Response(status: .ok, headers: headers)
    }

    private func append(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let id = try context.parameters.require("id")
        let receiver = try await target.upload(id, context).upload.id
        guard request.headers[.contentType] == Self.mediaType else {
            throw ProblemDetails(.unsupportedMediaType, "send the bytes as \(Self.mediaType)")
        }
        guard let offset = Self.number(Field.offset, in: request) else {
            throw ProblemDetails(.badRequest, "Upload-Offset must be a number of bytes")
        }
        ExpectedUpload.begin()
        let (end, item) = try await library.append(
            request.body, toUpload: receiver, offset: offset, checksum: Self.checksum(request))
        var headers: HTTPFields = [Field.offset: "\(end)"]
        if let upload = try await library.upload(id: receiver)?.upload {
            headers[Field.expires] = HTTPDate.header(WallClockTime(upload.expiresAt))
        }
        headers[.contentLocation] = item.map { target.location(of: $0, id: id) }
        return Response(status: .noContent, headers: headers)
    }

    private func delete(_ context: GatewayRequestContext) async throws -> Response {
        try await target.delete(try context.parameters.require("id"), context)
        return Response(status: .noContent)
    }

    // MARK: Values

    private static func number(_ field: HTTPField.Name, in request: Request) -> Int64? {
        guard let text = request.headers[field], !text.isEmpty, text.allSatisfy({ $0.isASCII && $0.isNumber }) else {
            return nil
        }
        return Int64(text)
    }

    /// Parses `Upload-Metadata`, such as `filename d29ybGQ=,is_confidential`: keys, each followed by an optional base64
    /// value.
    static func metadata(_ text: String) throws(ProblemDetails) -> [String: String] {
        guard text.utf8.count <= maximumMetadataByteCount else {
            throw ProblemDetails(.badRequest, "Upload-Metadata is limited to \(maximumMetadataByteCount) bytes")
        }
        var metadata: [String: String] = [:]
        for pair in text.split(separator: ",") {
            let parts = pair.split(separator: " ")
            guard let key = parts.first, parts.count <= 2 else { continue }
            guard let value = parts.count == 2 ? Data(base64Encoded: String(parts[1])) : Data() else {
                throw ProblemDetails(.badRequest, "Upload-Metadata: the value of \"\(key)\" is not base64")
            }
            metadata[String(key)] = String(decoding: value, as: UTF8.self)
        }
        return metadata
    }

    /// Parses `Upload-Checksum`, such as `sha1 Kq5sNclPz7QV2+lfQIuc6R7oRu0=`; `nil` if there is none.
    private static func checksum(_ request: Request) throws(ProblemDetails) -> UploadChecksum? {
        guard let text = request.headers[Field.checksum] else { return nil }
        let parts = text.split(separator: " ")
        guard parts.count == 2, let algorithm = UploadChecksum.Algorithm(rawValue: parts[0].lowercased()),
            let digest = Data(base64Encoded: String(parts[1]))
        else {
            throw ProblemDetails(
                .badRequest, "Upload-Checksum must be sha1, sha256 or md5, a space, and the digest in base64")
        }
        return UploadChecksum(algorithm: algorithm, digest: Array(digest))
    }
}
