import Accounts
import MediaCore

/// The end of a page of the moderation queue.
struct QueueCursor {
    let time: WallClockTime
    let subject: String

    private static let separator: Character = "-"

    init(time: WallClockTime, subject: String) { (self.time, self.subject) = (time, subject) }

    /// - Throws: ``CommunityError`` with `invalidCursor`.
    init(parsing text: String) throws(CommunityError) {
        let fields = text.split(separator: Self.separator, maxSplits: 1)
        guard fields.count == 2, let milliseconds = Int64(fields[0]), let id = OpaqueID(parsing: fields[1]) else {
            throw .invalidCursor
        }
        self.init(time: WallClockTime(millisecondsSince1970: milliseconds), subject: id.text)
    }

    var text: String { "\(time.millisecondsSince1970)\(Self.separator)\(subject)" }
}
