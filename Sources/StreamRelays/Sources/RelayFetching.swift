package import NIOCore

/// Fetches files of a stream by HTTP.
package protocol RelayFetching: Sendable {
    /// Fetches a file, in a bounded time.
    ///
    /// - Parameters:
    ///   - url: its address.
    ///   - username: the login; `nil` for none.
    ///   - password: its password.
    ///   - maximumByteCount: limit of its size.
    /// - Throws: an error whose description says why not.
    func fetch(_ url: String, username: String?, password: String?, maximumByteCount: Int) async throws -> ByteBuffer
}
