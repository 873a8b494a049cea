/// The addresses and field names of a provider that speaks OAuth 2 only.
package struct OAuthEndpoints: Sendable, Hashable {
    /// The address to which the visitor's browser is sent.
    package var authorization: String
    /// The address that exchanges a code for a token.
    package var token: String
    /// The address that describes the token's owner, as a JSON object.
    package var userInfo: String
    package var fields: OAuthFields

    package init(authorization: String, token: String, userInfo: String, fields: OAuthFields = OAuthFields()) {
        (self.authorization, self.token, self.userInfo, self.fields) = (authorization, token, userInfo, fields)
    }
}
