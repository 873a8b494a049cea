import Foundation
import HTTPEndpoints
import Testing

struct ProgrammeGuideTests {
    private static let madrid = TimeZone(identifier: "Europe/Madrid") ?? .gmt

    private func time(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }

    private func guide(_ entries: ProgrammeGuide.Entry..., zone: TimeZone = madrid) -> ProgrammeGuide {
        ProgrammeGuide(entries, zone: zone)
    }

    @Test func whatIsOnNowAndNextIsTold() throws {
        let guide = guide(
            .init(title: "News", weekdays: [0, 1, 2, 3, 4], start: 18 * 60, minutes: 30),
            .init(title: "Final", day: 20_788, start: 18 * 60 + 15, minutes: 120),
            .init(title: "Night", weekdays: [6], start: 23 * 60, minutes: 120))
        // 2026-12-01 is a Tuesday, and the day 20,788 since 1970.
        var slots = guide.slots(at: try time("2026-12-01T17:05:00Z"))
        #expect(slots.now?.title == "News" && slots.next?.title == "Final")
        #expect(try slots.now?.end == time("2026-12-01T17:30:00Z"))
        #expect(try slots.next?.start == time("2026-12-01T17:15:00Z"))
        // The one that began last is shown.
        slots = guide.slots(at: try time("2026-12-01T17:20:00Z"))
        #expect(slots.now?.title == "Final")
        #expect(try slots.next?.start == time("2026-12-02T17:00:00Z"))
        // Over midnight, and over the end of the week.
        slots = guide.slots(at: try time("2026-12-06T23:30:00Z"))
        #expect(slots.now?.title == "Night" && slots.next?.title == "News")
        #expect(try slots.now?.start == time("2026-12-06T22:00:00Z"))
        slots = guide.slots(at: try time("2026-12-05T12:00:00Z"))
        #expect(slots.now == nil && slots.next?.title == "Night")
    }

    /// A programme of each week begins at the same time of day, whatever the clocks do in between.
    @Test func theTimeOfDayStaysWhenClocksChange() throws {
        let guide = guide(.init(title: "News", weekdays: [6], start: 18 * 60, minutes: 30))
        // Clocks go forward on 2026-03-29, a Sunday.
        #expect(try guide.slots(at: try time("2026-03-28T12:00:00Z")).next?.start == time("2026-03-29T16:00:00Z"))
        #expect(try guide.slots(at: try time("2026-03-22T18:00:00Z")).next?.start == time("2026-03-29T16:00:00Z"))
        #expect(try guide.slots(at: try time("2026-10-24T12:00:00Z")).next?.start == time("2026-10-25T17:00:00Z"))
    }

    @Test func nothingIsOnWithoutEntriesOrBeforeTime() throws {
        #expect(guide().slots(at: Date()).next == nil)
        let always = guide(.init(title: "All day", weekdays: Set(0...6), start: 0, minutes: 1_440), zone: .gmt)
        #expect(always.slots(at: Date(timeIntervalSince1970: -1)).now?.title == "All day")
        #expect(always.slots(at: .distantPast).now?.title == "All day")
        #expect(always.slots(at: Date(timeIntervalSince1970: .infinity)).now == nil)
    }
}
