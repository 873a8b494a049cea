package import Foundation

/// The programmes of a channel: those of each week, and those of single days. Of several at the same time, the one that
/// began last is shown.
package struct ProgrammeGuide: Sendable, Hashable {
    /// A programme of the guide.
    package struct Entry: Sendable, Hashable {
        package var title: String
        /// The days of the week, from Monday (0) to Sunday (6), on which it begins; empty for a single day.
        package var weekdays: Set<Int>
        /// The single day on which it begins, in days since 1970; `nil` for a programme of each week.
        package var day: Int?
        /// Minutes after midnight at which it begins, from 0 to 1,439.
        package var start: Int
        /// Its length in minutes, from 1 to 1,440.
        package var minutes: Int

        package init(title: String, weekdays: Set<Int> = [], day: Int? = nil, start: Int, minutes: Int) {
            (self.title, self.weekdays, self.day, self.start, self.minutes) = (title, weekdays, day, start, minutes)
        }
    }

    /// A programme with its times.
    package struct Slot: Sendable, Hashable {
        package var title: String
        package var start: Date
        package var end: Date
    }

    package var entries: [Entry]
    /// The time zone of the entries.
    package var zone: TimeZone

    /// Limit of a guide's entries.
    package static let maximumEntryCount = 200
    private static let minutesPerDay = 1_440
    private static let daysPerWeek = 7
    /// The weekday of the first day of 1970, a Thursday.
    private static let firstWeekday = 3

    package init(_ entries: [Entry], zone: TimeZone) { (self.entries, self.zone) = (entries, zone) }

    /// The programme that is on at a time, and the one that follows within a week.
    package func slots(at time: Date) -> (now: Slot?, next: Slot?) {
        guard time.timeIntervalSince1970.magnitude < 1e11 else { return (nil, nil) }
        let local = Int((time.timeIntervalSince1970 / 60).rounded(.down)) + zone.secondsFromGMT(for: time) / 60
        let today =
            (local - (local % Self.minutesPerDay + Self.minutesPerDay) % Self.minutesPerDay) / Self.minutesPerDay
        var (now, next): ((entry: Entry, start: Int)?, (entry: Entry, start: Int)?) = (nil, nil)
        for day in (today - 1)...(today + Self.daysPerWeek) {
            let weekday = ((day + Self.firstWeekday) % Self.daysPerWeek + Self.daysPerWeek) % Self.daysPerWeek
            for entry in entries where entry.day.map({ $0 == day }) ?? entry.weekdays.contains(weekday) {
                let start = day * Self.minutesPerDay + entry.start
                if start > local {
                    if next.map({ start < $0.start }) ?? true { next = (entry, start) }
                } else if start + entry.minutes > local, now.map({ start >= $0.start }) ?? true {
                    now = (entry, start)
                }
            }
        }
        return (now.map(slot), next.map(slot))
    }

    private func slot(_ entry: Entry, _ start: Int) -> Slot {
        // The offset at the start may be another one than now.
        let guess = Date(timeIntervalSince1970: Double(start) * 60)
        let begin = guess.addingTimeInterval(-Double(zone.secondsFromGMT(for: guess)))
        let exact = guess.addingTimeInterval(-Double(zone.secondsFromGMT(for: begin)))
        return Slot(title: entry.title, start: exact, end: exact.addingTimeInterval(Double(entry.minutes) * 60))
    }
}
