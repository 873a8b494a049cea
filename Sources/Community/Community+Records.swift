package import Accounts
import Database
package import MediaCore

extension Community {
    /// Moderators' decisions about the owner of an item, newest first; empty for one of the station.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func history(of kind: ReportedKind, _ id: OpaqueID) async throws -> [ModerationRecord] {
        try await database.read { db in
            guard let owner = try Self.item(kind, id, db).owner else { return [] }
            return try RecordRows.records(of: owner, limit: ModerationRecord.maximumListedCount, db)
        }
    }

    /// Moderators' decisions about the owners of items of the queue, by the IDs of the items, newest first.
    package func histories(of items: [ModeratedItem]) async throws -> [OpaqueID: [ModerationRecord]] {
        let owners = Set(items.compactMap(\.owner))
        guard !owners.isEmpty else { return [:] }
        let records = try await database.read { db in
            try RecordRows.records(of: owners.sorted { $0.text < $1.text }, db)
        }
        var found: [OpaqueID: [ModerationRecord]] = [:]
        for item in items { found[item.subject] = item.owner.flatMap { records[$0] } }
        return found
    }

    /// A page of moderators' decisions about the caller, newest first.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func ownRecords(
        of caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ModerationRecord> {
        let (member, size) = (try Self.member(caller).id, ListPage<ModerationRecord>.size(limit))
        let start = try ListCursor.start(cursor)
        let rows = try await database.read { db in
            try RecordRows.records(of: member, before: start, limit: size + 1, db)
        }
        return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
    }

    /// Warns the owner of something that was reported, who reads the text on the page of the own profile. The reports
    /// stay open. It is in the audit log.
    ///
    /// - Throws: `Refusal` with `notFound`, `emptyField`, `invalidField`, or `conflict` for something of
    ///   the station.
    package func warn(_ kind: ReportedKind, _ id: OpaqueID, _ text: String, by caller: Caller) async throws {
        let text = try MemberText.lines(text, "text", maximumLength: ModeratedItem.maximumNoteLength)
        guard !text.isEmpty else {
            throw Refusal(.emptyField, "the field `text` must not be empty", field: "text")
        }
        try await note(.warned, kind, id, text, by: caller)
    }

    /// The account of the owner of something that was reported.
    ///
    /// - Throws: `Refusal` with `notFound`, or `conflict` for something of the station.
    package func owner(of kind: ReportedKind, _ id: OpaqueID) async throws -> UserID {
        try await database.read { db in try Self.owner(of: try Self.item(kind, id, db)) }
    }

    /// Notes that the account of the owner of an item was suspended, for the owner and for other moderators.
    ///
    /// - Throws: `Refusal` with `notFound`, `invalidField`, or `conflict` for something of the station.
    package func noteSuspension(_ kind: ReportedKind, _ id: OpaqueID, _ text: String, by caller: Caller) async throws {
        let text = try MemberText.lines(text, "note", maximumLength: ModeratedItem.maximumNoteLength)
        try await note(.suspended, kind, id, text, by: caller)
    }

    /// Checks what a moderator wants to tell an owner, before anything is changed.
    ///
    /// - Throws: `Refusal` with `invalidField`.
    package static func check(note text: String) throws(Refusal) {
        _ = try MemberText.lines(text, "note", maximumLength: ModeratedItem.maximumNoteLength)
    }

    private func note(
        _ event: ModerationRecord.Event, _ kind: ReportedKind, _ id: OpaqueID, _ text: String, by caller: Caller
    ) async throws {
        let (name, now) = (Self.moderatorName(caller), now)
        try await database.write { db in
            let item = try Self.item(kind, id, db)
            let owner = try Self.owner(of: item)
            try RecordRows.add(event, about: item, text, by: name, at: now, db)
            try Accounts.note(
                .memberWarned, by: caller, about: owner, after: "\(kind.rawValue) \(id): \(event.rawValue): \(text)",
                at: now, db)
        }
    }

    private static func owner(of item: ModeratedItem) throws(Refusal) -> UserID {
        guard let owner = item.owner else {
            throw Refusal(.conflict, "this belongs to the station, or to an account that was deleted")
        }
        return owner
    }
}
