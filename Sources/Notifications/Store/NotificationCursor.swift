import MediaCore

/// The place in a list after which a page begins.
struct NotificationCursor: Sendable, Hashable {
    var changedAt: WallClockTime
    var number: Int64

    /// The place before the first notification.
    static let beginning = NotificationCursor(changedAt: .distantFuture, number: .max)

    private static let list = "notifications"

    var text: String { ListCursor(Self.list, ["\(changedAt.millisecondsSince1970)", "\(number)"]).text }

    init(changedAt: WallClockTime, number: Int64) { (self.changedAt, self.number) = (changedAt, number) }

    /// - Throws: `Refusal` with `invalidCursor`.
    init(parsing text: String) throws(Refusal) {
        let place = try ListCursor(parsing: text, of: Self.list, keyCount: 2)
        let (time, number) = (try place.number(0), try place.number(1))
        guard time >= 0, number > 0 else { throw .invalidCursor }
        self.init(changedAt: WallClockTime(millisecondsSince1970: time), number: number)
    }
}
