import Foundation

/// A text with a number in it, in the forms that the language has: `{"one": "{count} view", "other": "{count} views"}`.
/// There is no other way to write a number beside a noun, so that no page says "1 followers".
package struct PluralText: Sendable, Decodable {
    private let forms: [PluralRule.Form: String]
    private let rule: PluralRule
    /// The locale by which the language writes numbers.
    private let locale: Locale

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: PluralRule.Form.self)
        rule = decoder.userInfo[.pluralRule] as? PluralRule ?? .oneOnly
        locale = decoder.userInfo[.numberLocale] as? Locale ?? Locale(identifier: "en_GB")
        var forms: [PluralRule.Form: String] = [:]
        for form in container.allKeys { forms[form] = try container.decode(String.self, forKey: form) }
        forms[.other] = try container.decode(String.self, forKey: .other)
        self.forms = forms
    }

    /// The text for a number.
    ///
    /// - Parameters:
    ///   - count: the number, which stands for `{count}`.
    ///   - isLimit: whether there may be more.
    ///   - values: what stands for other names in braces.
    package func callAsFunction(
        _ count: some BinaryInteger, isLimit: Bool = false, _ values: KeyValuePairs<String, String> = [:]
    ) -> String {
        let form = forms[rule.form(count)] ?? forms[.other] ?? ""
        let number = IntegerFormatStyle<Int>(locale: locale).format(Int(clamping: count))
        return form.filled("count", with: "\(number)\(isLimit ? "+" : "")", values)
    }

    /// The forms as a JSON object, for scripts.
    package var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        let texts = Dictionary(forms.map { ($0.key.rawValue, $0.value) }, uniquingKeysWith: { first, _ in first })
        return (try? encoder.encode(texts)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
    }
}
