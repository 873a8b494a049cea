package import NIOCore

/// Gets a file from elsewhere; by HTTP in the server, from memory in tests.
package protocol RemoteFetching: Sendable {
    /// Asks once. What the address leads to, and where it may lead, is the fetcher's to check.
    ///
    /// - Parameters:
    ///   - offset: what is there already, and not wanted again; 0 for all.
    ///   - validator: of what is there: it must not be continued with bytes of another version.
    ///   - receive: called once, with the answer.
    /// - Throws: ``LibraryError`` for what another attempt does not change; anything else may be tried again.
    func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws
}

/// The beginning of an answer, and its bytes.
package struct RemoteResponse: Sendable {
    /// Where in the file the bytes begin: what was asked for, or 0.
    package var offset: Int64
    /// Of the whole file, where it is known.
    package var byteCount: Int64?
    /// An ETag or a date that tells versions of the file apart.
    package var validator: String?
    /// As the origin calls the file.
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
