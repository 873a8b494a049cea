import APIContract
import APIDeclarations
import Accounts
import Foundation
import HTTPEndpoints
import MediaCore

extension APIResources {
    /// The JSON of an account, for its owner and for administrators.
    static func account(_ account: Account, grants: [String: ActionSet]? = nil) -> APIObject<AccountFields> {
        AccountFields.object { fields in
            [
                fields.username(account.username), fields.email(account.email),
                fields.emailConfirmedAt(time(account.emailConfirmedAt)), fields.name(account.profile.name),
                fields.mobile(account.profile.mobile), fields.city(account.profile.city),
                fields.country(account.profile.country), fields.language(account.profile.language),
                fields.photo(account.photo), fields.role(account.role.rawValue),
                fields.state(AccountStateName(account.state.rawValue)),
                fields.suspendedUntil(time(account.suspendedUntil)), fields.hasPassword(account.hasPassword),
                fields.createdAt(time(account.createdAt)), fields.lastLogInAt(time(account.lastLogInAt)),
                grants.map { fields.channels($0.mapValues(names)) },
            ]
        }
    }

    static func session(_ session: Session, isOwn: Bool) -> APIObject<SessionFields> {
        SessionFields.object {
            [
                $0.id(session.id.text), $0.isThis(isOwn), $0.device(session.device), $0.address(session.address),
                $0.createdAt(time(session.createdAt)), $0.lastUsedAt(time(session.lastUsedAt)),
                $0.expiresAt(time(session.expiresAt)), $0.staysLoggedIn(session.isPersistent),
            ]
        }
    }

    /// - Parameter secret: the text of a token that was just made; it is in no other answer.
    static func token(_ token: AccessToken, secret: String? = nil) -> APIObject<TokenFields> {
        TokenFields.object { fields in
            [
                fields.id(token.id.text), fields.kind(token.kind.rawValue), fields.name(token.name),
                fields.permissions(names(token.scope.actions)), fields.channels(token.scope.channels?.sorted()),
                fields.createdAt(time(token.createdAt)), fields.expiresAt(time(token.expiresAt)),
                fields.lastUsedAt(time(token.lastUsedAt)), fields.lastAddress(token.lastAddress),
                secret.map { fields.secret($0) },
            ]
        }
    }

    static func auditEntry(_ entry: AuditEntry) -> APIObject<AuditEntryFields> {
        AuditEntryFields.object {
            [
                $0.number(Int(entry.number)), $0.at(time(entry.happenedAt)), $0.event(entry.event),
                $0.actor(entry.actorName), $0.actorID(entry.actorID?.text), $0.subjectID(entry.subjectID?.text),
                $0.address(entry.address), $0.before(entry.before), $0.after(entry.after),
            ]
        }
    }

    /// - Parameter address: the link itself; `nil` in lists, because only its receiver knows it.
    static func oneTimeLink(_ link: OneTimeLink, address: String? = nil) -> APIObject<OneTimeLinkFields> {
        OneTimeLinkFields.object { fields in
            [
                fields.id(link.id.text), fields.purpose(link.purpose.rawValue), fields.role(link.role?.rawValue),
                fields.email(link.email), fields.createdAt(time(link.createdAt)),
                fields.expiresAt(time(link.expiresAt)), address.map { fields.link($0) },
            ]
        }
    }

    static func names(_ actions: ActionSet) -> [String] { actions.actions.map(\.rawValue) }

    static func timeText(_ time: WallClockTime) -> String { Date(time).formatted(.iso8601) }

    static func time(_ time: WallClockTime) -> APITime { APITime(timeText(time)) }

    static func time(_ time: WallClockTime?) -> APITime? { time.map(self.time) }
}
