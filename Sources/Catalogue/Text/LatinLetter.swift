/// Letters of western and central European languages without their diacritical marks.
enum LatinLetter {
    /// The plain form of a letter.
    ///
    /// - Parameter scalar: a lower-case letter.
    /// - Returns: ASCII letters and digits; `nil` for anything else.
    static func plain(_ scalar: Unicode.Scalar) -> String? {
        switch scalar {
        case "a"..."z", "0"..."9": String(scalar)
        case "à"..."å", "ā", "ă", "ą": "a"
        case "ç", "ć", "č": "c"
        case "ď", "đ", "ð": "d"
        case "è"..."ë", "ē", "ė", "ę", "ě": "e"
        case "ğ": "g"
        case "ì"..."ï", "ī", "į", "ı": "i"
        case "ł", "ľ": "l"
        case "ñ", "ń", "ň": "n"
        case "ò"..."ö", "ø", "ō", "ő": "o"
        case "ř": "r"
        case "ś", "š", "ş", "ș": "s"
        case "ť", "ţ", "ț": "t"
        case "ù"..."ü", "ū", "ů", "ű": "u"
        case "ý", "ÿ": "y"
        case "ź", "ż", "ž": "z"
        case "ß": "ss"
        case "æ": "ae"
        case "œ": "oe"
        default: nil
        }
    }
}
