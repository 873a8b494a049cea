/// EXT-X-SESSION-DATA (rfc8216bis §4.4.6.4) whose value is a JSON resource.
package struct SessionData: Sendable, Hashable {
    /// Identifier in reverse domain name notation.
    package var id: String
    package var uri: String

    package init(id: String, uri: String) {
        self.id = id
        self.uri = uri
    }
}
