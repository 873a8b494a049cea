/// A service with which people log in, such as a school's own or a social network's.
package struct IdentityProvider: Sendable, Hashable {
    /// How the provider is spoken to.
    package enum Kind: Sendable, Hashable {
        /// OpenID Connect. Everything else is in the provider's discovery document (OpenID Connect Discovery 1.0 §4).
        case openID(issuer: String)
        /// OAuth 2 without identity tokens (RFC 6749): who somebody is comes from an address of the provider's API.
        case oauth(OAuthEndpoints)
    }

    /// The name in addresses, and in the database beside the identities of the provider.
    package var id: String
    /// The name on the site's buttons.
    package var name: String
    package var kind: Kind
    package var clientID: String
    /// `nil` for a client without one, which PKCE alone protects (RFC 7636).
    package var secret: ClientSecret?
    package var scopes: [String]
    /// The roles that the provider decides; `nil` if it decides none.
    package var roles: RoleMapping?

    /// Limit of ``id``, a part of addresses.
    package static let maximumIDByteCount = 32
    /// Limit of the providers of a server: a page has a button for each.
    package static let maximumCount = 16

    package init(
        id: String, name: String, kind: Kind, clientID: String, secret: ClientSecret? = nil, scopes: [String]? = nil,
        roles: RoleMapping? = nil
    ) {
        (self.id, self.name, self.kind, self.clientID) = (id, name, kind, clientID)
        (self.secret, self.roles) = (secret, roles)
        switch kind {
        case .openID: self.scopes = scopes ?? ["openid", "profile", "email"]
        case .oauth: self.scopes = scopes ?? []
        }
        if case .openID = kind, !self.scopes.contains("openid") { self.scopes.insert("openid", at: 0) }
    }
}
