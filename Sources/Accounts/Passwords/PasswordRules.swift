package import MediaCore

/// The requirements for a new password. There are no rules about kinds of characters, which make passwords hard to
/// remember and no harder to guess (NIST SP 800-63B §5.1.1.2).
package struct PasswordRules: Sendable, Hashable {
    package var minimumCharacterCount: Int

    package init(minimumCharacterCount: Int) { self.minimumCharacterCount = minimumCharacterCount }

    /// Checks a new password.
    ///
    /// - Parameters:
    ///   - text: the password as it was typed.
    ///   - names: username and e-mail address of the account, which are tried first.
    /// - Throws: `Refusal` with `invalidPassword`, which never repeats the password.
    package func check(_ text: String, names: [String]) throws(Refusal) -> Password {
        guard text.utf8.count <= Password.maximumByteCount else {
            throw refused("a password can have at most \(Password.maximumByteCount) bytes")
        }
        guard text.count >= minimumCharacterCount, !text.isEmpty else {
            throw refused("a password must have at least \(minimumCharacterCount) characters")
        }
        guard let password = Password(text) else {
            throw refused("a password must not contain line breaks or other control characters")
        }
        guard !CommonPasswords.contains(password.text) else {
            throw refused("this password is too common; choose another one")
        }
        let folded = password.text.lowercased()
        for name in names.flatMap({ [$0, String($0.prefix { $0 != "@" })] }) where !name.isEmpty {
            guard folded != name.lowercased(), folded != String(name.lowercased().reversed()) else {
                throw refused("a password must differ from the username and the e-mail address")
            }
        }
        return password
    }

    private func refused(_ reason: String) -> Refusal {
        Refusal(.invalidPassword, reason, fields: ["password"])
    }
}
