import Accounts
import HTTPEndpoints
import JSONDocument
import MediaCore
import Workflows

/// A form of an account page, which works without a script.
struct PageForm {
    /// A field with its label.
    struct Field {
        var name: String
        var label: String
        var type = "text"
        var value = ""
        var isRequired = false
        /// HTML's name of the value that a browser may fill in.
        var autocomplete = "off"
        /// The reason why the value was refused.
        var error: String?
        /// The values and labels of a choice; empty for everything else.
        var options: [(value: String, label: String)] = []
        /// The types that a field for a file accepts.
        var accepted = ImageBody.types
        /// Whether a checkbox is checked.
        var isChecked = false
        /// The words of the script with which somebody chooses the part of a photo, or takes one, as JSON; `nil` for
        /// other files.
        var cropWords: String?

        /// The field for a photo, of which the square is used that somebody chooses.
        static func photo(_ name: String, label: String, _ text: MatchPlayersText) -> Field {
            var field = Field(name: name, label: label, type: "file", isRequired: true)
            field.cropWords = JSONText.object(text.cropWords.map { ($0.0, .string($0.1)) }).rendered
            return field
        }

        /// The version of the values in the form. It comes back with the form, so that concurrent changes are not lost.
        static func version(_ version: String) -> Field {
            Field(name: FormFields.versionField, label: "", type: "hidden", value: version)
        }

        /// The number of days of a suspension; empty for one without end.
        static func suspensionDays(_ text: AccountText) -> Field {
            Field(name: FormFields.suspensionDaysName, label: text.suspensionDays, type: "number")
        }

        fileprivate var values: [String: Any] {
            var values: [String: Any] = ["name": name, "label": label, "value": SitePage.displayed(value)]
            if isRequired { values["required"] = true }
            switch type {
            case "hidden": values["hidden"] = true
            case "file":
                var chooser: [String: Any] = ["accept": accepted.joined(separator: ",")]
                // A value of its own, because a template looks for a missing one in what is around it.
                chooser["crop"] = cropWords.map { ["words": $0] as Any } ?? false
                values["chooser"] = chooser
            // The script fills in the latitude and the longitude in front of it.
            case "place": values["place"] = ["button": label, "failure": value]
            case "checkbox": values["checkbox"] = ["checked": isChecked]
            case "select":
                values["select"] = [
                    "options": options.map { option in
                        ["value": option.value, "label": option.label, "selected": option.value == value]
                            as [String: Any]
                    }
                ]
            case "textarea":
                values["textarea"] = true
                values["value"] = SitePage.displayedLines(value)
            // Browsers refuse fractions without a step.
            case "decimal": values["input"] = ["type": "number", "autocomplete": autocomplete, "step": "any"]
            default: values["input"] = ["type": type, "autocomplete": autocomplete]
            }
            if let error { values["error"] = ["text": error, "id": "wrong-\(name)"] }
            return values
        }
    }

    /// The script's action for a form that stays hidden without it.
    struct Passkey {
        /// `create` or `get`, as in `navigator.credentials`.
        var step: String
        /// The path that answers with a challenge.
        var challengePath: String
        /// The text for a browser that has none or a visitor who cancels.
        var failure: String
    }

    /// The data with which the script lets a browser get push messages, for a form that stays hidden without it.
    struct Push {
        /// The public key of the site.
        var key: String
        /// The text for a browser that does not allow it.
        var failure: String
    }

    /// The outline of an icon (24 × 24).
    enum Icon: String {
        case like =
            "M12 21 3.6 12.6a5.4 5.4 0 0 1 7.6-7.6l.8.8.8-.8a5.4 5.4 0 0 1 7.6 7.6z"
        case follow = "M11 5h2v6h6v2h-6v6h-2v-6H5v-2h6z"
        case done = "M9 16.2 4.8 12l-1.4 1.4L9 19 21 7l-1.4-1.4z"
    }

    /// The button that ends something, such as a session or a token.
    ///
    /// - Parameters:
    ///   - path: the path that the form is sent to.
    ///   - id: the ID of the thing.
    ///   - text: the texts of the account pages.
    static func revoking(_ path: String, _ id: OpaqueID, _ text: AccountText) -> PageForm {
        PageForm(
            action: path, fields: [.init(name: "id", label: "", type: "hidden", value: id.text)], button: text.revoke,
            isDangerous: true)
    }

    /// The path that the form is sent to.
    var action: String
    var fields: [Field] = []
    /// The text of the button.
    var button: String
    /// Whether the button takes something away.
    var isDangerous = false
    /// Whether the button is not what people come to the page for.
    var isQuiet = false
    /// The icon in front of the button's text; `nil` for none.
    var icon: Icon?
    /// Whether the form sends a file.
    var sendsFile = false
    /// Set for a form that the browser's authenticator answers.
    var passkey: Passkey?
    /// Set for a form that adds the browser to those that get push messages.
    var push: Push?
    /// The name under which the script keeps what was typed, until the form is sent; `nil` keeps nothing.
    var draft: String?

    /// - Parameter csrf: the token of the visitor's session; `nil` for a stranger.
    func values(csrf: String?) -> [String: Any] {
        var values: [String: Any] = ["button": button, "fields": fields.map(\.values)]
        // The token of a form with a file is in front of the file, which may be large (`SameOriginCheck`).
        values["action"] = sendsFile ? "\(action)\(action.contains("?") ? "&" : "?")csrf=\(csrf ?? "")" : action
        if sendsFile { values["file"] = true }
        // A value of its own, because a template looks for a missing one in what is around it.
        values["icon"] = icon?.rawValue ?? false
        if isDangerous { values["dangerous"] = true }
        if isQuiet { values["quiet"] = true }
        if let passkey {
            values["passkey"] = [
                "step": passkey.step, "challenge": passkey.challengePath, "failure": passkey.failure,
            ]
        }
        if let push { values["push"] = ["key": push.key, "failure": push.failure] }
        if let draft { values["draft"] = ["name": draft] }
        if let csrf { values["token"] = ["csrf": csrf] }
        return values
    }
}
