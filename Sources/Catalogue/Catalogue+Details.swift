import Database
package import LibraryDetails
import MediaCore

extension Catalogue {
    package func titleDetails(id: String) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        try await described(id: id)
    }

    package func trackDetails(id: String) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        try await described(id: id)
    }

    private func described<Record: LibraryRecord>(
        id: String
    ) async throws -> (record: Record, layers: DetailLayers)? {
        try await database.read { db in
            guard let record = try Record.first(db, "WHERE id = ?1", .text(id)) else { return nil }
            return (record, try DetailRows.layers(of: record, db))
        }
    }

    package func chooseDetails(
        ofTitle id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: TitleRecord, layers: DetailLayers)? {
        try await choose(id: id, version: version, change)
    }

    package func chooseDetails(
        ofTrack id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: AudioTrackRecord, layers: DetailLayers)? {
        try await choose(id: id, version: version, change)
    }

    private func choose<Record: LibraryRecord>(
        id: String, version: String?, _ change: @escaping @Sendable (inout ItemDetails) -> Void
    ) async throws -> (record: Record, layers: DetailLayers)? {
        try await database.write { db in
            guard let old = try Record.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(id)) else { return nil }
            var layers = try DetailRows.layers(of: old, db)
            guard version == nil || version == layers.version else {
                throw Refusal.changedMeanwhile(id)
            }
            change(&layers.chosen)
            try DetailRows.set(layers.chosen, from: .operator, in: Record.tableName, of: id, db)
            return (try Self.show(layers, in: old, db), layers)
        }
    }

    package func note(_ notes: [ItemNotes], ofTitles: Bool) async throws -> Set<String> {
        ofTitles
            ? try await note(notes, TitleRecord.self)
            : try await note(notes, AudioTrackRecord.self)
    }

    private func note<Record: LibraryRecord>(
        _ notes: [ItemNotes], _ type: Record.Type
    ) async throws -> Set<String> {
        try await database.write { db in
            var known: Set<String> = []
            // Always in the same order, so that two servers do not wait for each other.
            for note in notes.sorted(by: { $0.id < $1.id }) {
                guard let old = try Record.first(db, "WHERE id = ?1\(db.dialect.rowLock)", .text(note.id)) else {
                    continue
                }
                try DetailRows.set(
                    note.details, from: .notes, mark: note.mark, in: Record.tableName, of: note.id, db)
                let column =
                    Record.tableName == TitleRecord.tableName ? "posterFile" : "coverFile"
                try db.execute(
                    "UPDATE \(Record.tableName) SET \(column) = ?1 WHERE id = ?2", SQLValue(note.image?.stored),
                    .text(note.id))
                _ = try Self.show(try DetailRows.layers(of: old, db), in: old, db)
                known.insert(note.id)
            }
            return known
        }
    }

    package func noteMarks(ofTitles: Bool) async throws -> [String: String] {
        let section = ofTitles ? TitleRecord.tableName : AudioTrackRecord.tableName
        let rows = try await database.read { db in
            try db.rows(
                "SELECT subject, mark FROM itemDetails WHERE section = ?1 AND source = ?2 AND mark IS NOT NULL",
                [.text(section), .text(DetailSource.notes.rawValue)]
            ) { row in (try row.value("subject") as String, try row.value("mark") as String) }
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Writes a record with the details that people are to see from now on.
    private static func show<Record: LibraryRecord>(
        _ layers: DetailLayers, in old: Record, _ db: any SQLConnection
    ) throws -> Record {
        var record = old
        record.show(layers.effective)
        if record != old, let number = try Record.number(ofID: record.id, db) {
            try record.update(number: number, db)
        }
        return record
    }
}
