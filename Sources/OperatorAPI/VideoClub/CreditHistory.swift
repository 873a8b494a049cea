import Accounts
import CSVDocument
import HTTPTypes
import Hummingbird
import NIOCore
import VideoClub

/// A member's movements as a table for a spreadsheet, newest first. It is read and sent a page at a time, so that a long
/// history needs no more memory than a short one.
struct CreditHistory: Sendable {
    let club: VideoClub
    let user: UserID

    private static let header = [
        "at", "id", "reason", "amount", "balance", "note", "rental", "reverses", "expires at",
    ]

    /// - Throws: `SQLError` if the first page cannot be read; after that an outage breaks the answer off.
    func response() async throws -> Response {
        let first = try await page(after: nil)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"credits.csv\"",
            ],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: CSVRow.text(Self.header)))
                var page = first
                while true {
                    try await writer.write(ByteBuffer(string: page.items.map(Self.row).joined()))
                    guard let next = page.next else { break }
                    page = try await self.page(after: next)
                }
                try await writer.finish(nil)
            })
    }

    private func page(after cursor: String?) async throws -> AccountsPage<CreditMovement> {
        try await club.movements(of: user, after: cursor, limit: AccountsPage<CreditMovement>.maximumSize).page
    }

    private static func row(_ movement: CreditMovement) -> String {
        CSVRow.text([
            APIResources.timeText(movement.happenedAt), movement.id.text, movement.reason.rawValue,
            "\(movement.amount)", "\(movement.balance)", movement.note, movement.rental?.text ?? "",
            movement.reverses?.text ?? "", movement.expiresAt.map(APIResources.timeText) ?? "",
        ])
    }
}
