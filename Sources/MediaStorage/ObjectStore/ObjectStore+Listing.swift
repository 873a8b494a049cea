import MediaCore
import NIOCore
import NIOHTTP1
import XMLDocument

extension ObjectStore {
    package func list(prefix: String, after: String?, limit: Int) async throws -> [StoredObject] {
        precondition(limit > 0, "a list has at least one entry")
        var found: [StoredObject] = []
        var last = after.map { address.prefix + $0 }
        var token: String?
        while true {
            let page = try await page(prefix: prefix, after: last, token: token, count: limit - found.count)
            // Some stores ignore where a page begins, or how long it may be.
            let fresh = page.entries.filter { entry in
                last.map { $0.utf8.lexicographicallyPrecedes(entry.key.utf8) } ?? true
            }
            for entry in fresh.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
                last = entry.key
                // The bucket may hold keys of others, which cannot be used here.
                let key = String(decoding: entry.key.utf8.dropFirst(address.prefix.utf8.count), as: UTF8.self)
                guard entry.key.utf8.starts(with: (address.prefix + prefix).utf8), MediaKey.problem(with: key) == nil
                else { continue }
                found.append(StoredObject(key: key, byteCount: entry.byteCount, version: entry.version))
                if found.count == limit { return found }
            }
            guard page.isTruncated else { return found }
            guard !fresh.isEmpty else {
                throw MediaStorageError(
                    .malformedAnswer, "the store's list does not end", operation: "list", key: prefix)
            }
            token = page.token
        }
    }

    /// A page of a list.
    private struct Page {
        var entries: [(key: String, byteCount: Int64, version: String)]
        var isTruncated: Bool
        /// The beginning of the next page, in the words of the store.
        var token: String?
    }

    private func page(prefix: String, after: String?, token: String?, count: Int) async throws -> Page {
        var query = [
            (name: "list-type", value: "2"), ("max-keys", "\(min(count, settings.listPageCount))"),
            ("prefix", address.prefix + prefix),
        ]
        if let token {
            query.append(("continuation-token", token))
        } else if let after {
            query.append(("start-after", after))
        }
        let path = address.bucketPath.isEmpty ? "/" : address.bucketPath
        let request = StoreRequest(operation: "list", key: prefix, method: .GET, path: path, query: query)
        return try await perform(request) { response in
            let root = try XMLReader.read(try await self.answer(response).readableBytesView)
            guard root.name == "ListBucketResult" else {
                throw MediaStorageError(.malformedAnswer, "the store answers to a list with `\(root.name)`")
            }
            let entries = try root.children(named: "Contents").map { entry in
                guard let key = entry["Key"], let size = entry["Size"].flatMap({ Int64(digits: $0[...]) }),
                    let version = entry["ETag"].flatMap(ETag.unquoted)
                else {
                    throw MediaStorageError(.malformedAnswer, "an entry of the store's list lacks Key, Size or ETag")
                }
                return (key: key, byteCount: size, version: version)
            }
            return Page(
                entries: entries, isTruncated: root["IsTruncated"] == "true",
                token: root["NextContinuationToken"].flatMap { $0.isEmpty ? nil : $0 })
        }
    }

    package func delete(_ key: String) async throws {
        let request = StoreRequest(operation: "delete", key: key, method: .DELETE, path: try path(of: key))
        do {
            try await perform(request) { _ = try await self.answer($0) }
        } catch let error as MediaStorageError where error.code == .notFound && error.storeCode != "NoSuchBucket" {
            // It is gone, which is what the caller wants.
        }
    }
}
