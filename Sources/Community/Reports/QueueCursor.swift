import Accounts
import MediaCore

/// The end of a page of the moderation queue.
struct QueueCursor {
    let time: WallClockTime
    let subject: String

    private static let list = "queue"

    init(time: WallClockTime, subject: String) { (self.time, self.subject) = (time, subject) }

    /// - Throws: `Refusal` with `invalidCursor`.
    init(parsing text: String) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list, keyCount: 2)
        guard let id = OpaqueID(parsing: place.keys[1]) else { throw .invalidCursor }
        self.init(time: WallClockTime(millisecondsSince1970: try place.number(0)), subject: id.text)
    }

    var text: String { ListCursor(Self.list, ["\(time.millisecondsSince1970)", subject]).text }
}
