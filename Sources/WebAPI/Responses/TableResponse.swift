import CSVDocument
import HTTPTypes
import Hummingbird
import NIOCore

/// A table for spreadsheets. It is read and sent a page at a time, so that a long one needs no more memory than a short
/// one.
enum TableResponse {
    /// Rows of a table, and the cursor of the page that follows.
    typealias Page = (rows: [[String]], next: String?)

    /// - Parameters:
    ///   - file: the name under which a browser keeps it.
    ///   - header: the names of the columns.
    ///   - page: reads the page after a cursor; `nil` for the first.
    /// - Throws: errors of the first page; after that an error breaks the answer off.
    static func of(
        _ file: String, header: [String], page: @escaping @Sendable (String?) async throws -> Page
    ) async throws -> Response {
        let first = try await page(nil)
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/csv; charset=utf-8; header=present", .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(file)\"",
            ],
            body: ResponseBody { writer in
                try await writer.write(ByteBuffer(string: CSVRow.text(header)))
                var current = first
                while true {
                    try await writer.write(ByteBuffer(string: current.rows.map(CSVRow.text).joined()))
                    guard let next = current.next else { break }
                    current = try await page(next)
                }
                try await writer.finish(nil)
            })
    }
}
