/// The server as authenticators know it: a domain, and the origins of its pages.
package struct RelyingParty: Sendable, Hashable {
    /// A domain, such as `tv.example.org`. It is part of every passkey and cannot be changed later.
    package var id: String
    /// The name that authenticators show.
    package var name: String
    /// Origins, such as `https://tv.example.org`.
    package var origins: Set<String>

    package init(id: String, name: String, origins: Set<String>) {
        (self.id, self.name, self.origins) = (id, name, origins)
    }
}
