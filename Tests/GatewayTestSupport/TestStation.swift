import Accounts
package import Announcements
import Catalogue
package import Community
import Crypto
import Database
import Events
package import Features
package import HTTPEndpoints
import Idempotency
import JSONDocument
import Logging
import MediaAccess
package import Notifications
package import SupportInbox
import Synchronization
import TestSupport
package import VideoClub
package import Webhooks
import Workflows

/// A server with every feature that there is, over a database of the test's own, without media.
package final class TestStation: Sendable {
    /// Acknowledges all messages.
    private struct Acknowledging: WebhookSending {
        func send(_ request: WebhookRequest) async -> WebhookOutcome { .answered(status: 204, retryAfter: nil) }
    }

    /// A file without channels.
    private struct Reloader: ChannelsReloading {
        func reload() async throws -> ChannelsReload { ChannelsReload() }

        func configuration() async throws -> CurrentConfiguration {
            CurrentConfiguration(document: .object([]), version: "v1")
        }

        func change(
            _ edit: ConfigurationEdit, version: String?, isOnMachine: Bool
        ) async throws -> (outcome: ChannelsReload, version: String) { (ChannelsReload(), "v2") }
    }

    /// Titles without anything to download.
    private struct NoCopies: CopySource {
        struct None: Error {}

        func renditions(ofTitle id: String) async throws -> [CopyRendition] { [] }
        func contents(ofTitle id: String, rendition: String) async throws -> any CopyContents { throw None() }
    }

    package let fixture: TestAccounts
    package let content: InMemoryContent
    package let club: VideoClub
    package let community: Community
    package let notifications: Notifications
    package let webhooks: Webhooks
    package let inbox: SupportInbox
    package let announcements: Announcements
    private let station: Station

    /// - Parameters:
    ///   - titles: the titles of the library.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if nobody has named it.
    ///   - configure: gives the server what tests without media do not need.
    package init(
        titles: [String] = [], publicAddress: PublicAddress? = nil, configure: (inout Station) -> Void = { _ in }
    ) async throws {
        fixture = try await TestAccounts { $0.apiRequestCount = 1_000_000 }
        let (database, clock, elapsed) = (fixture.database, fixture.clock.wallClock, fixture.clock)
        let (accounts, key) = (fixture.accounts, SymmetricKey(size: .bits256))
        let catalogue = try await Catalogue.open(database, program: "test")
        content = InMemoryContent()
        let records = titles.map { InMemoryContent.title($0) }
        for title in records { _ = try await catalogue.add(title) }
        content.state.withLock { $0.titles = records }
        club = try await VideoClub.open(database, program: "test", wallClock: clock)
        community = try await Community.open(database, program: "test", wallClock: clock)
        notifications = try await Notifications.open(
            database, program: "test", accounts: accounts, key: key, wallClock: clock)
        let journal = try await EventJournal.open(
            database, program: "test", logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        webhooks = try await Webhooks.open(
            database, program: "test", journal: journal, kinds: Features.eventKinds, accounts: accounts,
            sender: Acknowledging(), key: key,
            allowsPrivateAddresses: false)
        inbox = try await SupportInbox.open(database, program: "test", wallClock: clock)
        announcements = try await Announcements.open(database, program: "test", wallClock: clock)
        var station = Station(
            content: content, authority: TestOperator.authority(accounts, publicAddress: publicAddress))
        station.parts.add(journal)
        station.parts.add(Features.eventKinds)
        station.parts.add(announcements)
        station.parts.add(webhooks)
        station.parts.add(club)
        station.parts.add(community)
        station.parts.add(notifications)
        station.parts.add(inbox)
        station.parts.add(PushKeyText(text: "BPublicKey"))
        station.parts.add(OfflineCopies(club: club, key: key, source: NoCopies()))
        station.parts.add(
            try await MediaLinks.open(
                database, program: "test", key: key, wallClock: clock, uptime: { elapsed.elapsed }))
        station.parts.add(TitleAudiences(database, accounts: accounts, wallClock: clock))
        station.parts.add(
            try await IdempotencyKeys.open(database, program: "test", key: key, wallClock: clock))
        station.reloader = Reloader()
        configure(&station)
        self.station = station
        FeatureSet(station).attend(to: accounts)
    }

    /// The accounts hold the features, which hold the accounts; the connections of the database end with both.
    deinit { fixture.accounts.forgetSteps() }

    /// All endpoints of the server.
    package var table: EndpointTable { FeatureSet(station).table }
}
