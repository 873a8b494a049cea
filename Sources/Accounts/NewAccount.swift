import MediaCore

/// A registration whose form was checked.
struct NewAccount: Sendable {
    var username: Username
    var email: EmailAddress?
    var profile: Profile
    /// `nil` for somebody who logs in with a provider.
    var password: Password?

    /// Checks all fields, and names all that are missing or wrong.
    ///
    /// - Parameter hasPassword: whether the account gets the password of the registration.
    /// - Throws: `Refusal`; with several mistakes, the code of the first and the fields of all.
    init(
        _ registration: Registration, _ settings: AccountsSettings, hasPassword: Bool = true
    ) throws(Refusal) {
        var errors: [Refusal] = []
        func noting<Value>(_ body: () throws(Refusal) -> Value) -> Value? {
            do {
                return try body()
            } catch {
                errors.append(error)
                return nil
            }
        }
        let typedEmail = registration.email.flatMap { text in text.allSatisfy { $0 == " " } ? nil : text }
        let username = noting { () throws(Refusal) in try Username(registration.username) }
        let email = noting { () throws(Refusal) -> EmailAddress? in
            guard let typedEmail else { return nil }
            return try EmailAddress(typedEmail)
        }
        let profile = noting { () throws(Refusal) in try registration.profile.checked() }
        let password = noting { () throws(Refusal) -> Password? in
            guard hasPassword else { return nil }
            return try PasswordRules(minimumCharacterCount: settings.minimumPasswordCharacterCount).check(
                registration.password, names: [registration.username, typedEmail ?? ""])
        }
        if let error = Self.missing(email: typedEmail, profile ?? registration.profile, settings) {
            errors.append(error)
        }
        guard errors.isEmpty, let username, let email, let profile, let password else {
            throw Refusal(
                errors.first?.code ?? .invalidField, errors.map(\.reason).joined(separator: "; "),
                fields: errors.flatMap(\.fields))
        }
        (self.username, self.email, self.profile, self.password) = (username, email, profile, password)
    }

    /// The error that names the required fields without a value; `nil` if there are none.
    static func missing(email: String?, _ profile: Profile, _ settings: AccountsSettings) -> Refusal? {
        let missing = Registration.missing(email: email, profile, of: settings.requiredFields).map(\.rawValue)
        guard !missing.isEmpty else { return nil }
        return Refusal.missing(missing)
    }
}
