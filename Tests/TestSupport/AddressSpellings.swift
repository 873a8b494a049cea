/// The ways in which somebody may write the path of an address.
package enum AddressSpellings {
    /// Spellings that mean the same by RFC 3986 §6.2.2: letters, digits and what names of files need are
    /// percent-encoded, in part or all of them, with both cases of hexadecimal digits.
    ///
    /// - Parameter path: an absolute path without a query.
    package static func equal(to path: String) -> [String] {
        let everything: (UInt8) -> Bool = { $0 != slash && $0 != percent }
        return [
            encoded(path, where: everything), encoded(path, where: everything).lowercasedEscapes,
            encoded(path) { letters.contains($0) }, encoded(path) { digits.contains($0) },
            encoded(path) { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") },
            encoded(path) { ",=-_~".utf8.contains($0) }, encodedFirst(path, where: everything),
        ].filter { $0 != path }
    }

    /// Spellings with which somebody may get from what they may have to what they may not have.
    ///
    /// - Parameters:
    ///   - path: the path that they may not have, such as `/vod/film/r1/video/0.m4s`.
    ///   - folder: the folder that they may have, such as `/live/canalA.stream`, and that a proxy may take for the
    ///     place of what follows.
    package static func crossing(from folder: String, to path: String) -> [String] {
        let rest = String(path.dropFirst())
        let encodedRest = rest.replacing("/", with: "%2f")
        let steps = folder.split(separator: "/").count
        let ups = [
            "../", "%2e%2e/", ".%2E/", "..%2f", "..%2F", "%2e%2e%2f", "..\\", "..%5c", "%2e%2e%5C", "%252e%252e%252f",
            "..%252f", "..%c0%af", "%c0%ae%c0%ae/", "%e0%80%ae%e0%80%ae/", "..;/", ";../", "..%00/", "..%0a/", ".%00./",
            "..//", "/../", "%2f..%2f", "..%ef%bc%8f", "..%u2215",
        ]
        return ups.flatMap { up -> [String] in
            let climb = String(repeating: up, count: steps)
            return ["\(folder)/\(climb)\(rest)", "\(folder)/\(climb)\(encodedRest)"]
        } + [
            "\(folder)/%2f\(rest)", "\(folder)//\(rest)", "\(folder);/..\(path)", "\(folder)/./..\(path)",
            "/\(folder)/../..\(path)", "\(folder)%2f..%2f..%2f\(encodedRest)", "\(folder)?/../..\(path)",
            "\(folder)%3f/../..\(path)", "\(folder)#/../..\(path)", "\(folder)%23\(path)",
        ]
    }

    /// Spellings of one path that no party should accept, or all read alike.
    package static func odd(_ path: String) -> [String] {
        let components = path.split(separator: "/").map(String.init)
        func joined(_ separator: String) -> String { "/" + components.joined(separator: separator) }
        return [
            joined("//"), joined("/./"), joined("%2f"), joined("%2F"), joined("\\"), joined("%5c"), joined("/%2e/"),
            joined(";/"), joined("/x/../"), joined("/x/%2e%2e/"), joined("%c0%af"), joined("%252f"), "/\(path)",
            "\(path)/", "\(path)%00", "\(path)%0a", "\(path)%20", "\(path);", "\(path);x=y", "\(path)%3fa", "\(path)#a",
            "\(path)%23a", "\(path)%ff", "\(path)\u{301}", "\(path)%cc%81", path.uppercased(), path.capitalized,
            encoded(encoded(path) { $0 == UInt8(ascii: ".") }) { $0 == percent },
        ].filter { $0 != path }
    }

    private static let slash = UInt8(ascii: "/")
    private static let percent = UInt8(ascii: "%")
    private static let letters = UInt8(ascii: "a")...UInt8(ascii: "z")
    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")

    private static func encoded(_ path: String, where isChosen: (UInt8) -> Bool) -> String {
        String(decoding: path.utf8.flatMap { isChosen($0) ? escape($0) : [$0] }, as: UTF8.self)
    }

    /// With the first character of each component encoded.
    private static func encodedFirst(_ path: String, where isChosen: (UInt8) -> Bool) -> String {
        var isFirst = false
        return String(
            decoding: path.utf8.flatMap { byte -> [UInt8] in
                defer { isFirst = byte == slash }
                return isFirst && isChosen(byte) ? escape(byte) : [byte]
            }, as: UTF8.self)
    }

    private static func escape(_ byte: UInt8) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return [percent, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
    }
}

extension String {
    /// With the hexadecimal digits of escapes in lower case.
    fileprivate var lowercasedEscapes: String {
        var rest = 0
        return String(
            map { character in
                if character == "%" {
                    rest = 2
                } else if rest > 0 {
                    rest -= 1
                    return Character(character.lowercased())
                }
                return character
            })
    }

    fileprivate var capitalized: String {
        split(separator: "/").map { $0.prefix(1).uppercased() + $0.dropFirst() }.reduce("") { "\($0)/\($1)" }
    }
}
