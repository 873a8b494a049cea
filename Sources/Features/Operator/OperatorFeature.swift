import HLSDelivery
import HTTPEndpoints
import ServerSettings
import WebSite
import Workflows

/// The operator's dashboard.
struct OperatorFeature: Feature {
    private let content: any ContentSource
    private let machine: OperatorMachine

    static func open(on ground: Ground, _ parts: inout Parts) async throws {
        let folder = ground.configuration.dataDirectory
        parts.add(OperatorMachine { MachineState.read(folder: folder) })
    }

    init?(_ station: Station) {
        guard let machine = station.parts[OperatorMachine.self] else { return nil }
        (content, self.machine) = (station.content, machine)
    }

    var accountLinks: [AccountPageLink] { DashboardPage.links }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        DashboardPage(content: content, pages: frame, machine: machine.read).endpoints
    }
}
