package import Accounts
package import Database
import Foundation
import MediaCore
package import WebPush

extension Notifications {
    /// The browsers of a member that want push messages, the newest first.
    package func subscriptions(of user: UserID) async throws -> [PushSubscription] {
        let now = now
        return try await database.read { db in try PushRows.subscriptions(of: user, at: now, db) }
    }

    /// Adds a browser of a member. One that is known already gets its new keys. What a token adds ends with the token.
    ///
    /// - Parameters:
    ///   - endpoint: the address at the push service, over HTTPS.
    ///   - keys: the keys of the browser.
    ///   - language: the language of the messages.
    ///   - caller: the member.
    /// - Throws: `Refusal` with `invalidField` or `loginNeeded`.
    package func subscribe(
        _ endpoint: String, _ keys: PushKeys, language: String, by caller: Caller
    ) async throws -> PushSubscription {
        let user = try caller.requireMember().id
        let allowsPlain = mayReachPrivateAddresses(caller.principal)
        guard endpoint.utf8.count <= PushSubscription.maximumEndpointByteCount,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: endpoint),
            url.scheme == "https" || url.scheme == "http" && allowsPlain, url.user() == nil,
            url.host(percentEncoded: false)?.isEmpty == false
        else {
            throw Refusal(
                .invalidField,
                "the field `endpoint` must be an https URL of at most \(PushSubscription.maximumEndpointByteCount) bytes",
                fields: ["endpoint"])
        }
        let subscription = PushSubscription(
            id: OpaqueID(), endpoint: endpoint, keys: keys, language: language, createdAt: now)
        let token = caller.principal.token
        try await database.write { db in try PushRows.insert(subscription, of: user, with: token, db) }
        return subscription
    }

    /// Whether messages for the browsers of somebody may go to addresses in the server's own network: if the operator
    /// allows such addresses, for those who may have the server fetch files from there.
    func mayReachPrivateAddresses(_ principal: Principal) -> Bool {
        settings.allowsPrivatePush && accounts.may(principal, .upload, .library).isAllowed
    }

    /// Removes all browsers of a member, such as when somebody else may have added one. In the caller's transaction.
    package static func unsubscribeAll(of user: UserID, _ db: any SQLConnection) throws {
        try PushRows.deleteAll(of: user, db)
    }

    /// Removes a browser of a member.
    ///
    /// - Throws: `Refusal` with `notFound`.
    package func unsubscribe(_ id: OpaqueID, of user: UserID) async throws {
        guard try await database.write({ db in try PushRows.delete(id, of: user, db) }) else {
            throw Refusal(.notFound, "you have no such device")
        }
    }
}
