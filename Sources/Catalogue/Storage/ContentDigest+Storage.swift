import Database

extension ContentDigest: StoredRecord {
    static let table = SQLTable("contentDigest", Column.tableColumns, key: ["section", "subject"])

    enum Column: Int, RecordColumn {
        case section, subject, revision, byteCount, sample, whole, original

        var type: SQLColumnType { self == .byteCount ? .integer : .text }
    }

    init(_ row: RecordRow<Column>) throws(SQLError) {
        self.init(
            section: try row.value(.section), subject: try row.value(.subject), revision: try row.value(.revision),
            byteCount: try row.value(.byteCount), sample: try row.value(.sample), whole: try row.optional(.whole))
        original = try row.optional(.original)
    }

    func value(of column: Column) -> SQLValue {
        switch column {
        case .section: .text(section)
        case .subject: .text(subject)
        case .revision: .text(revision)
        case .byteCount: .integer(byteCount)
        case .sample: .text(sample)
        case .whole: SQLValue(whole)
        case .original: SQLValue(original)
        }
    }
}
