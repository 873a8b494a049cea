import Database

extension JobRecord: StoredRecord {
    static let table = SQLTable("job", Column.tableColumns, key: ["number"], isNumbered: true)

    enum Column: Int, RecordColumn {
        case number, kind, subject, section, file, origin, byteCount, state, phase, progress, error, attempt, priority
        case createdAt, startedAt, endedAt, message, parameters

        var type: SQLColumnType {
            switch self {
            case .number, .byteCount, .attempt, .priority: .integer
            case .progress: .real
            case .kind, .subject, .section, .file, .origin, .state, .phase, .error, .createdAt, .startedAt, .endedAt,
                .message, .parameters:
                .text
            }
        }
    }

    init(_ row: RecordRow<Column>) throws(SQLError) {
        self.init(
            number: try row.value(.number), kind: JobKind(rawValue: try row.value(.kind)),
            subject: try row.optional(.subject), section: try row.optional(.section), file: try row.value(.file),
            origin: try row.optional(.origin), parameters: try row.optional(.parameters),
            state: try row.choice(.state), priority: try row.value(.priority), createdAt: try row.date(.createdAt))
        byteCount = try row.optional(.byteCount)
        phase = try row.optional(.phase)
        progress = try row.optional(.progress)
        error = try row.optional(.error)
        attempt = try row.value(.attempt)
        startedAt = try row.optionalDate(.startedAt)
        endedAt = try row.optionalDate(.endedAt)
        message = try row.optional(.message)
    }

    func value(of column: Column) -> SQLValue {
        switch column {
        case .number: .integer(number)
        case .kind: .text(kind.rawValue)
        case .subject: SQLValue(subject)
        case .section: SQLValue(section)
        case .file: .text(file)
        case .origin: SQLValue(origin)
        case .byteCount: SQLValue(byteCount)
        case .state: .text(state.rawValue)
        case .phase: SQLValue(phase)
        case .progress: SQLValue(progress)
        case .error: SQLValue(error)
        case .attempt: SQLValue(attempt)
        case .priority: SQLValue(priority)
        case .createdAt: .text(StoredDate(createdAt).text)
        case .startedAt: SQLValue(startedAt.map { StoredDate($0).text })
        case .endedAt: SQLValue(endedAt.map { StoredDate($0).text })
        case .message: SQLValue(message)
        case .parameters: SQLValue(parameters)
        }
    }
}
