import Accounts
package import JSONDocument

extension AccountsSettings {
    /// Reads the section `accounts` of a `channels.json` that has passed all checks; missing fields keep their
    /// defaults.
    package init(_ section: JSONNode?) {
        self.init()
        // A server that somebody has just installed must not take in strangers.
        registration = section?["registration"]?.string.flatMap(RegistrationPolicy.init(rawValue:)) ?? .invitation
        requiredFields = Set(
            (section?["requiredFields"]?.elements ?? []).compactMap(\.string).compactMap(ProfileField.init(rawValue:)))
        if let isOpen = section?["public"]?.boolean { isOpenToStrangers = isOpen }
        if let role = section?["initialRole"]?.string.flatMap(Role.init(rawValue:)) { initialRole = role }
        if let count = section?["minimumPasswordLength"]?.integer { minimumPasswordCharacterCount = count }
        showsMetricsToEveryone = section?["metrics"]?.string == "everyone"
        if let count = section?["apiRequests"]?.integer { apiRequestCount = count }
        let sessions = section?["sessions"]
        if let minutes = sessions?["idleMinutes"]?.integer { sessionIdleTime = .seconds(minutes * 60) }
        if let hours = sessions?["hours"]?.integer { sessionLifetime = .seconds(hours * 3_600) }
        if let days = sessions?["persistentIdleDays"]?.integer { persistentIdleTime = .seconds(days * 86_400) }
        if let days = sessions?["persistentDays"]?.integer { persistentLifetime = .seconds(days * 86_400) }
        if let days = section?["auditDays"]?.integer { auditRetention = .seconds(days * 86_400) }
    }
}
