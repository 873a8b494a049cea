import APIContract
import Database
import HTTPEndpoints
import LogMetadata
import Logging
import MediaCore
import Monitoring
import NIOCore
import ServerSettings
import ServiceLifecycle
import WebSite
import Workflows

/// The operator's dashboard: what the server does now, has done in the last hour, and who has watched in the last days.
struct OperatorFeature: Feature {
    static let schemas = [MonitoringSchema.schema]

    private let sources: OperatorSources
    private let measured: MeasuredDelays

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let folder = ground.configuration.dataDirectory
        parts.add(OperatorMachine { MachineState.read(folder: folder) })
        parts.add(
            try await AudienceHistory.open(
                ground.database, program: Product.version, wallClock: ground.wallClock))
    }

    init?(_ station: Station) {
        guard let machine = station.parts[OperatorMachine.self] else { return nil }
        let measured = MeasuredDelays()
        self.measured = measured
        var sources = OperatorSources(content: station.content, machine: machine.read)
        sources.delays = { measured.delays }
        sources.audience = station.parts[AudienceHistory.self]
        sources.titles = station.parts[TitleAudience.self]
        sources.reloader = station.reloader
        sources.relays = station.relays
        self.sources = sources
    }

    var accountLinks: [AccountPageLink] { DashboardPage.links }

    func pages(_ frame: AccountPages) -> [Endpoint] { DashboardPage(sources: sources, pages: frame).endpoints }

    func services(on ground: Ground) -> [any Service] {
        let (sources, measured) = (sources, measured)
        let samples = SweepService(every: ChannelHistory.interval, while: nil) {
            sources.history.add(sources.content.channels())
            await measured.measure(ground.equipment.group, ground.database)
        } onFailure: { _ in
        }
        guard let audience = sources.audience else { return [samples] }
        return [
            samples,
            SweepService(every: AudienceHistory.interval, while: ground.steadiness) {
                try await audience.add(sources.viewers)
            } onFailure: { error in
                ground.logger.warning("viewers could not be noted; will retry", metadata: [.error: "\(error)"])
            },
        ]
    }
}
