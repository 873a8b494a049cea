/// Fetches a file from elsewhere: by HTTP in the server, from memory in tests.
package protocol RemoteImporting: Sendable {
    /// Makes one attempt. The fetcher checks where the address, and its redirects, may lead.
    ///
    /// - Parameters:
    ///   - url: the address of the file.
    ///   - offset: the number of bytes that are already there and are not requested again; 0 for the whole file.
    ///   - validator: the validator of these bytes; they must not be continued with bytes of another version.
    ///   - receive: called once, with the response.
    /// - Throws: `LibraryError` if another attempt would fail as well; after any other error, another attempt may be
    ///   made.
    func fetch(
        _ url: String, from offset: Int64, validator: String?,
        receive: @Sendable (RemoteResponse) async throws -> Void
    ) async throws
}
