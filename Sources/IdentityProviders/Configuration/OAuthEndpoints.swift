/// The addresses and field names of a provider that speaks OAuth 2 only.
package struct OAuthEndpoints: Sendable, Hashable {
    /// Where the visitor's browser is sent.
    package var authorization: String
    /// Where a code is exchanged for a token.
    package var token: String
    /// Where the token's owner is described, as a JSON object.
    package var userInfo: String
    package var fields: OAuthFields

    package init(authorization: String, token: String, userInfo: String, fields: OAuthFields = OAuthFields()) {
        (self.authorization, self.token, self.userInfo, self.fields) = (authorization, token, userInfo, fields)
    }
}
