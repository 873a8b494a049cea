/// A message as its sender's client sends it.
package struct NewMessage: Sendable, Hashable {
    /// The ID that the client has made. The same message is stored once, however often it is sent.
    package var clientID: String
    package var content: MessageContent

    package init(clientID: String, content: MessageContent) { (self.clientID, self.content) = (clientID, content) }
}
