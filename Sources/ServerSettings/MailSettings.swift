import Foundation
import HTTPEndpoints
package import Mail

/// How the server sends mail.
package struct MailSettings: Sendable, Hashable {
    /// The source of the mail server's password.
    private enum Password: Sendable, Hashable {
        case file(String)
        case credential(SMTPCredential)
    }

    /// The server that takes all mail.
    package let server: SMTPServerAddress
    /// The sender of all mail.
    package let from: MailAddress
    private let password: Password?
    /// The flag or variable that names the file with the password.
    private let passwordSetting: String

    /// The environment variable that holds the password itself, which no flag does: everybody on the machine sees
    /// flags.
    private static let passwordVariable = "ANTENA_SMTP_PASSWORD"
    /// Limit of the file with the password.
    private static let maximumFileByteCount = 4_096

    /// Reads `--smtp`, `--mail-from` and the password's place.
    ///
    /// - Returns: `nil` if the server sends no mail.
    /// - Throws: ``SettingError``, which shows no password.
    init?(
        _ sources: SettingSources, environment: [String: String], publicAddress: PublicAddress?
    ) throws(SettingError) {
        let file = sources.value(of: .smtpPasswordFile)
        let text = environment[Self.passwordVariable].flatMap { $0.isEmpty ? nil : $0 }
        guard let (address, setting) = sources.value(of: .smtp) else {
            for other in [sources.value(of: .mailFrom), file].compactMap(\.self) {
                throw SettingError(setting: other.setting, value: other.text, message: "also needs --smtp")
            }
            return nil
        }
        do {
            server = try SMTPServerAddress(parsing: address)
        } catch {
            // The value may hold a password.
            throw SettingError(setting: setting, value: "…", message: error.reason)
        }
        guard publicAddress != nil else {
            throw SettingError(
                setting: setting, value: server.description,
                message: "also needs --public-url, for the links in mails")
        }
        guard let (sender, senderSetting) = sources.value(of: .mailFrom) else {
            throw SettingError(
                setting: setting, value: server.description,
                message: "also needs --mail-from, the sender's address")
        }
        do {
            from = try MailAddress(sender)
        } catch {
            throw SettingError(setting: senderSetting, value: sender, message: error.reason)
        }
        passwordSetting = file?.setting ?? Self.passwordVariable
        switch (server.username, file, text) {
        case (nil, nil, nil): password = nil
        case (nil, _, _):
            throw SettingError(
                setting: passwordSetting, value: "…", message: "needs a username: --smtp smtp://USERNAME@HOST")
        case (_?, nil, nil):
            throw SettingError(
                setting: setting, value: server.description,
                message: "needs the password: --smtp-password-file FILE or \(Self.passwordVariable)")
        case (_?, _?, _?):
            throw SettingError(
                setting: passwordSetting, value: file?.text ?? "",
                message: "cannot be combined with \(Self.passwordVariable); remove one of them")
        case (let username?, nil, let text?):
            guard let credential = SMTPCredential(username: username, password: text) else {
                throw SettingError(setting: passwordSetting, value: "…", message: Self.unusable)
            }
            password = .credential(credential)
        case (_?, let file?, nil): password = .file(file.text)
        }
    }

    private static let unusable =
        "must be a text of at most \(SMTPCredential.maximumByteCount) bytes without control characters"

    /// The username and the password at the mail server; `nil` for a server that asks for none. Blocks: it reads a
    /// file.
    ///
    /// - Throws: ``SettingError`` if the file cannot be read, or holds no password.
    package func credential() throws(SettingError) -> SMTPCredential? {
        switch password {
        case nil: return nil
        case .credential(let credential): return credential
        case .file(let path):
            guard let file = FileHandle(forReadingAtPath: path),
                let data = try? file.read(upToCount: Self.maximumFileByteCount + 1)
            else {
                throw SettingError(
                    setting: passwordSetting, value: path, message: "cannot be read; name a file with the password")
            }
            let text = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
            guard let credential = server.username.flatMap({ SMTPCredential(username: $0, password: text) }) else {
                throw SettingError(setting: passwordSetting, value: path, message: "its content \(Self.unusable)")
            }
            return credential
        }
    }
}

extension MailSettings: CustomStringConvertible {
    /// For people, without the password.
    package var description: String {
        let protection =
            switch server.security {
            case .implicitTLS: "TLS"
            case .startTLS: "STARTTLS"
            case .none: "no encryption"
            }
        return "\(server) with \(protection), from \(from)"
    }
}
