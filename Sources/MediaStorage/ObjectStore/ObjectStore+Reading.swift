import AsyncHTTPClient
import MediaCore
package import NIOCore
import NIOHTTP1
import OutgoingHTTP

extension ObjectStore {
    package func read(
        _ key: String, range: Range<Int64>, version: String?, _ body: (ByteBuffer) async throws -> Void
    ) async throws {
        let path = try path(of: key)
        guard range.lowerBound >= 0 else {
            throw MediaStorageError(.invalidRequest, "the range begins before the object", operation: "read", key: key)
        }
        var progress = ReadProgress(range: range, version: version)
        var retries = Retries(store: self, operation: "read", key: key, policy: settings.readRetries)
        while !progress.isComplete {
            let start = progress.position
            do {
                try await readRest(of: &progress, key: key, path: path, body)
            } catch let failure as ConsumerFailure {
                throw failure.error
            } catch {
                // A store that sends a byte now and then for each try would be asked for ever.
                if progress.position > start, !progress.isTooSlow { retries.reset() }
                try await retries.wait(after: error)
            }
        }
    }

    /// Reads from the first byte that is missing, once.
    private func readRest(
        of progress: inout ReadProgress, key: String, path: String, _ body: (ByteBuffer) async throws -> Void
    ) async throws {
        let request = StoreRequest(
            operation: "read", key: key, method: .GET, path: path, headers: progress.headers)
        var updated = progress
        defer { progress = updated }
        try await attempt(request) { response in
            try updated.begin(status: Int(response.status.code), response.headers)
            var pieces = PacedBody(response, pace: settings.pace).makeAsyncIterator()
            updated.isTooSlow = false
            while let piece = try await Self.next(&pieces, &updated) {
                let wanted = try updated.accept(piece)
                count { $0.receivedByteCount += Int64(wanted.readableBytes) }
                do {
                    try await body(wanted)
                } catch {
                    throw ConsumerFailure(error: error)
                }
            }
            try updated.checkEnd()
        }
    }

    private static func next(
        _ pieces: inout PacedBody.Iterator, _ progress: inout ReadProgress
    ) async throws -> ByteBuffer? {
        do {
            return try await pieces.next()
        } catch let error as ExchangeTimeout {
            progress.isTooSlow = true
            throw error
        }
    }

    package func head(_ key: String) async throws -> StoredObject? {
        let request = StoreRequest(operation: "look up", key: key, method: .HEAD, path: try path(of: key))
        do {
            return try await perform(request) { response in
                _ = try await self.answer(response)
                return try Self.object(key, response.headers)
            }
        } catch let error as MediaStorageError where error.code == .notFound {
            return nil
        }
    }

    /// The object that an answer to HEAD describes.
    private static func object(_ key: String, _ headers: HTTPHeaders) throws -> StoredObject {
        guard let byteCount = headers.first(name: "Content-Length").flatMap({ Int64(digits: $0[...]) }),
            let version = version(in: headers)
        else { throw MediaStorageError(.malformedAnswer, "the store's answer lacks Content-Length or ETag") }
        let sha256 = headers.first(name: sha256Header).flatMap { isSHA256($0) ? $0 : nil }
        return StoredObject(key: key, byteCount: byteCount, version: version, sha256: sha256)
    }

    /// Metadata of an object: the SHA-256 of its content in hexadecimal digits.
    static let sha256Header = "x-amz-meta-sha256"

    private static func isSHA256(_ text: String) -> Bool {
        text.utf8.count == 64
            && text.utf8.allSatisfy {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            }
    }

    /// The ETag without quotes; a weak one keeps its `W/`.
    static func version(in headers: HTTPHeaders) -> String? {
        headers.first(name: "ETag").flatMap { ETag.unquoted($0) }
    }
}
