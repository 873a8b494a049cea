/// How a language chooses the form of a noun that goes with a whole number (CLDR, "Language Plural Rules").
package enum PluralRule: Sendable, Hashable {
    /// The forms that a text can have.
    package enum Form: String, Sendable, Hashable, CodingKey { case zero, one, two, few, many, other }

    /// One form for all numbers, like Japanese.
    case none
    /// One, and all others, as in English and Spanish.
    case oneOnly
    /// Zero and one, and all others, as in French and Portuguese.
    case zeroAndOne
    /// The rule of Russian and Ukrainian.
    case eastSlavic
    /// The rule of Croatian and Serbian.
    case southSlavic
    case polish
    /// The rule of Czech and Slovak.
    case czech
    case slovene
    case lithuanian
    case latvian
    case romanian
    case arabic
    case hebrew
    case irish
    case welsh

    /// - Parameter tag: the tag of a language; the rule of English for one that is not among those with another rule.
    package init(_ tag: String) {
        self =
            switch tag {
            case "id", "ja", "jv", "km", "ko", "lo", "ms", "my", "su", "th", "to", "vi", "wo", "yo", "zh": .none
            case "fr", "hy", "pt", "hi", "fa", "bn", "am", "zu", "gu", "kn": .zeroAndOne
            case "be", "ru", "uk": .eastSlavic
            case "bs", "hr", "sr": .southSlavic
            case "pl": .polish
            case "cs", "sk": .czech
            case "sl": .slovene
            case "lt": .lithuanian
            case "lv": .latvian
            case "ro": .romanian
            case "ar": .arabic
            case "he": .hebrew
            case "ga": .irish
            case "cy": .welsh
            default: .oneOnly
            }
    }

    /// The form that goes with a number.
    package func form(_ number: some BinaryInteger) -> Form {
        let number = number.magnitude
        let (tens, hundreds) = (Int(number % 10), Int(number % 100))
        switch self {
        case .none: return .other
        case .oneOnly: return number == 1 ? .one : .other
        case .zeroAndOne: return number <= 1 ? .one : .other
        case .eastSlavic, .southSlavic:
            if tens == 1, hundreds != 11 { return .one }
            if (2...4).contains(tens), !(12...14).contains(hundreds) { return .few }
            return self == .eastSlavic ? .many : .other
        case .polish:
            if number == 1 { return .one }
            return (2...4).contains(tens) && !(12...14).contains(hundreds) ? .few : .many
        case .czech: return number == 1 ? .one : (2...4).contains(number) ? .few : .other
        case .slovene: return [1: .one, 2: .two, 3: .few, 4: .few][hundreds] ?? .other
        case .lithuanian:
            guard !(11...19).contains(hundreds), tens != 0 else { return .other }
            return tens == 1 ? .one : .few
        case .latvian:
            if tens == 0 || (11...19).contains(hundreds) { return .zero }
            return tens == 1 ? .one : .other
        case .romanian:
            if number == 1 { return .one }
            return number == 0 || (1...19).contains(hundreds) ? .few : .other
        case .arabic:
            if number <= 2 { return number == 0 ? .zero : number == 1 ? .one : .two }
            return (3...10).contains(hundreds) ? .few : hundreds >= 11 ? .many : .other
        case .hebrew: return number == 1 ? .one : number == 2 ? .two : .other
        case .irish:
            if number <= 2 { return number == 1 ? .one : number == 2 ? .two : .other }
            return number <= 6 ? .few : number <= 10 ? .many : .other
        case .welsh:
            guard number <= 6 else { return .other }
            return [0: .zero, 1: .one, 2: .two, 3: .few, 6: .many][Int(number)] ?? .other
        }
    }
}

extension CodingUserInfoKey {
    /// The rule of the language whose texts are decoded.
    static let pluralRule: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "pluralRule") else { preconditionFailure("any text is a key") }
        return key
    }()

    /// The locale by which the language whose texts are decoded writes numbers.
    static let numberLocale: CodingUserInfoKey = {
        guard let key = CodingUserInfoKey(rawValue: "numberLocale") else { preconditionFailure("any text is a key") }
        return key
    }()
}
