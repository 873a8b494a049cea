package import NIOCore

/// Fetches images from addresses that somebody else has named, such as an identity provider.
package protocol PictureFetching: Sendable {
    /// The bytes of an image file.
    ///
    /// - Parameters:
    ///   - address: the address.
    ///   - origin: an address of the server that has named it and that the operator trusts, which may be in the network
    ///     of this server. Another server has to be a public one.
    ///   - maximumByteCount: limit of the file.
    /// - Throws: an error that says why it cannot be fetched.
    func picture(at address: String, namedBy origin: String, maximumByteCount: Int) async throws -> ByteBuffer
}
