/// The command with which a peer begins.
package struct RTMPConnect: Sendable, Hashable {
    /// The application, such as `live`, with a query if the peer has sent one.
    package var application: String
    /// The address as the peer knows it; it may hold a password.
    package var address: String?
    /// The name of the program.
    package var program: String?
}
