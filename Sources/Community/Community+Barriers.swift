package import Accounts
import Database
package import MediaCore

extension Community {
    /// Limit of the members whom one member blocks, and of those that one mutes.
    package static let maximumBarrierCount: Int64 = 5_000

    /// Blocks or mutes a member for the caller, or ends it. Doing it again changes nothing. A member who blocks another
    /// and is followed by them is not followed any more, and does not follow them either.
    ///
    /// - Returns: the member's profile after it.
    /// - Throws: `Refusal` with `notFound`, `loginNeeded`, `tooMany`, or `conflict` for the caller's own
    ///   account.
    package func setBarrier(
        _ kind: BarrierKind, _ isOn: Bool, _ name: String, by caller: Caller
    ) async throws -> MemberProfile {
        let (member, now) = (try Self.member(caller).id, now)
        return try await database.write { db in
            let other = try Self.member(named: name, db)
            guard other != member else { throw Refusal(.conflict, "you cannot \(kind.rawValue) yourself") }
            if isOn, try BarrierRows.count(kind, of: member, db) >= Self.maximumBarrierCount {
                throw Refusal(
                    .tooMany, "a member can \(kind.rawValue) at most \(Self.maximumBarrierCount) others")
            }
            try BarrierRows.set(kind, isOn, other, by: member, at: now, db)
            if isOn, kind == .block {
                _ = try FollowRows.set(false, member, by: other, at: now, db)
                _ = try FollowRows.set(false, other, by: member, at: now, db)
            }
            return try Self.profile(of: name, reader: member, db)
        }
    }

    /// A page of the members whom the caller blocks or mutes, newest first.
    ///
    /// - Throws: `Refusal` with `loginNeeded` or `invalidCursor`.
    package func barriers(
        _ kind: BarrierKind, of caller: Caller, after cursor: String? = nil, limit: Int? = nil
    ) async throws -> ListPage<ListedMember> {
        let (member, size) = (try Self.member(caller).id, ListPage<ListedMember>.size(limit))
        let start = try ListCursor.start(cursor)
        return try await database.read { db in
            let rows = try MemberListRows.members(
                in: "memberBarrier", "otherID", where: "userID = ?1", .text(member.text),
                and: "listed.kind = '\(kind.rawValue)'", reader: member, before: start, limit: size + 1, db)
            return ListPage(rows, size: size) { ListCursor(number: $0.number).text }
        }
    }
}
