import JSONDocument

/// A provider's description of itself (OpenID Connect Discovery 1.0 §3).
struct DiscoveryDocument: Sendable, Hashable {
    var issuer: String
    var authorization: String
    var token: String
    var userInfo: String?
    var keySet: String
    /// Whether the client may show its secret in a header, and in the form (OpenID Connect Core 1.0 §9).
    var takesSecretInHeader, takesSecretInForm: Bool
    /// Whether answers name the issuer (RFC 9207).
    var namesIssuerInAnswers: Bool

    /// The address of the document.
    static func address(of issuer: String) -> String {
        (issuer.hasSuffix("/") ? String(issuer.dropLast()) : issuer) + "/.well-known/openid-configuration"
    }

    /// - Throws: ``ProviderError`` if the document is of another issuer, or names an address that cannot be used.
    init(_ bytes: [UInt8], issuer: String) throws(ProviderError) {
        guard let node = try? JSONParser.parse(bytes), let named = node["issuer"]?.string else {
            throw ProviderError(.notAvailable, "its discovery document is not valid")
        }
        // OpenID Connect Discovery 1.0 §4.3: otherwise one provider could speak for another.
        guard named == issuer else {
            throw ProviderError(.notAvailable, "its discovery document belongs to the issuer \(named.prefix(200))")
        }
        func address(_ name: String) throws(ProviderError) -> String? {
            guard let text = node[name]?.string else { return nil }
            guard ProviderAddress.isUsable(text) else {
                throw ProviderError(.notAvailable, "its \(name) is not an https address")
            }
            return text
        }
        guard let authorization = try address("authorization_endpoint"), let token = try address("token_endpoint"),
            let keySet = try address("jwks_uri")
        else { throw ProviderError(.notAvailable, "its discovery document lacks an address") }
        (self.issuer, self.authorization, self.token, self.keySet) = (issuer, authorization, token, keySet)
        userInfo = try address("userinfo_endpoint")
        let methods = (node["token_endpoint_auth_methods_supported"]?.elements ?? []).compactMap(\.string)
        // Discovery 1.0 §3: a document that names none means the header.
        takesSecretInHeader = methods.isEmpty || methods.contains("client_secret_basic")
        takesSecretInForm = methods.contains("client_secret_post")
        namesIssuerInAnswers = node["authorization_response_iss_parameter_supported"]?.boolean ?? false
    }
}
