import APIContract
import Accounts
import Crypto
import Database
import Events
import Foundation
import HTTPClients
import Logging
import MediaCore
import Webhooks

/// Opens the webhooks of a server that starts.
struct WebhooksStart {
    let database: any SQLDatabase
    let journal: EventJournal
    let kinds: EventKinds
    let accounts: Accounts
    /// The addresses that receivers may have.
    let policy: AddressPolicy
    let wallClock: WallClock
    let logger: Logger

    /// - Parameter key: encrypts the secrets of receivers.
    /// - Throws: `SQLError`
    func open(key: SymmetricKey) async throws -> (webhooks: Webhooks, dispatcher: WebhookDispatcher) {
        // Not the resolver of imports: a name server that does not answer for one must not stop the other.
        let sender = HTTPWebhookSender(hosts: CheckedHosts(policy: policy))
        let webhooks = try await Webhooks.open(
            database, program: Product.version, journal: journal, kinds: kinds, accounts: accounts,
            sender: sender, key: key,
            allowsPrivateAddresses: sender.hosts.allowsPrivateAddresses, wallClock: wallClock)
        return (webhooks, WebhookDispatcher(webhooks, holder: holder, logger: logger))
    }

    /// The name of this server among those that share the database. SQLite has one server at a time, which goes on at
    /// once after it was killed.
    private var holder: String {
        switch database.dialect {
        case .sqlite: "this server"
        case .postgreSQL: UUID().uuidString
        }
    }
}
