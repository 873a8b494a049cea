package import NIOCore

/// A place for media bytes, addressed by keys such as `movies/film-1a2b.mp4`.
///
/// Every call throws ``MediaStorageError``, or `CancellationError` if its task is cancelled. All calls may run at the
/// same time. A key is checked before it is used (``MediaKey``).
package protocol MediaStore: Sendable {
    /// Stores a file under a key and replaces the object that has the key.
    ///
    /// When the call returns, the store has confirmed the size and a checksum of every piece, and the object is
    /// durable. When it throws, the former object is still there, or the new one is complete.
    ///
    /// - Parameters:
    ///   - path: A local file. It must not change during the call; if it does, the call throws.
    ///   - key: The object's key.
    ///   - contentType: A media type, such as `video/mp4`.
    /// - Returns: The new object, with its SHA-256.
    func put(fileAt path: String, as key: String, contentType: String) async throws -> StoredObject

    /// Reads a part of an object.
    ///
    /// - Parameters:
    ///   - key: The object's key.
    ///   - range: Byte offsets, which lie within the object. Nothing is read for an empty range.
    ///   - version: The version that is expected (``StoredObject/version``); the call throws
    ///     ``MediaStorageError/Code/changed`` if the object has another one. `nil` for any version.
    ///   - body: Gets the bytes in order, in pieces. The next piece is requested when it returns. The pieces add up to
    ///     the range, or the call throws.
    func read(
        _ key: String, range: Range<Int64>, version: String?, _ body: (ByteBuffer) async throws -> Void
    ) async throws

    /// Describes an object; `nil` if there is none with the key.
    func head(_ key: String) async throws -> StoredObject?

    /// Lists objects in the order of their keys' UTF-8 bytes.
    ///
    /// - Parameters:
    ///   - prefix: The start of the keys; it may end within a name. Empty for all objects.
    ///   - after: The last key of the former page; `nil` for the first page.
    ///   - limit: The greatest number of objects, at least 1.
    /// - Returns: The next objects, without their SHA-256; fewer than `limit` if these are the last ones.
    func list(prefix: String, after: String?, limit: Int) async throws -> [StoredObject]

    /// Deletes an object. Does nothing if there is none with the key.
    func delete(_ key: String) async throws

    /// Copies an object within the store and replaces the object that has the other key.
    func copy(_ key: String, to other: String) async throws

    /// Closes connections. No other call may be made afterwards.
    func shutDown() async
}

extension MediaStore {
    package func shutDown() async {}
}
