import APIClient
import APIContract
import APIDeclarations
import ArgumentParser
import JSONDocument

/// How a command says what a change of `channels.json` has changed.
struct ChangeOutput: ParsableArguments {
    @Flag(help: "Print JSON instead of text.")
    var json = false

    func print(_ outcome: APIObject<ReloadFields>) {
        Swift.print(json ? outcome.json.rendered : ReloadReport(answer: outcome).text)
    }
}

extension SettingChange {
    /// - Throws: `ValidationError` if a text has no setting or no value.
    static func all(_ texts: [String]) throws -> [SettingChange] {
        try texts.map { text in
            guard let change = SettingChange(text) else {
                throw ValidationError("\"\(text)\" is not a setting with a value, such as encrypt=true.")
            }
            return change
        }
    }

    /// - Throws: `ValidationError` if a text does not name a setting.
    static func removals(_ texts: [String]) throws -> [SettingChange] {
        try texts.map { text in
            guard let change = SettingChange(removing: text) else {
                throw ValidationError("\"\(text)\" is not the name of a setting.")
            }
            return change
        }
    }
}
