import MediaCore
package import MediaIntake
package import MediaWorker
package import Scoreboard
import SiteTexts
import TableDocuments

/// Makes PDF files of results, in worker processes.
package actor ResultDocuments {
    /// The results of a document, and its words.
    package struct Content: Sendable {
        package var matches: [MatchSummary]
        /// Whether there are older results that the document leaves out.
        package var hasMore = false
        /// The name of the station.
        package var station: String
        /// The filter in lines.
        package var lines: [String]
        package var text: ResultText

        package init(_ matches: [MatchSummary], station: String, lines: [String], text: ResultText) {
            (self.matches, self.station, self.lines, self.text) = (matches, station, lines, text)
        }
    }

    private let printing: any DocumentPrinting
    /// Documents that are made, or wait for it.
    private var requests = SenderShares(limit: 8, ofMember: 2)
    /// Workers that may be started: each needs a processor for up to some seconds.
    private var freeCount = 2
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// Limit of the results of a document. The newest count.
    package static let maximumCount = TableDocument.maximumRowCount

    /// - Parameter printing: makes documents.
    package init(_ printing: any DocumentPrinting) { self.printing = printing }

    /// Makes a PDF file.
    ///
    /// - Parameters:
    ///   - sender: who asks for it.
    ///   - load: reads the results, once there is room for the document.
    /// - Throws: `Refusal` with `busy` if too many are being made, `unavailable` with the packages to install if the
    ///   libraries are missing or fail, and `invalidField` if the file would be too large; and errors of `load`.
    package func pdf(
        for sender: UploadSender, _ load: @Sendable () async throws -> Content
    ) async throws -> (content: Content, file: [UInt8]) {
        guard requests.take(for: sender) else {
            throw Refusal(.busy, "other documents are being made; try again in a moment")
        }
        defer { requests.giveBack(of: sender) }
        await takePlace()
        defer { givePlaceBack() }
        let content = try await load()
        do {
            return (content, try await printing.pdf(Self.document(content)))
        } catch let error as PDFError {
            throw error.code == .tooLarge
                ? Refusal(.invalidField, error.reason, fields: ["format"])
                : Refusal(.unavailable, "the PDF file could not be made: \(error.reason)")
        }
    }

    private func takePlace() async {
        if freeCount > 0 {
            freeCount -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func givePlaceBack() {
        if waiting.isEmpty { freeCount += 1 } else { waiting.removeFirst().resume() }
    }

    private static func document(_ content: Content) -> TableDocument {
        let text = content.text
        let columns = [
            (text.resultDate, 13), (text.resultWinner, 24), (text.resultLoser, 24), (text.resultScore, 18),
            (text.resultTime, 9), (text.resultCompetition, 14),
        ].map { TableDocument.Column($0.0, share: $0.1) }
        let rows = content.matches.map { match in
            [
                match.resultTime.date.description, match.nameWithCountries(of: match.firstSide),
                match.nameWithCountries(of: match.firstSide.other), match.scoreText, text.minutes(match),
                match.competition,
            ]
        }
        var document = TableDocument(
            title: content.station, columns: columns, rows: rows, pageLabel: text.pageLabel,
            language: text.language.rawValue)
        document.lines = [text.resultHeading] + content.lines
        if content.hasMore {
            document.note = text.older(content.matches.count)
        } else if rows.isEmpty {
            document.note = text.resultNone
        }
        return document
    }
}
