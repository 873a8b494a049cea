/// A request to a push service (RFC 8030 §5).
package struct PushRequest: Sendable, Hashable {
    package var endpoint: String
    /// Name and value of each field of the header.
    package var fields: [Field]
    package var body: [UInt8]
    /// Whether it may go to an address in the network of the server, if the operator allows such addresses.
    package var mayReachPrivateAddresses: Bool

    package struct Field: Sendable, Hashable {
        package var name: String
        package var value: String
    }

    /// Time for a whole request.
    package static let timeLimit = Duration.seconds(10)
}
