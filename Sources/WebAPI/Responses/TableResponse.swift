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
        try await text(file, type: "text/csv; charset=utf-8; header=present", head: CSVRow.text(header)) { cursor in
            let (rows, next) = try await page(cursor)
            return (rows.map(CSVRow.text).joined(), next)
        }
    }

    /// A text that is read and sent like a table.
    ///
    /// - Parameters:
    ///   - file: the name under which a browser keeps it.
    ///   - type: the type of its media.
    ///   - head: the beginning of the text.
    ///   - page: reads the page after a cursor; `nil` for the first.
    /// - Throws: errors of the first page; after that an error breaks the answer off.
    static func text(
        _ file: String, type: String, head: String = "",
        page: @escaping @Sendable (String?) async throws -> (text: String, next: String?)
    ) async throws -> Response {
        let first = try await page(nil)
        return Response(
            status: .ok,
            headers: [
                .contentType: type, .cacheControl: "no-store",
                .contentDisposition: "attachment; filename=\"\(file)\"",
            ],
            body: ResponseBody { writer in
                var current = (text: head + first.text, next: first.next)
                while true {
                    try await writer.write(ByteBuffer(string: current.text))
                    guard let next = current.next else { break }
                    current = try await page(next)
                }
                try await writer.finish(nil)
            })
    }
}
