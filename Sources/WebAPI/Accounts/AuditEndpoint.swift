import APIContract
import APIDeclarations
import Accounts
import CSVDocument
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import MediaCore
import NIOCore

/// `/api/v1/audit`: who changed what, when, and from where.
struct AuditEndpoint: Sendable {
    let context: AccountsEndpoints

    /// Limit of an export; further ones go on at the last entry's cursor.
    private static let maximumExportCount = 10_000

    var endpoint: Endpoint { Endpoint(AccountAPI.listAuditEntries, .needs(.read, .auditLog), handler: answer) }

    private func answer(_ request: Request, _ caller: GatewayRequestContext) async throws -> Response {
        let accounts = context.accounts
        let page = try PageRequest(request)
        var filter = AuditFilter(event: PageRequest.value(of: "event", in: request))
        if let name = PageRequest.value(of: "user", in: request), !name.isEmpty {
            filter.subject = try await accounts.account(named: name, by: caller.caller).id
        }
        let format = PageRequest.value(of: "format", in: request) ?? "json"
        guard ["json", "csv"].contains(format) else {
            throw ProblemDetails(.unprocessableContent, "\"format\" must be json or csv")
        }
        guard format == "csv" else {
            let entries = try await accounts.auditLog(
                filter, after: page.cursor, limit: page.limit)
            return APIPage(entries.items.map(APIResources.auditEntry), next: entries.next).response()
        }
        var (cursor, text, count) = (page.cursor, "number,at,event,actor,address,before,after\r\n", 0)
        repeat {
            let entries = try await accounts.auditLog(
                filter, after: cursor, limit: ListPage<AuditEntry>.maximumSize)
            for entry in entries.items { text += Self.line(entry) }
            count += entries.items.count
            cursor = entries.next
        } while cursor != nil && count < Self.maximumExportCount
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"audit.csv\"",
            ], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    private static func line(_ entry: AuditEntry) -> String {
        let fields = [
            "\(entry.number)", APIResources.timeText(entry.happenedAt), entry.event, entry.actorName,
            entry.address ?? "", entry.before ?? "", entry.after ?? "",
        ]
        return CSVRow.text(fields)
    }
}
