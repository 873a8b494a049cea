package import Accounts
import Community
import Database
import MediaCore

extension Forum {
    /// The categories of the operators, in their order.
    package func categories() async throws -> [ForumCategory] {
        try await database.read { db in try CategoryRows.all(db) }
    }

    /// - Throws: `Refusal` with `notFound`.
    package func category(_ id: OpaqueID) async throws -> ForumCategory {
        try await database.read { db in try CategoryRows.required(id, db) }
    }

    /// The topics about a channel or title; `nil` if there are none yet.
    package func category(_ kind: ForumCategory.Kind, _ subject: String) async throws -> ForumCategory? {
        try await database.read { db in try CategoryRows.category(kind, subject, db) }
    }

    /// The place for topics about a channel or title, which is made by the first topic. Whether there is such a
    /// channel or title is for the caller of this to ask.
    package func requireCategory(_ kind: ForumCategory.Kind, _ subject: String) async throws -> ForumCategory {
        precondition(kind != .general, "categories of the operators are made by them")
        let now = now
        let new = ForumCategory(
            number: 0, id: OpaqueID(), kind: kind, subject: subject, name: "", text: "", place: 0, topics: 0)
        return try await database.write { db in
            _ = try CategoryRows.insert(new, at: now, db)
            guard let category = try CategoryRows.category(kind, subject, db) else {
                throw Refusal(.notFound, "there is no such category")
            }
            return category
        }
    }

    // MARK: For operators; whether the caller is one is for the caller of these to ask

    /// Makes a category.
    ///
    /// - Throws: `Refusal` with `missingFields`, `invalidField`, `conflict` for a name that exists, or `tooMany`.
    package func createCategory(_ change: ForumCategoryChange) async throws -> ForumCategory {
        guard let name = change.name else { throw Refusal.missing(["name"]) }
        var category = ForumCategory(
            number: 0, id: OpaqueID(), kind: .general, subject: "", name: name, text: "", place: 0, topics: 0)
        try Self.apply(change, to: &category)
        let (new, now) = (category, now)
        return try await database.write { db in
            let count: Int64 =
                try db.firstValue("SELECT COUNT(*) FROM forumCategory WHERE kind = 'general'") ?? 0
            guard count < ForumCategory.maximumCount else {
                throw Refusal(.tooMany, "the limit of \(ForumCategory.maximumCount) categories is reached")
            }
            guard try CategoryRows.insert(new, at: now, db) else { throw Self.nameExists(new.name) }
            return try CategoryRows.required(new.id, db)
        }
    }

    /// Changes a category of the operators.
    ///
    /// - Throws: `Refusal` with `notFound`, `emptyField`, `invalidField`, or `conflict` for a name that exists.
    package func changeCategory(_ id: OpaqueID, _ change: ForumCategoryChange) async throws -> ForumCategory {
        try await database.write { db in
            var category = try CategoryRows.required(id, locks: true, db)
            guard category.kind == .general else {
                throw Refusal(.conflict, "the topics about a channel or title have no name of their own")
            }
            try Self.apply(change, to: &category)
            if let other = try CategoryRows.category(.general, category.subject, db), other.id != id {
                throw Self.nameExists(category.name)
            }
            try db.execute(
                "UPDATE forumCategory SET subject = ?2, name = ?3, text = ?4, place = ?5 WHERE id = ?1",
                .text(id.text), .text(category.subject), .text(category.name), .text(category.text),
                .integer(category.place))
            return category
        }
    }

    /// Deletes a category that has no topics.
    ///
    /// - Throws: `Refusal` with `notFound`, or `conflict` if it has topics.
    package func deleteCategory(_ id: OpaqueID) async throws {
        try await database.write { db in
            let category = try CategoryRows.required(id, locks: true, db)
            guard try !db.exists("SELECT 1 FROM forumTopic WHERE category = ?1", .integer(category.number)) else {
                throw Refusal(.conflict, "the category has topics; move or delete them first")
            }
            try db.execute(
                "DELETE FROM forumFollow WHERE scope = 'category' AND subject = ?1", .integer(category.number))
            try db.execute("DELETE FROM forumCategory WHERE number = ?1", .integer(category.number))
        }
    }

    private static func nameExists(_ name: String) -> Refusal {
        Refusal(.conflict, "there is a category named \(Refusal.quoted(name)) already", field: "name")
    }

    private static func apply(_ change: ForumCategoryChange, to category: inout ForumCategory) throws(Refusal) {
        if let name = change.name {
            category.name = UntrustedText.strippedName(
                name, maximumCharacterCount: ForumCategory.maximumNameLength * 8)
            guard !category.name.isEmpty else {
                throw Refusal(.emptyField, "a category needs a name", field: "name")
            }
            guard category.name.count <= ForumCategory.maximumNameLength else {
                throw Refusal(
                    .invalidField, "the field `name` is limited to \(ForumCategory.maximumNameLength) characters",
                    field: "name")
            }
            category.subject = ForumText.key(category.name)
        }
        if let text = change.text {
            category.text = try ForumWriting.lines(text, "text", maximumLength: ForumCategory.maximumTextLength)
        }
        if let place = change.place {
            guard (0...ForumCategory.maximumPlace).contains(place) else {
                throw Refusal(
                    .invalidField, "the field `place` must be between 0 and \(ForumCategory.maximumPlace)",
                    field: "place", range: 0...Int(ForumCategory.maximumPlace))
            }
            category.place = place
        }
    }
}
