import MediaCore
import Testing

@testable import WebAPI

/// Calendars, read back by a small parser that keeps to RFC 5545.
struct CalendarDocumentTests {
    /// A property with its parameters.
    struct Property: Hashable {
        var name: String
        var parameters: [String: String]
        var value: String
    }

    /// The properties of a calendar.
    ///
    /// - Throws: an error for what the format does not allow.
    static func properties(of text: String) throws -> [Property] {
        #expect(text.hasSuffix("\r\n"))
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).dropLast()
        var unfolded: [[UInt8]] = []
        for line in lines {
            let bytes = Array(line.dropLast())
            #expect(line.last == UInt8(ascii: "\r") && bytes.count <= 75)
            // No fold is inside of a character.
            #expect(String(validating: bytes, as: UTF8.self) != nil)
            if bytes.first == UInt8(ascii: " "), let last = unfolded.popLast() {
                unfolded.append(last + bytes.dropFirst())
            } else {
                unfolded.append(bytes)
            }
        }
        return try unfolded.map { bytes in
            let line = try #require(String(validating: bytes, as: UTF8.self))
            let colon = try #require(line.firstIndex(of: ":"))
            let parts = line[..<colon].split(separator: ";")
            let pairs = parts.dropFirst().map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
            return Property(
                name: String(try #require(parts.first)),
                parameters: Dictionary(uniqueKeysWithValues: pairs.map { ($0[0], $0[1]) }),
                value: String(line[line.index(after: colon)...]))
        }
    }

    /// A text without its escapes (RFC 5545 §3.3.11).
    static func unescaped(_ text: String) -> String {
        var (result, isEscaped) = ("", false)
        for character in text {
            switch (isEscaped, character) {
            case (false, "\\"): isEscaped = true
            case (false, _): result.append(character)
            case (true, "n"), (true, "N"): (result, isEscaped) = (result + "\n", false)
            case (true, _): (result, isEscaped) = (result + "\(character)", false)
            }
        }
        return result
    }

    private static func event(_ summary: String, _ description: String = "") throws -> CalendarDocument.Event {
        CalendarDocument.Event(
            identifier: "competition-1@antena", summary: summary, description: description,
            firstDay: try #require(CivilDate(parsing: "2026-12-30")),
            lastDay: try #require(CivilDate(parsing: "2026-12-31")), changeCount: 4,
            createdAt: WallClockTime(secondsSince1970: 1_767_225_600),
            changedAt: WallClockTime(secondsSince1970: 1_767_225_661), address: "https://tv.example.org/comunidad/1")
    }

    @Test func anEventLastsWholeDays() throws {
        let text = CalendarDocument(name: "Antena", events: [try Self.event("Rally")]).text
        let properties = try Self.properties(of: text)
        func value(_ name: String) -> String? { properties.first { $0.name == name }?.value }
        #expect(
            properties.filter { $0.name == "BEGIN" || $0.name == "END" }.map { "\($0.name) \($0.value)" }
                == ["BEGIN VCALENDAR", "BEGIN VEVENT", "END VEVENT", "END VCALENDAR"])
        #expect(value("VERSION") == "2.0" && value("PRODID") != nil && value("NAME") == "Antena")
        #expect(value("UID") == "competition-1@antena" && value("SEQUENCE") == "4")
        let dates = properties.filter { $0.parameters["VALUE"] == "DATE" }
        #expect(dates.map(\.name) == ["DTSTART", "DTEND"] && dates.map(\.value) == ["20261230", "20270101"])
        #expect(value("DTSTAMP") == "20260101T000101Z" && value("LAST-MODIFIED") == "20260101T000101Z")
        #expect(value("CREATED") == "20260101T000000Z")
        #expect(value("URL") == "https://tv.example.org/comunidad/1")
        #expect(value("DESCRIPTION") == nil)
    }

    @Test(arguments: [
        "a, b; c\\d", "one\ntwo\r\nthree", "BEGIN:VEVENT\nEND:VCALENDAR", "\\n", "ends with \\",
        String(repeating: "á", count: 500), String(repeating: "👩‍👩‍👧‍👦", count: 40), String(repeating: "x", count: 67),
        String(repeating: "x", count: 68), "tab\tand\u{0}control\u{7}",
    ])
    func textsComeBackAsTheyWere(_ text: String) throws {
        let calendar = CalendarDocument(name: text, events: [try Self.event(text, text), try Self.event("b")]).text
        let properties = try Self.properties(of: calendar)
        let expected = text.replacing("\r\n", with: "\n").unicodeScalars.filter { $0 == "\n" || $0.value >= 0x20 }
        for name in ["SUMMARY", "DESCRIPTION", "X-WR-CALNAME"] {
            let value = try #require(properties.first { $0.name == name }?.value)
            #expect(Array(Self.unescaped(value).unicodeScalars) == Array(expected), "\(name)")
        }
        #expect(properties.filter { $0.name == "BEGIN" }.map(\.value) == ["VCALENDAR", "VEVENT", "VEVENT"])
    }
}
