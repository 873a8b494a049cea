import APIContract
import Accounts
import Crypto
import Database
import Events
import HTTPClients
import HTTPEndpoints
import Logging
import MediaCore
import Notifications
import SiteTexts
import WebPush
import WebSite
import Webhooks
import Workflows

/// Opens the notifications of a server that starts.
struct NotificationsStart {
    let database: any SQLDatabase
    let accounts: Accounts
    /// Signs links, and is what the key for push services is derived from.
    let key: SymmetricKey
    /// The address at which visitors reach the site; without one, there is no mail and no push.
    let publicAddress: PublicAddress?
    /// Whether the server sends mail.
    let sendsMail: Bool
    /// The addresses that push services may have.
    let policy: AddressPolicy
    let wallClock: WallClock
    let logger: Logger

    /// The opened parts.
    struct Opened {
        var notifications: Notifications
        /// Sends push messages, with the public key for browsers; `nil` for a site that browsers do not trust.
        var push: (dispatcher: PushDispatcher, publicKey: String)?
    }

    /// - Throws: `SQLError`, `PushError`
    func open() async throws -> Opened {
        let sender = HTTPPushSender(hosts: CheckedHosts(policy: policy))
        var settings = NotificationSettings()
        settings.allowsPrivatePush = sender.hosts.allowsPrivateAddresses
        settings.ways = sendsMail ? [.site, .mail, .webhook] : [.site, .webhook]
        // Browsers have push messages on pages with HTTPS only, and on the machine itself.
        let address = publicAddress.flatMap { $0.isSecure || $0.host == "localhost" ? $0 : nil }
        if address != nil { settings.ways.insert(.push) }
        let notifications = try await Notifications.open(
            database, program: Product.version, accounts: accounts, key: key, settings: settings,
            wallClock: wallClock
        ) { db in try Webhooks.owners(wanting: .notificationCreated, about: .member, db) }
        guard let address else { return Opened(notifications: notifications) }
        let pushKey = try PushServerKey(derivedFrom: key)
        let dispatcher = PushDispatcher(
            notifications: notifications, sender: sender, text: NotificationPushText(), key: pushKey,
            contact: address.origin, logger: logger)
        return Opened(notifications: notifications, push: (dispatcher, pushKey.publicText))
    }
}

/// The texts of push messages: the sentences of the site.
private struct NotificationPushText: PushText {
    func content(_ notification: MemberNotification, language: String) -> (text: String, path: String) {
        let text = NotificationText.of(SiteLanguage(rawValue: language) ?? .english)
        return (text.plainSentence(notification), ResourcePaths.page(ofNotification: notification.id))
    }
}
