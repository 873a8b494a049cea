package import Accounts
package import Catalogue
import Crypto
package import Database
package import MediaCore

/// The audiences of single titles and tracks, which operators set.
///
/// Decisions are made from memory, where `Accounts` keeps all of them. Several servers can share a database: what one
/// has set holds on the others with the next ``refresh()``, which asks for one number and reads all only if it has
/// changed. While the database does not answer, what it said last goes on holding.
package actor TitleAudiences {
    private let database: any SQLDatabase
    private let accounts: Accounts
    private let wallClock: WallClock
    /// The version of the accounts' data; `nil` before the first.
    private var version: Int64?

    /// Titles and tracks with an audience of their own. All are in memory, at about 200 bytes each.
    package static let maximumCount = 100_000
    /// Accounts to which one title or track is opened.
    package static let maximumInvitedCount = 100

    /// - Parameters:
    ///   - database: the database of the catalogue and of the accounts.
    ///   - accounts: decides by the audiences.
    ///   - wallClock: tells the times of the audit log.
    package init(_ database: any SQLDatabase, accounts: Accounts, wallClock: WallClock = .system) {
        (self.database, self.accounts, self.wallClock) = (database, accounts, wallClock)
        accounts.setItemAudienceReader { id, db in try ItemAudience(ofTitle: id, db) }
    }

    /// Reads the audiences if they have changed since the last call.
    ///
    /// - Throws: `SQLError` if the database does not answer.
    package func refresh() async throws {
        let known = version
        let found = try await database.read { db -> (Int64, ItemAudiences)? in
            let version = try AudienceRows.version(db)
            return version == known ? nil : (version, try ItemAudiences(db))
        }
        // Another call may have read a later version meanwhile.
        guard let found, version.map({ $0 < found.0 }) ?? true else { return }
        version = found.0
        accounts.setItemAudiences(found.1)
    }

    /// Sets who may watch a title or track.
    ///
    /// - Parameters:
    ///   - change: the new audience; `nil` leaves it as it is.
    ///   - names: the usernames of the accounts that may watch it whatever its audience is; `nil` leaves them.
    ///   - section: titles or tracks.
    ///   - id: the ID of the title or track. Whether the caller may manage it is for the caller of this to ask.
    ///   - versions: the versions of which the change is meant for one; `nil` for any.
    ///   - caller: who makes the change.
    /// - Throws: `Refusal` with `notFound`, `tooMany`, or `changedMeanwhile` if it has another version.
    package func set(
        _ change: AudienceChange?, invited names: [String]?, in section: AudienceRows.Section, of id: String,
        from versions: Set<String>? = nil, by caller: Caller
    ) async throws {
        guard names?.count ?? 0 <= Self.maximumInvitedCount else {
            throw Refusal(
                .tooMany, "at most \(Self.maximumInvitedCount) accounts can be invited; use the audience `members`",
                fields: ["invited"])
        }
        let now = wallClock.now()
        let kind = section == .titles ? "title" : "track"
        try await database.write { db in
            guard try AudienceRows.exists(in: section, id, db) else {
                throw Refusal(.notFound, "there is no \(kind) \(Refusal.quoted(id))")
            }
            let before = try ItemAudience(id, in: section, db)
            guard versions?.contains(before.version) ?? true else {
                throw Refusal(.changedMeanwhile, "the audience was changed meanwhile; read it again")
            }
            if let change {
                if before.audience == nil, change.audience != nil,
                    try AudienceRows.ruleCount(db) >= Self.maximumCount
                {
                    throw Refusal(
                        .tooMany,
                        "at most \(Self.maximumCount) titles and tracks can have an audience of their own; use the section's audience"
                    )
                }
                try AudienceRows.set(
                    change.audience.flatMap { ItemAudienceName(rawValue: $0.rawValue) }, in: section, of: id, db)
                try Accounts.note(
                    .audienceChanged, by: caller, about: nil,
                    before: "\(kind) \(id): \(AudienceChange(before.audience).text)",
                    after: "\(kind) \(id): \(change.text)", at: now, db)
            }
            if let names {
                let users = Set(try Accounts.userIDs(named: names, db))
                try AudienceRows.grant(to: users.map(\.text).sorted(), in: section, of: id, db)
                let (old, new) = (try Accounts.usernames(of: before.invited, db), try Accounts.usernames(of: users, db))
                try Accounts.note(
                    .invitedChanged, by: caller, about: nil, before: "\(kind) \(id): \(old.joined(separator: ","))",
                    after: "\(kind) \(id): \(new.joined(separator: ","))", at: now, db)
            }
        }
        try await refresh()
    }

    /// The audience of a title or track as the database has it, the usernames of the invited accounts, and the
    /// version of both.
    package func audience(
        in section: AudienceRows.Section, of id: String
    ) async throws -> (audience: Audience?, invited: [String], version: String) {
        try await database.read { db in
            let item = try ItemAudience(id, in: section, db)
            return (item.audience, try Accounts.usernames(of: item.invited, db), item.version)
        }
    }
}

extension ItemAudiences {
    fileprivate init(_ db: any SQLConnection) throws {
        self.init()
        for rule in try AudienceRows.allRules(db) {
            change(rule.subject, in: rule.section) { $0.audience = Audience(rawValue: rule.audience.rawValue) }
        }
        for grant in try AudienceRows.allGrants(db) {
            guard let user = UserID(parsing: grant.account) else { continue }
            change(grant.subject, in: grant.section) { $0.invited.insert(user) }
        }
        for held in try AudienceRows.allHolds(db) {
            change(held.subject, in: held.section) { $0.hold = held.reason == .unlisted ? .unlisted : .hidden }
        }
        // Kept from others before there is a title: its hold is read up to half a second after it.
        let awaited = try HeldFileRows.awaited(db)
        areAwaited = !awaited.isEmpty
        for (section, file, id) in awaited {
            change(id, in: section) { $0.hold = $0.hold ?? .unlisted }
            if section == .titles { titleFiles[file] = titleFiles[file] ?? id }
        }
        for (file, id) in try AudienceRows.titleFiles(db) {
            // Swift takes some names for equal that are different files; the stricter audience holds for both.
            if let other = titleFiles[file], rank(other) >= rank(id) { continue }
            titleFiles[file] = id
        }
    }

    private func rank(_ id: String) -> Int {
        if let hold = titles[id]?.hold { return hold == .hidden ? 5 : 4 }
        return switch titles[id]?.audience {
        case .everyone: 0
        case nil: 1
        case .members: 2
        case .invited: 3
        }
    }

    private mutating func change(
        _ id: String, in section: AudienceRows.Section, _ change: (inout ItemAudience) -> Void
    ) {
        switch section {
        case .titles: change(&titles[id, default: ItemAudience()])
        case .tracks: change(&tracks[id, default: ItemAudience()])
        }
    }
}

extension ItemAudience {
    /// The audience of a title, with what keeps it from others.
    ///
    /// - Throws: `SQLError`
    fileprivate init(ofTitle id: String, _ db: any SQLConnection) throws {
        try self.init(id, in: .titles, db)
        hold = try AudienceRows.hold(in: .titles, of: id, db).map { $0 == .unlisted ? .unlisted : .hidden }
    }

    /// - Throws: `SQLError`
    fileprivate init(_ id: String, in section: AudienceRows.Section, _ db: any SQLConnection) throws {
        let rule = try AudienceRows.rule(in: section, of: id, db)
        let users = try AudienceRows.grants(in: section, of: id, db).compactMap { UserID(parsing: $0) }
        self.init(rule.flatMap { Audience(rawValue: $0.rawValue) }, invited: Set(users))
    }

    /// Changes with the audience and with the accounts; printable ASCII without quotation marks.
    fileprivate var version: String {
        let text = ([audience?.rawValue ?? ""] + invited.map(\.text).sorted()).joined(separator: "\n")
        return SHA256.hash(data: Array(text.utf8)).prefix(Self.versionByteCount).hexadecimalDigits
    }

    /// Enough that no two of the versions that somebody may have read are the same.
    private static let versionByteCount = 12
}
