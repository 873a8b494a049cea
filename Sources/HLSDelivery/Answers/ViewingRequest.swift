package import HTTPTypes
package import NIOCore

/// A request to watch something that is not for everyone, for those who decide about it.
package struct ViewingRequest: Sendable {
    package var address: MediaAddress
    /// The header of the request.
    package var fields: HTTPFields
    /// The path as it was requested, with its query.
    package var target: String
    /// The address of the connection; `nil` in tests without sockets.
    package var peer: SocketAddress?

    package init(_ address: MediaAddress, fields: HTTPFields, target: String, peer: SocketAddress?) {
        (self.address, self.fields, self.target, self.peer) = (address, fields, target, peer)
    }

    /// The query parameters that show who may watch. They are not repeated in the address to which a player is led.
    static let credentialParameters = Set(DeliveryDirectives.signatureParameters + ["jwt"])

    /// The query without the question mark; empty if there is none.
    package var query: Substring {
        target.firstIndex(of: "?").map { target[$0...].dropFirst() } ?? ""
    }
}
