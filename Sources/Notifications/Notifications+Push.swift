package import Accounts
import Database
import Foundation
import MediaCore
package import WebPush

extension Notifications {
    /// The browsers of a member that want push messages, the newest first.
    package func subscriptions(of user: UserID) async throws -> [PushSubscription] {
        try await database.read { db in try PushRows.subscriptions(of: user, db) }
    }

    /// Adds a browser of a member. One that is known already gets its new keys.
    ///
    /// - Parameters:
    ///   - endpoint: the address at the push service, over HTTPS.
    ///   - keys: the keys of the browser.
    ///   - language: the language of the messages.
    ///   - user: the member.
    /// - Throws: `AccountsError` with `invalidField`.
    package func subscribe(
        _ endpoint: String, _ keys: PushKeys, language: String, for user: UserID
    ) async throws -> PushSubscription {
        guard endpoint.utf8.count <= PushSubscription.maximumEndpointByteCount,
            endpoint.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), let url = URL(string: endpoint),
            url.scheme == "https" || url.scheme == "http" && settings.allowsPlainPush, url.user() == nil,
            url.host(percentEncoded: false)?.isEmpty == false
        else {
            throw AccountsError(
                .invalidField,
                "the field `endpoint` must be an address https://… of at most \(PushSubscription.maximumEndpointByteCount) bytes",
                fields: ["endpoint"])
        }
        let subscription = PushSubscription(
            id: OpaqueID(), endpoint: endpoint, keys: keys, language: language, createdAt: now)
        try await database.write { db in try PushRows.insert(subscription, of: user, db) }
        return subscription
    }

    /// Removes a browser of a member.
    ///
    /// - Throws: `AccountsError` with `notFound`.
    package func unsubscribe(_ id: OpaqueID, of user: UserID) async throws {
        guard try await database.write({ db in try PushRows.delete(id, of: user, db) }) else {
            throw AccountsError(.notFound, "you have no such device")
        }
    }
}
