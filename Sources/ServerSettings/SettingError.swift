/// The value of a flag or an environment variable is not valid.
package struct SettingError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The flag or variable, such as `--http` or `ANTENA_HTTP`.
    package var setting: String
    package var value: String
    /// The problem and its remedy.
    package var message: String

    package var description: String { "\(setting) \"\(value)\": \(message)" }
}
