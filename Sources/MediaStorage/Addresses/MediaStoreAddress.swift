import MediaCore

/// The place of a library's media.
package enum MediaStoreAddress: Sendable, Hashable, CustomStringConvertible {
    /// A folder, by its absolute path.
    case folder(String)
    /// A bucket of an S3-compatible object store.
    case objectStore(ObjectStoreAddress)

    /// Parses `file:///path`, an absolute path, or `s3://bucket/prefix?…` (``ObjectStoreAddress``).
    ///
    /// - Parameters:
    ///   - text: The address.
    ///   - environment: The environment variables, which may name the region.
    /// - Throws: ``MediaStorageError`` with `invalidAddress`.
    package init(parsing text: String, environment: [String: String]) throws {
        if text.hasPrefix("s3://") {
            self = .objectStore(try ObjectStoreAddress(parsing: text, environment: environment))
            return
        }
        var path = text[...]
        if text.hasPrefix("file://") {
            // RFC 8089 §2: the host is empty or localhost.
            let rest = text.dropFirst("file://".count)
            let local = rest.hasPrefix("localhost/") ? rest.dropFirst("localhost".count) : rest
            guard local.hasPrefix("/"), let decoded = local.removingPercentEncoding else {
                throw MediaStorageError(
                    .invalidAddress, "a file:// address must be followed by an absolute path, as in file:///srv/media")
            }
            path = decoded[...]
        }
        guard path.hasPrefix("/"), !path.utf8.contains(0) else {
            throw MediaStorageError(
                .invalidAddress,
                "the address of a media store must be an absolute path, or begin with file:/// or s3://")
        }
        let parts = path.split(separator: "/")
        guard !parts.contains("..") else {
            throw MediaStorageError(.invalidAddress, "the path of a media store must not contain `..`")
        }
        self = .folder("/" + parts.joined(separator: "/"))
    }

    package var description: String {
        switch self {
        case .folder(let path): path
        case .objectStore(let address): address.description
        }
    }
}
