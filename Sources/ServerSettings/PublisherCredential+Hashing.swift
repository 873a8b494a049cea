import Crypto
import Foundation
import JSONDocument
package import LiveChannels
import MediaCore

extension PublisherCredential {
    /// Hashes a user name and a password to A1 (RFC 7616 §3.4.2).
    package init(username: String, password: String) {
        let text = Data("\(username):\(Self.realm):\(password)".utf8)
        self.init(
            username: username, md5: Insecure.MD5.hash(data: text).hexadecimalDigits,
            sha256: SHA256.hash(data: text).hexadecimalDigits)
    }
}

extension ChannelsFile {
    /// An entry for a channel's `publishers` that contains hashes instead of the password.
    ///
    /// - Throws: ``SettingError`` if the schema does not allow the user name or the password; the error does not
    ///   contain the password.
    package static func publisherEntry(user: String, password: String) throws(SettingError) -> String {
        guard let rules = try? JSONSchema(JSONParser.parse(schemaText)) else {
            throw SettingError(setting: "user", value: user, message: "cannot be checked")
        }
        let position = TextPosition(line: 1, column: 1)
        for (field, text) in [("user", user), ("password", password)] {
            guard let issue = rules.validate(JSONNode(.string(text), at: position), definition: field).first else {
                continue
            }
            throw SettingError(setting: field, value: field == "user" ? user : "…", message: issue.message)
        }
        let credential = PublisherCredential(username: user, password: password)
        return JSONText.object([
            ("user", .string(credential.username)), ("md5", .string(credential.md5)),
            ("sha256", .string(credential.sha256)),
        ]).rendered
    }
}
