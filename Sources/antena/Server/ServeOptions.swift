import ArgumentParser
import ServerSettings

/// The settings of a server, as `antena serve` takes them: an option or flag for each ``ServerSetting``.
///
/// ArgumentParser finds options by reflection and fills them by decoding. This type reflects, and decodes, one for each
/// setting of the list, so that no setting is declared a second time as a property.
struct ServeOptions: ParsableArguments, CustomReflectable {
    /// The flags that were given; those without a value have the text `true`.
    private(set) var flags: [ServerSetting: String] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for setting in ServerSetting.allCases {
            let key = Key(stringValue: setting.rawValue)
            if setting.declaration.valueName == nil {
                if try container.decode(Flag<Bool>.self, forKey: key).wrappedValue { flags[setting] = "true" }
            } else {
                flags[setting] = try container.decode(Option<String?>.self, forKey: key).wrappedValue
            }
        }
    }

    var customMirror: Mirror {
        Mirror(
            self, children: ServerSetting.allCases.map { (label: $0.rawValue, value: Self.argument($0)) },
            displayStyle: .struct)
    }

    /// The flag or option of a setting.
    private static func argument(_ setting: ServerSetting) -> Any {
        let name = NameSpecification.customLong(setting.rawValue)
        let declaration = setting.declaration
        let text = declaration.initial.map { "\(declaration.help) (default: \($0))" } ?? declaration.help
        guard let valueName = declaration.valueName else {
            return Flag(wrappedValue: false, name: name, help: ArgumentHelp(stringLiteral: text))
        }
        return Option<String?>(
            name: name, help: ArgumentHelp(text, valueName: valueName),
            completion: valueName == "file" ? .file() : nil)
    }

    /// The name of a setting.
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}
