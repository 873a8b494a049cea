import Accounts
import Catalogue
import Database
import DatabaseTestSupport
package import Features
package import HTTPEndpoints
import JSONDocument
import Logging
import MediaCore
import NIOPosix
import ServerSettings
import Synchronization
import TestSupport
import VideoClub
import Workflows

/// A server with every feature that there is, over a database of the test's own, without media.
package final class TestStation: Sendable {
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
    /// The domains, opened as a server that starts opens them.
    package let parts: Parts
    private let stateCopies: StateCopies
    private let station: Station

    /// - Parameters:
    ///   - titles: the titles of the library.
    ///   - publicAddress: the address at which visitors reach the site; `nil` if nobody has named it.
    ///   - configure: gives the server what tests without media do not need.
    package init(
        titles: [String] = [], publicAddress: PublicAddress? = nil, configure: (inout Station) -> Void = { _ in }
    ) async throws {
        let (place, clock) = (try TestDatabase(), TestClock())
        let ground = try await Self.ground(in: place, publicAddress, clock)
        var parts = try await Features.open(on: ground)
        let accounts = try parts.require(Accounts.self)
        fixture = TestAccounts(accounts, ground.database, in: place, clock: clock)
        content = InMemoryContent()
        let records = titles.map { InMemoryContent.title($0) }
        for title in records { _ = try await parts.require(Catalogue.self).add(title) }
        content.state.withLock { $0.titles = records }
        parts.add(PushKeyText(text: "BPublicKey"))
        parts.add(
            OfflineCopies(
                club: try parts.require(VideoClub.self), key: ground.keys.key(.copies), source: NoCopies()))
        (self.parts, stateCopies) = (parts, ground.stateCopies)
        var station = Station(
            content: content, authority: TestOperator.authority(accounts, publicAddress: publicAddress), parts: parts)
        station.reloader = Reloader()
        configure(&station)
        self.station = station
        FeatureSet(station).attend(to: accounts)
    }

    private static let channels = """
        {
          "presets": {
            "low": {"width": 320, "height": 180, "frameRate": 25, "videoBitrate": 300000, "audioBitrate": 64000}
          },
          "channels": [{"name": "canalA", "presets": ["low"], "defaultPreset": "low"}]
        }
        """

    /// What the domains are opened on: everybody may register, and nobody is refused because of too many requests.
    private static func ground(
        in place: TestDatabase, _ publicAddress: PublicAddress?, _ clock: TestClock
    ) async throws -> Ground {
        var configuration = ServerConfiguration()
        configuration.publicAddress = publicAddress
        var file = try ChannelsFile.parse(channels.utf8, file: "channels.json")
        file.accounts.registration = .open
        file.accounts.apiRequestCount = 1_000_000
        let database = try await place.open()
        return Ground(
            configuration: configuration, channelsFile: file, database: database, changes: DatabaseChanges(database),
            keys: ServerKeys(secret: "test"), mail: nil,
            equipment: Ground.Equipment(
                group: MultiThreadedEventLoopGroup.singleton, hasher: TestAccounts.hasher, steadiness: .assumed,
                wallClock: clock.wallClock, uptime: { clock.elapsed }),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// The accounts hold the features, which hold the accounts, as do the copies of the state; the connections of the
    /// database end with all of them.
    deinit {
        fixture.accounts.forgetSteps()
        stateCopies.removeAll()
    }

    /// All endpoints of the server.
    package var table: EndpointTable { FeatureSet(station).table }
}
