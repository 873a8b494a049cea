import MediaCore
import Synchronization
import Testing

@testable import Gateway

struct DateFieldTests {
    @Test func theTextIsThatOfTheSecond() {
        let now = Mutex(WallClockTime(millisecondsSince1970: 1_795_422_782_000))
        let date = DateField(wallClock: WallClock { now.withLock { $0 } })
        #expect(date.text == "Mon, 23 Nov 2026 08:33:02 GMT")
        now.withLock { $0 = WallClockTime(millisecondsSince1970: 1_795_422_782_999) }
        #expect(date.text == "Mon, 23 Nov 2026 08:33:02 GMT")
        now.withLock { $0 = WallClockTime(millisecondsSince1970: 1_795_422_783_000) }
        #expect(date.text == "Mon, 23 Nov 2026 08:33:03 GMT")
        // A clock that is set back counts.
        now.withLock { $0 = WallClockTime(millisecondsSince1970: 1_795_422_782_500) }
        #expect(date.text == "Mon, 23 Nov 2026 08:33:02 GMT")
    }
}
