package import JSONDocument

/// Roles that a provider decides by a claim, such as the groups that somebody is in.
package struct RoleMapping: Sendable, Hashable {
    /// The claim; a dot leads into an object, as in `realm_access.roles`.
    package var claim: String
    /// Names of roles, keyed by the values of the claim.
    package var roles: [String: String]

    package init(claim: String, roles: [String: String]) { (self.claim, self.roles) = (claim, roles) }

    /// Limit of the values of a claim that are looked at.
    private static let maximumValueCount = 1_000

    /// The names of the roles that somebody has by the claim, a text or a list of texts.
    package func roles(in claims: JSONNode) -> [String] {
        guard let node = claims.field(at: claim) else { return [] }
        let values =
            node.string.map { [$0] } ?? (node.elements ?? []).prefix(Self.maximumValueCount).compactMap(\.string)
        return values.compactMap { roles[$0] }
    }
}

extension JSONNode {
    /// The field at a path; the name as a whole comes first, because claims may be URLs with dots.
    func field(at path: String) -> JSONNode? {
        if let field = self[path] { return field }
        var node = self
        for name in path.split(separator: ".") {
            guard let next = node[String(name)] else { return nil }
            node = next
        }
        return node
    }

    /// A text, or a whole number as text: some providers count their users.
    var identifier: String? { string ?? integer.map(String.init) }
}
