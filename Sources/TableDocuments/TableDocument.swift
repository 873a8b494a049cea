/// A table that is printed on pages of paper.
package struct TableDocument: Codable, Sendable, Hashable {
    package struct Column: Codable, Sendable, Hashable {
        package var heading: String
        /// The share of the page's width, compared with those of the other columns.
        package var share: Int

        package init(_ heading: String, share: Int) {
            (self.heading, self.share) = (heading, share)
        }
    }

    /// The heading of the first page, which the other pages repeat in small letters.
    package var title: String
    /// The lines below the heading of the first page, such as the filter of a list.
    package var lines: [String] = []
    package var columns: [Column]
    /// The rows with a text for each column.
    package var rows: [[String]]
    /// A sentence after the last row; empty for none.
    package var note = ""
    /// The words at the foot of a page, with `{page}` and `{count}` in place of the numbers.
    package var pageLabel: String
    /// The tag of the language, such as "es".
    package var language: String

    package init(title: String, columns: [Column], rows: [[String]], pageLabel: String, language: String) {
        (self.title, self.columns, self.rows) = (title, columns, rows)
        (self.pageLabel, self.language) = (pageLabel, language)
    }

    /// Limit of the rows: 400 pages, which take two seconds.
    package static let maximumRowCount = 10_000
    /// Limit of the columns that fit on paper.
    package static let maximumColumnCount = 12
    /// Limit of a document as JSON.
    package static let maximumByteCount = 32 << 20
}
