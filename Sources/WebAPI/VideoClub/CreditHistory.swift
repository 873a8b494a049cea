import Accounts
import Hummingbird
import MediaCore
import VideoClub

/// A member's movements as a table for a spreadsheet, newest first.
struct CreditHistory: Sendable {
    let club: VideoClub
    let user: UserID

    private static let header = [
        "at", "id", "reason", "amount", "balance", "note", "rental", "reverses", "expires at",
    ]

    /// - Throws: `SQLError` if the first page cannot be read; after that an outage breaks the answer off.
    func response() async throws -> Response {
        try await TableResponse.of("credits.csv", header: Self.header) { cursor in
            let page = try await club.movements(
                of: user, after: cursor, limit: ListPage<CreditMovement>.maximumSize
            ).page
            return (page.items.map(Self.row), page.next)
        }
    }

    private static func row(_ movement: CreditMovement) -> [String] {
        [
            APIResources.timeText(movement.happenedAt), movement.id.text, movement.reason.rawValue,
            "\(movement.amount)", "\(movement.balance)", movement.note, movement.rental?.text ?? "",
            movement.reverses?.text ?? "", movement.expiresAt.map(APIResources.timeText) ?? "",
        ]
    }
}
