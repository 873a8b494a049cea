import Accounts
import Foundation
package import IdentityProviders
package import JSONDocument

extension IdentityProvider {
    /// Reads `accounts.providers` of a `channels.json` that has passed all checks. Blocks: it reads the files with
    /// secrets.
    package static func all(in document: JSONNode) -> [IdentityProvider] {
        (document["accounts"]?["providers"]?.elements ?? []).compactMap(IdentityProvider.init)
    }

    private init?(_ node: JSONNode) {
        guard let id = node["id"]?.string, let clientID = node["clientID"]?.string, let kind = Self.kind(node) else {
            return nil
        }
        var roles: RoleMapping?
        if let mapping = node["roles"], let claim = mapping["claim"]?.string {
            let values = (mapping["values"]?.members ?? []).compactMap { member in
                member.value.string.map { (member.name, $0) }
            }
            roles = RoleMapping(claim: claim, roles: Dictionary(values) { first, _ in first })
        }
        self.init(
            id: id, name: node["name"]?.string ?? id, kind: kind, clientID: clientID,
            secret: node["secretFile"]?.string.flatMap(Self.secret),
            scopes: node["scopes"]?.elements?.compactMap(\.string), roles: roles)
    }

    private static func kind(_ node: JSONNode) -> Kind? {
        if let issuer = node["issuer"]?.string { return .openID(issuer: issuer) }
        guard let oauth = node["oauth"], let authorization = oauth["authorizationURL"]?.string,
            let token = oauth["tokenURL"]?.string, let userInfo = oauth["userInfoURL"]?.string
        else { return nil }
        var fields = OAuthFields()
        let names = oauth["fields"]
        if let name = names?["id"]?.string { fields.subject = name }
        if let name = names?["username"]?.string { fields.username = name }
        if let name = names?["email"]?.string { fields.email = name }
        if let name = names?["name"]?.string { fields.name = name }
        fields.emailVerified = names?["emailVerified"]?.string
        return .oauth(
            OAuthEndpoints(authorization: authorization, token: token, userInfo: userInfo, fields: fields))
    }

    private static func secret(inFile path: String) -> ClientSecret? {
        guard let file = FileHandle(forReadingAtPath: path),
            let data = try? file.read(upToCount: ClientSecret.maximumByteCount + 2)
        else { return nil }
        return ClientSecret(String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines))
    }

    // MARK: Rules beyond the schema

    /// Notes what is wrong with `accounts.providers`. Blocks.
    package static func check(_ document: JSONNode, _ issues: inout [JSONIssue]) {
        var ids: Set<String> = []
        for (index, node) in (document["accounts"]?["providers"]?.elements ?? []).enumerated() {
            let field = "accounts.providers[\(index)]"
            if let id = node["id"], let text = id.string, !ids.insert(text).inserted {
                issues.append(at: id, "\(field).id", "\(id.summary) is taken by a provider above")
            }
            if (node["issuer"] == nil) == (node["oauth"] == nil) {
                issues.append(
                    at: node, field, "a provider needs either \"issuer\" (OpenID Connect) or \"oauth\" (OAuth 2)")
            }
            let oauth = node["oauth"]
            for (name, address) in [
                ("issuer", node["issuer"]), ("oauth.authorizationURL", oauth?["authorizationURL"]),
                ("oauth.tokenURL", oauth?["tokenURL"]), ("oauth.userInfoURL", oauth?["userInfoURL"]),
            ] {
                guard let address, let text = address.string, !ProviderAddress.isUsable(text) else { continue }
                issues.append(
                    at: address, "\(field).\(name)",
                    "\(address.summary) must be an https address; http is allowed for this machine only")
            }
            if let file = node["secretFile"], let path = file.string, secret(inFile: path) == nil {
                issues.append(
                    at: file, "\(field).secretFile",
                    "\(file.summary) cannot be read, or holds no secret; name a file with the secret of the provider")
            }
            for member in node["roles"]?["values"]?.members ?? [] {
                guard let name = member.value.string, Role(rawValue: name) == nil else { continue }
                issues.append(
                    at: member.value, "\(field).roles.values",
                    "\(member.value.summary) is not a role; the roles are \(Role.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
        }
    }
}
