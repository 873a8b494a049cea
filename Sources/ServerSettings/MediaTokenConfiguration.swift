/// The issuer of JSON Web Tokens for viewers, as configured by `antena serve`.
package struct MediaTokenConfiguration: Sendable, Hashable {
    /// The URL or the file of a JSON Web Key Set; `nil` for none.
    package var keys: String?
    /// The file of a secret for HS256; `nil` for none.
    package var secretFile: String?
    package var issuer: String?
    package var audience: String?

    /// Whether the key set is fetched, not read.
    package var areKeysRemote: Bool { keys?.contains("://") ?? false }

    /// - Returns: `nil` if no setting names keys.
    init?(_ sources: SettingSources) throws(SettingError) {
        keys = sources.value(of: .jwtKeys)?.text
        secretFile = sources.value(of: .jwtSecretFile)?.text
        issuer = sources.value(of: .jwtIssuer)?.text
        audience = sources.value(of: .jwtAudience)?.text
        guard keys != nil || secretFile != nil else {
            if let (text, setting) = sources.value(of: .jwtIssuer) ?? sources.value(of: .jwtAudience) {
                throw SettingError(
                    setting: setting, value: text, message: "needs --jwt-keys or --jwt-secret-file, too")
            }
            return nil
        }
        // Keys that somebody on the way can exchange would let anybody in.
        if let keys, areKeysRemote, !keys.hasPrefix("https://"), !Self.isLocal(keys) {
            throw SettingError(
                setting: ServerSetting.jwtKeys.flag, value: keys, message: "must be a file or an https URL")
        }
    }

    private static func isLocal(_ url: String) -> Bool {
        ["http://127.0.0.1", "http://localhost", "http://[::1]"].contains { prefix in
            url.hasPrefix(prefix) && [":", "/"].contains(url.dropFirst(prefix.count).first)
        }
    }
}
