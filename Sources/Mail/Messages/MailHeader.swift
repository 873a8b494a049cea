import Foundation
import MediaCore

/// The values of header fields. Their texts have no control characters (``MailMessage`` refuses them).
enum MailHeader {
    /// RFC 5322 §2.1.1: the length that a line should have at most.
    static let lineCharacterCount = 76
    /// RFC 2047 §2
    private static let encodedWordCharacterCount = 75
    private static let encodedWordStart = "=?utf-8?B?"
    private static let encodedWordEnd = "?="

    /// A field whose value is free text.
    static func unstructured(_ name: String, _ text: String) -> String {
        let line = "\(name): \(text)"
        guard !isPlain(text) || line.utf8.count > lineCharacterCount else { return line }
        return "\(name): " + encodedWords(text, after: name.utf8.count + 2)
    }

    /// The field `From`, whose address goes to a line of its own if the name leaves no room for it.
    static func sender(_ name: String, _ address: MailAddress) -> String {
        guard !name.isEmpty else { return "From: \(address.text)" }
        let start = "From: \(phrase(name, after: "From"))"
        let last = start.split(separator: "\r\n").last?.utf8.count ?? 0
        let fits = last + address.text.utf8.count + 3 <= lineCharacterCount
        return "\(start)\(fits ? "" : "\r\n") <\(address.text)>"
    }

    /// A name in front of an address (RFC 5322 §3.2.5, phrase).
    ///
    /// - Parameters:
    ///   - text: the name.
    ///   - field: the name of the field that it begins.
    static func phrase(_ text: String, after field: String) -> String {
        guard isPlain(text), field.utf8.count + 4 + text.utf8.count <= lineCharacterCount else {
            return encodedWords(text, after: field.utf8.count + 2)
        }
        let isAtoms = text.utf8.allSatisfy { byte in
            byte == UInt8(ascii: " ") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
        }
        if isAtoms { return text }
        return "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\""))\""
    }

    /// A date in UTC (RFC 5322 §3.3), such as `Thu, 01 Jan 2026 00:00:00 +0000`.
    static func date(_ time: WallClockTime) -> String {
        let seconds = time.millisecondsSince1970.dividingFloor(by: 1_000)
        let days = seconds.dividingFloor(by: 86_400)
        let rest = seconds - days * 86_400
        let date = CivilDate(daysSince1970: days)
        // 1970-01-01 was a Thursday, the first name.
        let day = dayNames[Int(days - days.dividingFloor(by: 7) * 7)]
        return "\(day), \(twoDigits(date.day)) \(monthNames[Int(date.month - 1)]) \(date.year) "
            + "\(twoDigits(rest / 3_600)):\(twoDigits(rest / 60 % 60)):\(twoDigits(rest % 60)) +0000"
    }

    private static let dayNames = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let monthNames = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }

    /// Text that needs no encoding, and that nobody takes for an encoded word.
    private static func isPlain(_ text: String) -> Bool {
        text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && !text.contains("=?") && text.first != " "
            && text.last != " "
    }

    /// RFC 2047: words of whole characters, one a line.
    ///
    /// - Parameter column: the number of characters in front of the first word.
    private static func encodedWords(_ text: String, after column: Int) -> String {
        let overhead = encodedWordStart.utf8.count + encodedWordEnd.utf8.count
        func byteCount(_ characterCount: Int) -> Int { (characterCount - overhead) / 4 * 3 }
        var room = byteCount(min(encodedWordCharacterCount, lineCharacterCount - column))
        var words: [String] = []
        var word: [UInt8] = []
        func finish() {
            words.append(encodedWordStart + Data(word).base64EncodedString() + encodedWordEnd)
            word = []
            // A continued line begins with a space.
            room = byteCount(min(encodedWordCharacterCount, lineCharacterCount - 1))
        }
        for scalar in text.unicodeScalars {
            let bytes = Array(String(Character(scalar)).utf8)
            if word.count + bytes.count > room { finish() }
            word += bytes
        }
        finish()
        return words.joined(separator: "\r\n ")
    }
}
