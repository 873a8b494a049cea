package import Accounts
import Community
import Database
package import HTTPEndpoints
import Idempotency
import LiveChannels
import WebAPI
package import ServerSettings
package import ServiceLifecycle
import WebSite
import Workflows

/// The features of one server.
package struct FeatureSet: Sendable {
    private let features: [any Feature]
    private let station: Station

    /// - Parameter station: the server.
    package init(_ station: Station) {
        self.station = station
        features = Features.all.compactMap { $0.init(station) }
    }

    // MARK: HTTP

    /// All endpoints that the server answers through its router.
    package var table: EndpointTable {
        EndpointTable(
            endpoints, authority: station.authority, problemPage: SiteEndpoints.problemPage,
            idempotencyKeys: station.parts[IdempotencyKeys.self],
            preparePage: { [features] fields, page in
                for feature in features { await feature.prepare(&page, fields) }
            },
            crossOrigin: station.http.crossOrigin, statistics: station.http.statistics,
            strictTransport: station.http.strictTransport)
    }

    /// All endpoints, the last of which describe the others.
    private var endpoints: [Endpoint] {
        let endpoints = ownEndpoints
        let description = DescriptionEndpoint(of: endpoints, pageRule: APIDescriptionPage.rule)
        return endpoints + [description.endpoint, APIDescriptionPage { description.text }.endpoint]
    }

    private var ownEndpoints: [Endpoint] {
        var endpoints = features.flatMap(\.endpoints)
        endpoints += OperationsEndpoints(readiness: station.content, metrics: metrics).endpoints
        guard let accounts = station.authority.accounts else { return endpoints }
        endpoints +=
            MemberExportEndpoints(
                accounts: accounts, source: export, library: station.content.library, threadPool: station.threadPool,
                uploads: uploads
            ).endpoints
        let frame = AccountPages(
            accounts: accounts, publicAddress: station.publicAddress, mailer: station.mailer, photos: station.photos,
            providers: station.parts[IdentityService.self]?.directory, links: features.flatMap(\.accountLinks),
            channelTitle: { [content = station.content] in content.channel(named: $0)?.title })
        return endpoints + features.flatMap { $0.pages(frame) }
    }

    private func metrics() async -> [MetricFamily] {
        var families = await station.metrics()
        for feature in features { families += await feature.metrics() }
        return families
    }

    private func export(of member: ExportedMember) async throws -> [ExportChapter] {
        var chapters: [ExportChapter] = []
        for feature in features { chapters += try await feature.export(of: member) }
        return chapters
    }

    private func uploads(of member: Caller) async throws -> [MemberUpload] {
        var uploads: [MemberUpload] = []
        for feature in features { uploads += try await feature.uploads(of: member) }
        return uploads
    }

    // MARK: Accounts

    /// Has everything done from now on that the end of an account, or of its credentials, asks for, each in the
    /// transaction of the accounts. Features that build on others come first.
    package func attend(to accounts: Accounts) {
        let features = Array(features.reversed())
        accounts.beforeRemoval { user, db in for feature in features { try feature.forget(user, db) } }
        accounts.whenCredentialsEnd { user, db in for feature in features { try feature.endCredentials(of: user, db) } }
    }

    // MARK: Running

    /// The services that run while the server runs.
    package func services(on ground: Ground) -> [any Service] {
        features.flatMap { $0.services(on: ground) }
            + [StateCopyService(copies: ground.stateCopies, changes: ground.changes, logger: ground.logger)]
    }

    /// Uses the settings of a file that was loaded again; see ``Feature/use(_:_:)``.
    package func use(_ file: ChannelsFile, _ configuration: ServerConfiguration) {
        for feature in features { feature.use(file, configuration) }
    }

    /// Writes what is left when everything has stopped.
    ///
    /// - Parameter onFailure: called with each error.
    package func finish(onFailure: (any Error) -> Void) async {
        for feature in features {
            do { try await feature.finish() } catch { onFailure(error) }
        }
    }
}
