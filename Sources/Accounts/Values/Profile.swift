import Foundation
package import MediaCore

/// A user's personal details. Every field is optional unless the operator requires it.
package struct Profile: Sendable, Hashable {
    package var name: String?
    package var mobile: String?
    package var city: String?
    package var country: String?
    /// The language in which they read the site and get mail, such as `es`; `nil` for the one that their browser asks
    /// for.
    package var language: String?

    package init(
        name: String? = nil, mobile: String? = nil, city: String? = nil, country: String? = nil,
        language: String? = nil
    ) {
        (self.name, self.mobile, self.city, self.country) = (name, mobile, city, country)
        self.language = language
    }

    /// Length limit of a field.
    package static let maximumCharacterCount = 100
    /// Limit of the tag of a language.
    private static let maximumLanguageLength = 35
    /// ITU-T E.164 numbers have 15 digits at most; the shortest national ones have 5.
    private static let mobileDigitCounts = 5...15
    private static let mobilePunctuation: Set<Character> = [" ", "-", "(", ")", "."]

    /// The profile with fields trimmed, and empty ones left out.
    ///
    /// - Throws: `Refusal` with `invalidField` for text that is too long or has control characters, and for a
    ///   mobile number or a language that is not one.
    package func checked() throws(Refusal) -> Profile {
        Profile(
            name: try Self.checked(name, .name), mobile: try Self.checkedMobile(mobile),
            city: try Self.checked(city, .city), country: try Self.checked(country, .country),
            language: try Self.checkedLanguage(language))
    }

    /// The fields that have no value.
    var emptyFields: Set<ProfileField> {
        var empty: Set<ProfileField> = []
        if name == nil { empty.insert(.name) }
        if mobile == nil { empty.insert(.mobile) }
        if city == nil { empty.insert(.city) }
        if country == nil { empty.insert(.country) }
        return empty
    }

    private static func checked(_ text: String?, _ field: ProfileField) throws(Refusal) -> String? {
        guard let text else { return nil }
        guard text.utf8.count <= maximumCharacterCount * 16, text.count <= maximumCharacterCount else {
            throw Refusal(
                .invalidField, "the field `\(field.rawValue)` is limited to \(maximumCharacterCount) characters",
                fields: [field.rawValue])
        }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        guard UntrustedText.stripped(trimmed, maximumCharacterCount: .max) == trimmed else {
            throw Refusal(
                .invalidField, "the field `\(field.rawValue)` has characters that cannot be shown",
                fields: [field.rawValue])
        }
        return trimmed.isEmpty ? nil : trimmed
    }

    /// - Returns: a tag as RFC 5646 §2.1 writes them; whether the site has the language is not checked here.
    private static func checkedLanguage(_ tag: String?) throws(Refusal) -> String? {
        guard let tag, !tag.isEmpty else { return nil }
        guard tag.utf8.count <= maximumLanguageLength,
            tag.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber) || $0 == "-" })
        else {
            throw Refusal(.invalidField, "the field `language` is not a language", fields: ["language"])
        }
        return tag
    }

    private static func checkedMobile(_ text: String?) throws(Refusal) -> String? {
        guard let text = try checked(text, .mobile) else { return nil }
        let rest = text.hasPrefix("+") ? text.dropFirst() : Substring(text)
        let digits = rest.filter { $0.isASCII && $0.isNumber }
        guard mobileDigitCounts.contains(digits.count),
            rest.allSatisfy({ $0.isASCII && $0.isNumber || mobilePunctuation.contains($0) })
        else {
            throw Refusal(
                .invalidField, "\(Refusal.quoted(text)) is not a mobile number; it looks like +34 600 123 456",
                fields: [ProfileField.mobile.rawValue])
        }
        return text
    }
}
