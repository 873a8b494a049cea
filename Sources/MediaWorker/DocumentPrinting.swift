package import TableDocuments

/// Makes documents: processes in the server, a stand-in in tests.
package protocol DocumentPrinting: Sendable {
    /// Makes a PDF file of a table.
    ///
    /// - Throws: `PDFError`; `CancellationError` if the calling task is cancelled.
    func pdf(_ document: TableDocument) async throws -> [UInt8]
}
