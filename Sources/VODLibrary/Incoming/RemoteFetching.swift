package import NIOCore

/// Fetches a file from elsewhere: by HTTP in the server, from memory in tests.
package protocol RemoteFetching: Sendable {
    /// Makes one attempt. The fetcher checks where the address, and its redirects, may lead.
    ///
    /// - Parameters:
    ///   - offset: the number of bytes that are already there and are not requested again; 0 for the whole file.
    ///   - validator: the validator of these bytes; they must not be continued with bytes of another version.
    ///   - receive: called once, with the response.
    /// - Throws: ``LibraryError`` if another attempt would fail as well; after any other error, another attempt may be
    ///   made.
    func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws
}

/// The beginning of a response, and its bytes.
package struct RemoteResponse: Sendable {
    /// Position in the file at which the bytes begin: the requested offset, or 0.
    package var offset: Int64
    /// Size of the whole file in bytes; `nil` if it is not known.
    package var byteCount: Int64?
    /// An ETag or a date that tells versions of the file apart; `nil` if there is none.
    package var validator: String?
    /// The origin's name for the file.
    package var name: String
    package var bytes: any AsyncSequence<ByteBuffer, any Error> & Sendable

    package init(
        offset: Int64, byteCount: Int64?, validator: String?, name: String,
        bytes: any AsyncSequence<ByteBuffer, any Error> & Sendable
    ) {
        self.offset = offset
        self.byteCount = byteCount
        self.validator = validator
        self.name = name
        self.bytes = bytes
    }
}
