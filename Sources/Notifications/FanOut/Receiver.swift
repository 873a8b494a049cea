import Accounts
import Community
import Database

/// A member who may be told of a deed.
struct Receiver: Sendable {
    var member: Member
    var preferences: NotificationPreferences
    /// Whether they follow the account that has done it, and the competition that it belongs to.
    var followsActor: Bool
    var followsCompetition: Bool
    /// Whether they mute or block the account that has done it.
    var mutesActor: Bool
    /// Whether a browser of theirs wants push messages.
    var hasBrowser: Bool
    /// The place in the order of the audience.
    var place: String

    /// The ways by which they want to be told, of those that the server has.
    func channels(for kind: NotificationKind, of ways: NotificationChannels) -> NotificationChannels {
        let wanted = preferences[kind.group].intersection(ways)
        return hasBrowser ? wanted : wanted.subtracting(.push)
    }

    /// The account in the statements that find receivers.
    static let account = JoinedAccount()

    /// The columns of ``init(_:)`` without the last one, of ``account`` and `p`, the preferences.
    ///
    /// - Parameters:
    ///   - actor: the parameter of the account that has done it.
    ///   - competition: the parameter of the number of the competition.
    static func columns(actor: String, competition: String) -> String {
        func flag(_ condition: String) -> String { "CASE WHEN \(condition) THEN 1 ELSE 0 END" }
        return """
            \(account.id), \(account.username), \(account.role), p.newVideos, p.newTopics, p.aboutMe,
            p.followed, p.channels,
            \(flag(MemberRelations.follows(account.id, member: actor))) AS followsActor,
            \(flag(MemberRelations.follows(account.id, competition: competition))) AS followsCompetition,
            \(flag("EXISTS (SELECT 1 FROM pushSubscription AS s WHERE s.userID = \(account.id))")) AS hasBrowser,
            \(flag(MemberRelations.avoids(account.id, member: actor))) AS mutesActor
            """
    }

    init(_ row: SQLRow) throws {
        // A role of a later version sees the least here.
        let role = Role(rawValue: try row.value("role")) ?? .viewer
        member = Member(id: try row.value("id"), username: try row.value("username"), role: role)
        preferences = try NotificationPreferences(row)
        (followsActor, followsCompetition) = (try row.flag("followsActor"), try row.flag("followsCompetition"))
        hasBrowser = try row.flag("hasBrowser")
        mutesActor = try row.flag("mutesActor")
        place = try row.value("place")
    }
}
