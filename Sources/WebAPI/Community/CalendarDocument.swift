import APIContract
import Community
import HTTPEndpoints
import MediaCore
import Workflows

/// A calendar for other programs (iCalendar, RFC 5545). Its events last whole days.
struct CalendarDocument: Sendable, Hashable {
    /// Some dates in a row.
    struct Event: Sendable, Hashable {
        /// The name of the event, the same in every version of the calendar.
        var identifier: String
        var summary: String
        var description: String
        var firstDay: CivilDate
        var lastDay: CivilDate
        /// The number of changes so far.
        var changeCount: Int64
        var createdAt: WallClockTime
        var changedAt: WallClockTime
        /// The address of a page about it; `nil` if the server does not know its own.
        var address: String?
    }

    /// The calendar's name in programs.
    var name: String
    var events: [Event]

    /// Limit of a line in octets, without its end (RFC 5545 §3.1).
    private static let maximumLineByteCount = 75
    private static let refreshInterval = "PT1H"

    /// The text, with the line ends of the format.
    var text: String {
        var lines = [
            "BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Antena//\(Product.name) \(Product.version)//EN",
            "CALSCALE:GREGORIAN", "NAME:\(Self.escaped(name))", "X-WR-CALNAME:\(Self.escaped(name))",
            // RFC 7986 §5.7, and the name that older programs know.
            "REFRESH-INTERVAL;VALUE=DURATION:\(Self.refreshInterval)", "X-PUBLISHED-TTL:\(Self.refreshInterval)",
        ]
        for event in events { lines += Self.lines(event) }
        lines.append("END:VCALENDAR")
        return lines.map(Self.folded).joined()
    }

    private static func lines(_ event: Event) -> [String] {
        let end = CivilDate(daysSince1970: event.lastDay.daysSince1970 + 1)
        var lines = [
            "BEGIN:VEVENT", "UID:\(event.identifier)",
            // Without METHOD, DTSTAMP is the time of the last change, too (RFC 5545 §3.8.7.2).
            "DTSTAMP:\(timestamp(event.changedAt))", "LAST-MODIFIED:\(timestamp(event.changedAt))",
            "CREATED:\(timestamp(event.createdAt))", "SEQUENCE:\(event.changeCount)",
            // The end is the day after the last one (RFC 5545 §3.6.1).
            "DTSTART;VALUE=DATE:\(digits(event.firstDay.description))", "DTEND;VALUE=DATE:\(digits(end.description))",
            "SUMMARY:\(escaped(event.summary))",
        ]
        if !event.description.isEmpty { lines.append("DESCRIPTION:\(escaped(event.description))") }
        if let address = event.address { lines.append("URL:\(address)") }
        return lines + ["TRANSP:TRANSPARENT", "END:VEVENT"]
    }

    private static func timestamp(_ time: WallClockTime) -> String { digits(APIResources.timeText(time)) }

    /// The basic form of a date of ISO 8601.
    private static func digits(_ text: String) -> String { text.filter { $0 != "-" && $0 != ":" } }

    /// RFC 5545 §3.3.11, without control characters, which no text of the format may have.
    static func escaped(_ text: String) -> String {
        text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { line in
            var escaped = ""
            for scalar in line.unicodeScalars where scalar.value >= 0x20 && scalar.value != 0x7F {
                if ["\\", ";", ","].contains(scalar) { escaped += "\\" }
                escaped.unicodeScalars.append(scalar)
            }
            return escaped
        }.joined(separator: "\\n")
    }

    /// A line with its end. What is longer than the limit goes on in lines that begin with a space; no character is
    /// taken apart.
    static func folded(_ line: String) -> String {
        var (text, byteCount) = ("", 0)
        for scalar in line.unicodeScalars {
            let width = UTF8.width(scalar)
            if byteCount + width > maximumLineByteCount {
                text += "\r\n "
                byteCount = 1
            }
            text.unicodeScalars.append(scalar)
            byteCount += width
        }
        return text + "\r\n"
    }
}

extension CalendarDocument.Event {
    /// - Parameters:
    ///   - competition: a competition.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if the operator has not named it.
    init(_ competition: Competition, publicAddress: PublicAddress?) {
        self.init(
            identifier: "competition-\(competition.id)@antena", summary: competition.name,
            description: competition.description, firstDay: competition.schedule.firstDay,
            lastDay: competition.schedule.lastDay, changeCount: competition.revision - 1,
            createdAt: competition.createdAt, changedAt: competition.changedAt,
            address: publicAddress?.url(ResourcePaths.page(ofCompetition: competition.id)))
    }
}
