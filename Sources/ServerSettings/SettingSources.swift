/// The sources of a setting's value: a flag, else an environment variable.
struct SettingSources {
    package let flags: [ServerSetting: String]
    package let environment: [String: String]

    /// The value with the name of its source; `nil` if it is not set. An empty variable counts as not set, because
    /// Compose files write unset variables that way.
    package func value(of setting: ServerSetting) -> (text: String, setting: String)? {
        if let flag = flags[setting] { return (flag, setting.flag) }
        guard let text = environment[setting.variable], !text.isEmpty else { return nil }
        return (text, setting.variable)
    }

    /// Whether a setting without a value is on, by its flag or its variable.
    ///
    /// - Throws: ``SettingError`` if the variable is neither true nor false, whether or not the flag is given.
    func isSet(_ setting: ServerSetting) throws(SettingError) -> Bool {
        let variable = setting.variable
        switch environment[variable]?.lowercased() {
        case nil, "", "0", "false", "no": return flags[setting] != nil
        case "1", "true", "yes": return true
        case let text?: throw SettingError(setting: variable, value: text, message: "must be true or false")
        }
    }
}
