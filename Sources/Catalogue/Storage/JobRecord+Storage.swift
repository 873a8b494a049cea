import Database

extension JobRecord: StoredRecord {
    static let table = SQLTable(
        "job",
        [
            .identity("number"), .text("kind"), .text("subject", .optional), .text("section", .optional),
            .text("file"), .text("origin", .optional), .integer("byteCount", .optional), .text("state"),
            .text("phase", .optional), .real("progress", .optional), .text("error", .optional), .integer("attempt"),
            .integer("priority"), .text("createdAt"), .text("startedAt", .optional), .text("endedAt", .optional),
            .text("message", .optional), .text("parameters", .optional),
        ], indexes: [SQLIndex("job_state", "state", "number")])

    init(_ row: SQLRow) throws(SQLError) {
        self.init(
            number: try row.value("number"), kind: JobKind(rawValue: try row.value("kind")),
            subject: try row.optional("subject"), section: try row.optional("section"), file: try row.value("file"),
            state: try row.choice("state"), priority: try row.value("priority"), createdAt: try row.date("createdAt"))
        origin = try row.optional("origin")
        parameters = try row.optional("parameters")
        byteCount = try row.optional("byteCount")
        phase = try row.optional("phase")
        progress = try row.optional("progress")
        error = try row.optional("error")
        attempt = try row.value("attempt")
        startedAt = try row.optionalDate("startedAt")
        endedAt = try row.optionalDate("endedAt")
        message = try row.optional("message")
    }

    var values: KeyValuePairs<String, SQLValue> {
        [
            "number": .integer(number), "kind": .text(kind.rawValue), "subject": SQLValue(subject),
            "section": SQLValue(section), "file": .text(file), "origin": SQLValue(origin),
            "byteCount": SQLValue(byteCount), "state": .text(state.rawValue), "phase": SQLValue(phase),
            "progress": SQLValue(progress), "error": SQLValue(error), "attempt": SQLValue(attempt),
            "priority": SQLValue(priority), "createdAt": .text(StoredDate(createdAt).text),
            "startedAt": SQLValue(startedAt.map { StoredDate($0).text }),
            "endedAt": SQLValue(endedAt.map { StoredDate($0).text }), "message": SQLValue(message),
            "parameters": SQLValue(parameters),
        ]
    }
}
