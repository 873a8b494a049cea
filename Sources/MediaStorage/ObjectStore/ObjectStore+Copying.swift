import AsyncHTTPClient
import MediaCore
import NIOCore
import NIOHTTP1
import XMLDocument

extension ObjectStore {
    package func copy(_ key: String, to other: String) async throws {
        _ = (try path(of: key), try path(of: other))
        guard key != other else { return }
        guard let object = try await head(key) else {
            throw MediaStorageError(.notFound, "there is no such object", operation: "copy", key: key)
        }
        if object.byteCount > settings.maximumCopyByteCount {
            try await copyParts(of: object, to: other)
        } else {
            try await copyWhole(object, to: other)
        }
        guard let copied = try await head(other), copied.byteCount == object.byteCount else {
            throw MediaStorageError(
                .corrupted, "the store's copy `\(other)` has another size", operation: "copy", key: key)
        }
    }

    /// - Parameter range: The part that is copied; `nil` for the whole object.
    private func copyRequest(
        _ object: StoredObject, to other: String, range: Range<Int64>? = nil
    ) throws -> StoreRequest {
        var request = StoreRequest(operation: "copy", key: object.key, method: .PUT, path: try path(of: other))
        let source = URIEncoding.encoded("\(address.bucket)/\(address.prefix)\(object.key)", keepsSlashes: true)
        request.headers = [("x-amz-copy-source", "/\(source)")]
        if let condition = ETag.condition(object.version) {
            request.headers.append(("x-amz-copy-source-if-match", condition))
        }
        if let range {
            request.headers.append(("x-amz-copy-source-range", "bytes=\(range.lowerBound)-\(range.upperBound - 1)"))
        }
        request.joinsObjects = true
        return request
    }

    private func copyWhole(_ object: StoredObject, to other: String) async throws {
        // Content type and metadata are copied unless a request says otherwise.
        _ = try await copied(try copyRequest(object, to: other), result: "CopyObjectResult")
    }

    private func copied(_ request: StoreRequest, result: String) async throws -> String {
        try await perform(request) { response in
            let root = try XMLReader.read(try await self.answer(response, joinsObjects: true).readableBytesView)
            try self.checkSuccess(root, response, expected: result)
            guard let tag = root["ETag"].flatMap(ETag.unquoted) else {
                throw MediaStorageError(.malformedAnswer, "the store's answer to a copy lacks an ETag")
            }
            return tag
        }
    }

    private func copyParts(of object: StoredObject, to other: String) async throws {
        let (size, total) = (settings.copyPartByteCount, object.byteCount)
        let contentType = try await contentType(of: object.key)
        let upload = try await beginUpload(other, contentType, object.sha256)
        do {
            let tags = try await sendParts(Int((total + size - 1) / size)) { number in
                let start = Int64(number - 1) * size
                var request = try self.copyRequest(object, to: other, range: start..<min(total, start + size))
                request.query = [("partNumber", "\(number)"), ("uploadId", upload.id)]
                return try await self.copied(request, result: "CopyPartResult")
            }
            _ = try await complete(upload, tags, byteCount: total, sha256: object.sha256)
        } catch {
            await abort(upload)
            throw error
        }
    }

    private func contentType(of key: String) async throws -> String {
        let request = StoreRequest(operation: "copy", key: key, method: .HEAD, path: try path(of: key))
        let given = try await perform(request) { response in
            _ = try await self.answer(response)
            return response.headers.first(name: "Content-Type")
        }
        return given ?? "application/octet-stream"
    }
}
