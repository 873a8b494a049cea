import AsyncHTTPClient
import Foundation
import LogMetadata
import Logging
import MediaCore
import NIOCore
import NIOHTTP1
import XMLDocument

extension ObjectStore {
    package func put(fileAt path: String, as key: String, contentType: String) async throws -> StoredObject {
        _ = try self.path(of: key)
        let settings = settings
        let (file, digests) = try await digests(ofFileAt: path, key: key)
        guard digests.status.byteCount <= ObjectStoreSettings.maximumObjectByteCount else {
            throw MediaStorageError(
                .refused, "the file is larger than 5 TiB, the limit of object stores", operation: "put", key: key)
        }
        let version =
            digests.status.byteCount > settings.minimumPartByteCount
            ? try await putParts(file, digests, key, contentType)
            : try await putWhole(file, digests, key, contentType)
        let object = try await confirmed(key, digests, version: version)
        count { $0.sentByteCount += object.byteCount }
        return object
    }

    /// Opens the file and computes its checksums, which precede the first byte in every request.
    private func digests(ofFileAt path: String, key: String) async throws -> (LocalFile, FileDigests) {
        let settings = settings
        // A task's cancellation does not reach the threads.
        let isCancelled = CancellationFlag()
        do {
            return try await withTaskCancellationHandler {
                try await threads.blocking {
                    let file = try LocalFile(path)
                    let digests = try FileDigests(
                        of: file, partByteCount: settings.partByteCount, isCancelled: { isCancelled.isSet })
                    return (file, digests)
                }
            } onCancel: {
                isCancelled.set()
            }
        } catch var error as MediaStorageError {
            (error.code, error.operation, error.key) = (.localFile, "put", key)
            throw error
        }
    }

    /// Asks the store for the object and compares.
    private func confirmed(_ key: String, _ digests: FileDigests, version: String?) async throws -> StoredObject {
        guard var object = try await head(key) else {
            throw MediaStorageError(
                .corrupted, "the store does not have the object that it confirmed", operation: "put", key: key)
        }
        // Some stores name an object of several parts differently later on; every part has been confirmed by then.
        let isSame =
            object.sha256.map { $0 == digests.sha256 }
            ?? (version == nil || version == object.version || digests.parts.count > 1)
        guard object.byteCount == digests.status.byteCount, isSame else {
            throw MediaStorageError(
                .changed, "another object was put under the same key at the same time", operation: "put", key: key)
        }
        object.sha256 = digests.sha256
        return object
    }

    // MARK: One request

    /// - Returns: The object's version, if the store tells it.
    private func putWhole(
        _ file: LocalFile, _ digests: FileDigests, _ key: String, _ contentType: String
    ) async throws -> String? {
        let part = digests.parts[0]
        var request = try upload(of: part, file, "put", key)
        request.headers += Self.metadata(contentType, digests.sha256)
        return try await perform(request) { response in
            _ = try await self.answer(response)
            return try Self.checkedVersion(response.headers, part)
        }
    }

    private static func metadata(_ contentType: String, _ sha256: String?) -> [(name: String, value: String)] {
        [("content-type", contentType)] + (sha256.map { [(sha256Header, $0)] } ?? [])
    }

    private func upload(
        of part: FileDigests.Part, _ file: LocalFile, _ operation: String, _ key: String
    ) throws -> StoreRequest {
        var request = StoreRequest(operation: operation, key: key, method: .PUT, path: try path(of: key))
        request.headers = [("content-md5", Data(part.md5).base64EncodedString())]
        request.payloadHash = part.sha256
        if !part.range.isEmpty {
            request.body = .file(FilePieces(file: file, range: part.range, threads: threads))
        }
        return request
    }

    /// The version in the answer to an upload, compared with the MD5 of the sent bytes if it is an MD5.
    private static func checkedVersion(_ headers: HTTPHeaders, _ part: FileDigests.Part) throws -> String? {
        guard let version = version(in: headers) else { return nil }
        let isOfContent = encryptionHeaders.allSatisfy { name, values in
            headers.first(name: name).map { values?.contains($0) == false } ?? true
        }
        guard isOfContent, ETag.isMD5(version), version.lowercased() != part.md5.hexadecimalDigits else {
            return version
        }
        throw AttemptFailure(
            MediaStorageError(.corrupted, "the store received other bytes than were sent"), isRetryable: true)
    }

    /// Headers and values with which an ETag is not the MD5 of the content; `nil` for every value.
    private static let encryptionHeaders: [(name: String, values: [String]?)] = [
        ("x-amz-server-side-encryption", ["aws:kms", "aws:kms:dsse"]),
        ("x-amz-server-side-encryption-customer-algorithm", nil),
    ]

    // MARK: Several parts

    /// - Returns: The object's version, if the store tells it.
    private func putParts(
        _ file: LocalFile, _ digests: FileDigests, _ key: String, _ contentType: String
    ) async throws -> String? {
        let upload = try await beginUpload(key, contentType, digests.sha256)
        do {
            let tags = try await sendParts(digests.parts.count) { number in
                try await self.put(digests.parts[number - 1], number: number, of: file, upload)
            }
            return try await complete(upload, tags, byteCount: digests.status.byteCount, sha256: digests.sha256)
        } catch {
            await abort(upload)
            throw error
        }
    }

    private func put(
        _ part: FileDigests.Part, number: Int, of file: LocalFile, _ upload: MultipartUpload
    ) async throws -> String {
        var request = try self.upload(of: part, file, "put", upload.key)
        request.query = [("partNumber", "\(number)"), ("uploadId", upload.id)]
        return try await perform(request) { response in
            _ = try await self.answer(response)
            guard let tag = try Self.checkedVersion(response.headers, part) else {
                throw MediaStorageError(.malformedAnswer, "the store's answer to a part lacks an ETag")
            }
            return tag
        }
    }

    /// - Returns: The upload, which must be completed or aborted.
    func beginUpload(_ key: String, _ contentType: String?, _ sha256: String?) async throws -> MultipartUpload {
        var request = StoreRequest(
            operation: "put", key: key, method: .POST, path: try path(of: key), query: [("uploads", "")])
        if let contentType { request.headers = Self.metadata(contentType, sha256) }
        let id = try await perform(request) { response in
            let root = try XMLReader.read(try await self.answer(response).readableBytesView)
            // `rclone serve s3` leaves `Result` out.
            guard root.name.hasPrefix("InitiateMultipartUpload"), let id = root["UploadId"], !id.isEmpty else {
                throw MediaStorageError(.malformedAnswer, "the store's answer lacks the ID of the upload")
            }
            return id
        }
        return MultipartUpload(key: key, id: id)
    }

    /// Sends parts, a few at the same time.
    ///
    /// - Returns: The parts' ETags, in their order.
    func sendParts(
        _ count: Int, _ send: @escaping @Sendable (_ number: Int) async throws -> String
    ) async throws -> [String] {
        try await withThrowingTaskGroup(of: (Int, String).self) { group in
            var tags = [String](repeating: "", count: count)
            for number in 1...count {
                if number > settings.concurrentPartCount, let (finished, tag) = try await group.next() {
                    tags[finished - 1] = tag
                }
                group.addTask { (number, try await send(number)) }
            }
            for try await (finished, tag) in group { tags[finished - 1] = tag }
            return tags
        }
    }

    /// - Returns: The object's version, if the store tells it.
    func complete(_ upload: MultipartUpload, _ tags: [String], byteCount: Int64, sha256: String?) async throws
        -> String?
    {
        let body = ByteBuffer(string: MultipartUpload.completion(tags))
        var request = StoreRequest(
            operation: "put", key: upload.key, method: .POST, path: try path(of: upload.key),
            query: [("uploadId", upload.id)], headers: [("content-type", "application/xml")], body: .bytes(body))
        request.payloadHash = MultipartUpload.hash(body)
        request.joinsObjects = true
        do {
            return try await perform(request) { response in
                let root = try XMLReader.read(try await self.answer(response, joinsObjects: true).readableBytesView)
                try self.checkSuccess(root, response, expected: "CompleteMultipartUploadResult")
                return root["ETag"].flatMap(ETag.unquoted)
            }
        } catch let error as MediaStorageError where error.storeCode == "NoSuchUpload" {
            // The answer to the first try was lost.
            guard let object = try await head(upload.key), object.byteCount == byteCount, object.sha256 == sha256,
                sha256 != nil
            else { throw error }
            return object.version
        }
    }

    /// An answer with status 200 may hold an error, because the store begins to answer before it has finished.
    func checkSuccess(_ root: XMLElement, _ response: HTTPClientResponse, expected: String) throws {
        if root.name == "Error" {
            throw refusal(root, response).failure(at: address)
        }
        guard root.name == expected else {
            throw MediaStorageError(.malformedAnswer, "the store answers with `\(root.name)`")
        }
    }

    /// Deletes the parts of an upload that will not be completed. The caller's task may have been cancelled; the
    /// request needs one that is not, for which this call waits.
    func abort(_ upload: MultipartUpload) async {
        await Task {
            do {
                let request = StoreRequest(
                    operation: "abort", key: upload.key, method: .DELETE, path: try path(of: upload.key),
                    query: [("uploadId", upload.id)])
                try await perform(request, policy: .cleanup) { _ = try await self.answer($0) }
            } catch let error as MediaStorageError where error.code == .notFound {
                // It has been completed or aborted.
            } catch {
                logger.warning(
                    "multipart upload could not be aborted; its parts stay until the bucket's lifecycle removes them",
                    metadata: [.objectKey: "\(upload.key)", .error: "\(error)"])
            }
        }.value
    }
}
