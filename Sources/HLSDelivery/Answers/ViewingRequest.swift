package import HTTPTypes
package import NIOCore

/// A request to watch something that is not for everyone, for those who decide about it.
package struct ViewingRequest: Sendable {
    package var address: MediaAddress
    /// The header of the request.
    package var fields: HTTPFields
    /// The query as it was requested, without the question mark; empty if there is none. What the path says is in
    /// ``address``, so that nobody reads it again.
    package var query: Substring
    /// The address of the connection; `nil` in tests without sockets.
    package var peer: SocketAddress?

    /// - Parameters:
    ///   - address: the media.
    ///   - fields: the header of the request.
    ///   - target: the path with its query, as it was requested.
    ///   - peer: the address of the connection; `nil` in tests without sockets.
    package init(_ address: MediaAddress, fields: HTTPFields, target: String, peer: SocketAddress?) {
        (self.address, self.fields, self.peer) = (address, fields, peer)
        query = Self.query(of: target)
    }

    /// The query of a target without the question mark; empty if there is none.
    static func query(of target: String) -> Substring {
        target.utf8.firstIndex(of: UInt8(ascii: "?")).map { target[$0...].dropFirst() } ?? ""
    }

    /// The query parameters that show who may watch. They are not repeated in the address to which a player is led.
    static let credentialParameters = Set(DeliveryDirectives.signatureParameters + ["jwt"])
}
