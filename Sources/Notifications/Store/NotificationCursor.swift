import Accounts
import MediaCore

/// The place in a list after which a page begins.
struct NotificationCursor: Sendable, Hashable {
    var changedAt: WallClockTime
    var number: Int64

    /// The place before the first notification.
    static let beginning = NotificationCursor(changedAt: .distantFuture, number: .max)

    var text: String { "\(changedAt.millisecondsSince1970)-\(number)" }

    init(changedAt: WallClockTime, number: Int64) { (self.changedAt, self.number) = (changedAt, number) }

    /// - Throws: `AccountsError` with `invalidCursor`.
    init(parsing text: String) throws(AccountsError) {
        let parts = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false).map { Int64($0) }
        guard parts.count == 2, let time = parts[0], let number = parts[1], time >= 0, number > 0 else {
            throw AccountsError(.invalidCursor, "the cursor is not the `next` value of a page of this list")
        }
        self.init(changedAt: WallClockTime(millisecondsSince1970: time), number: number)
    }
}
