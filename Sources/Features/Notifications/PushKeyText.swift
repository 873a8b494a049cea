/// The public key for browsers that want push messages.
package struct PushKeyText: Sendable {
    let text: String

    /// - Parameter text: the key in base64 for URLs.
    package init(text: String) { self.text = text }
}
