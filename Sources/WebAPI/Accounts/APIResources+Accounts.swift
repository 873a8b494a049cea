import Accounts
import Foundation
import HTTPEndpoints
import JSONDocument
import MediaCore

extension APIResources {
    /// The JSON of an account, for its owner and for administrators.
    static func account(_ account: Account, grants: [String: ActionSet]? = nil) -> JSONText {
        var fields: [JSONText.Field] = [
            ("username", .string(account.username)), ("email", .optional(account.email)),
            ("emailConfirmedAt", time(account.emailConfirmedAt)), ("name", .optional(account.profile.name)),
            ("mobile", .optional(account.profile.mobile)), ("city", .optional(account.profile.city)),
            ("country", .optional(account.profile.country)), ("language", .optional(account.profile.language)),
            ("photo", .optional(account.photo)),
            ("role", .string(account.role.rawValue)), ("state", .string(account.state.rawValue)),
            ("suspendedUntil", time(account.suspendedUntil)),
            ("hasPassword", .boolean(account.hasPassword)),
            ("createdAt", time(account.createdAt)), ("lastLogInAt", time(account.lastLogInAt)),
        ]
        if let grants {
            fields.append(
                (
                    "channels",
                    .object(grants.sorted { $0.key < $1.key }.map { ($0.key, names($0.value)) })
                ))
        }
        return .object(fields)
    }

    static func session(_ session: Session, isOwn: Bool) -> JSONText {
        .object([
            ("id", .string(session.id.text)), ("isThis", .boolean(isOwn)), ("device", .string(session.device)),
            ("address", .string(session.address)), ("createdAt", time(session.createdAt)),
            ("lastUsedAt", time(session.lastUsedAt)), ("expiresAt", time(session.expiresAt)),
            ("staysLoggedIn", .boolean(session.isPersistent)),
        ])
    }

    /// - Parameter secret: the text of a token that was just made; it is in no other answer.
    static func token(_ token: AccessToken, secret: String? = nil) -> JSONText {
        var fields: [JSONText.Field] = [
            ("id", .string(token.id.text)), ("kind", .string(token.kind.rawValue)), ("name", .string(token.name)),
            ("permissions", names(token.scope.actions)),
            ("channels", token.scope.channels.map { .array($0.sorted().map(JSONText.string)) } ?? .null),
            ("createdAt", time(token.createdAt)), ("expiresAt", time(token.expiresAt)),
            ("lastUsedAt", time(token.lastUsedAt)), ("lastAddress", .optional(token.lastAddress)),
        ]
        if let secret { fields.append(("secret", .string(secret))) }
        return .object(fields)
    }

    static func auditEntry(_ entry: AuditEntry) -> JSONText {
        .object([
            ("number", .integer(Int(entry.number))), ("at", time(entry.happenedAt)), ("event", .string(entry.event)),
            ("actor", .string(entry.actorName)), ("actorID", .optional(entry.actorID?.text)),
            ("subjectID", .optional(entry.subjectID?.text)), ("address", .optional(entry.address)),
            ("before", .optional(entry.before)), ("after", .optional(entry.after)),
        ])
    }

    /// - Parameter address: the link itself; `nil` in lists, because only its receiver knows it.
    static func oneTimeLink(_ link: OneTimeLink, address: String? = nil) -> JSONText {
        var fields: [JSONText.Field] = [
            ("id", .string(link.id.text)), ("purpose", .string(link.purpose.rawValue)),
            ("role", .optional(link.role?.rawValue)), ("email", .optional(link.email)),
            ("createdAt", time(link.createdAt)), ("expiresAt", time(link.expiresAt)),
        ]
        if let address { fields.append(("link", .string(address))) }
        return .object(fields)
    }

    static func names(_ actions: ActionSet) -> JSONText { .array(actions.actions.map { .string($0.rawValue) }) }

    static func timeText(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }

    static func time(_ time: WallClockTime?) -> JSONText {
        .optional(time.map(timeText))
    }
}
