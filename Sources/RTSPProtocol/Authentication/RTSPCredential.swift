/// Stored credentials of a user, which suffice to check Basic and Digest but not to read the password.
///
/// The hashes are still sensitive: with them, anybody can answer a Digest challenge of this realm.
package struct RTSPCredential: Hashable, Sendable, CustomStringConvertible {
    package var username: String
    package var realm: String
    /// HA1 of RFC 7616 §3.4.2, MD5(username:realm:password), in lower-case hexadecimal.
    package var md5: String
    /// HA1 with SHA-256, in lower-case hexadecimal.
    package var sha256: String

    /// Creates credentials from stored hashes, in hexadecimal of either case.
    package init(username: String, realm: String, md5: String, sha256: String) {
        self.username = username
        self.realm = realm
        self.md5 = md5.lowercased()
        self.sha256 = sha256.lowercased()
    }

    /// Creates credentials by hashing a password, which is not kept.
    package init(username: String, realm: String, password: String) {
        self.init(
            username: username, realm: realm, md5: DigestAlgorithm.md5.digest(username, realm, password),
            sha256: DigestAlgorithm.sha256.digest(username, realm, password))
    }

    func ha1(_ algorithm: DigestAlgorithm) -> String {
        switch algorithm {
        case .md5: md5
        case .sha256: sha256
        }
    }

    /// A description for logs, without the hashes.
    package var description: String { "\(username)@\(realm)" }
}
