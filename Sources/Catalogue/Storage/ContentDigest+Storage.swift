import Database

extension ContentDigest: StoredRecord {
    static let table = SQLTable(
        "contentDigest",
        [
            .text("section"), .text("subject"), .text("revision"), .integer("byteCount"), .text("sample"),
            .text("whole", .optional), .text("original", .optional),
        ], key: ["section", "subject"],
        indexes: [
            // Only originals are compared, so a thousand copies of a film cause no extra work.
            SQLIndex("contentDigest_sample", "section", "byteCount", "sample", where: "original IS NULL"),
            SQLIndex("contentDigest_original", "section", "original", where: "original IS NOT NULL"),
        ])

    init(_ row: SQLRow) throws(SQLError) {
        self.init(
            section: try row.value("section"), subject: try row.value("subject"), revision: try row.value("revision"),
            byteCount: try row.value("byteCount"), sample: try row.value("sample"), whole: try row.optional("whole"))
        original = try row.optional("original")
    }

    var values: KeyValuePairs<String, SQLValue> {
        [
            "section": .text(section), "subject": .text(subject), "revision": .text(revision),
            "byteCount": .integer(byteCount), "sample": .text(sample), "whole": SQLValue(whole),
            "original": SQLValue(original),
        ]
    }
}
