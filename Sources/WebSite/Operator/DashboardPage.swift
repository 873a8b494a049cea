import Accounts
import Catalogue
import Foundation
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import MediaCore
import Monitoring
import NIOCore
import ServiceLifecycle
import SiteTexts
import Workflows

/// The operator's dashboard: whether everything is all right, in one page. What changes comes as server-sent events.
package struct DashboardPage: Sendable {
    /// The link to the page on the page of an account.
    package static let links = [
        AccountPageLink(path: OperatorPath.dashboard, need: (.manage, .system)) { DashboardText.of($0).heading }
    ]

    private static let rule = AccessRule.needs(.manage, .system)
    /// The time between two events.
    private static let interval = Duration.seconds(2)
    /// The number of events after which somebody's permission is asked for again, by a new request.
    private static let maximumEventCount = 900
    /// The number of events between two of the graphs, which change with each sample only.
    private static let eventsPerGraph = 10

    private let sources: OperatorSources
    private let links: [AccountPageLink]
    private let snapshots: DashboardSnapshots
    private let pages: AccountPages
    private let listeners = ListenerLimit(32)

    /// - Parameters:
    ///   - sources: what the page shows.
    ///   - pages: the account pages, which know those of the domains for operators.
    package init(sources: OperatorSources, pages: AccountPages) {
        (self.sources, self.pages, links, snapshots) = (sources, pages, pages.links, DashboardSnapshots(sources))
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, OperatorPath.dashboard, Self.rule) { request, context in
                let page = SitePage(.dashboard, request, context)
                let text = DashboardText.of(page.text.siteLanguage)
                let snapshot = try await snapshots.current()
                var values = DashboardState(snapshot, page, text, context).values
                values["channelGraphs"] = graphs(page, text)
                values["audience"] = try await audience(page, text, context)
                values["done"] = PageRequest.value(of: OperatorActions.noticeParameter, in: request).map { _ in
                    text.done
                }
                values["problem"] = PageRequest.value(of: OperatorActions.problemParameter, in: request)
                    .map(SitePage.displayed)
                values["playerVersion"] = SiteAssets.playerVersion
                values["hasFile"] = sources.reloader != nil
                values["csrf"] = context.csrfToken
                values["mayAdminister"] = context.may(.administer, .system)
                values["links"] = links.filter { link in
                    link.path != OperatorPath.dashboard
                        && link.need.map { context.may($0.action, $0.resource) } ?? false
                }.map { ["path": $0.path, "name": $0.text(page.text.siteLanguage)] }
                return try page.response(values, title: text.heading)
            },
            Endpoint(.get, OperatorPath.events, Self.rule, handler: listen),
        ]
            + OperatorActions(sources: sources, pages: pages) { [snapshots] in await snapshots.forget() }.endpoints
            + SettingsPages(pages: pages, sources: sources).endpoints + LogPage(log: sources.log).endpoints
            + [ComponentsPage().endpoint]
    }

    // MARK: Events

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let place = listeners.enter() else {
            throw ServerSentEvents.refusal("too many dashboards are open")
        }
        let (ticks, end) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        return ServerSentEvents.response(to: request, on: context.channel, end: { end.finish() }) { writer in
            defer { withExtendedLifetime(place) {} }
            let page = SitePage(.dashboardState, request, context)
            let text = DashboardText.of(page.text.siteLanguage)
            try await writer.write(ByteBuffer(string: ServerSentEvents.beginning))
            try await withThrowingTaskGroup { group in
                group.addTask {
                    for _ in 0..<Self.maximumEventCount {
                        end.yield()
                        try await Task.sleep(for: Self.interval)
                    }
                    end.finish()
                }
                var (last, count) = ("", 0)
                for await _ in ticks.cancelOnGracefulShutdown() {
                    let state = DashboardState(try await snapshots.current(), page, text, context)
                    let html = try SiteTemplates.render(.dashboardState, state.values)
                    // What has not changed is not sent again.
                    var event = html == last ? "" : Self.event("state", html)
                    if count % Self.eventsPerGraph == 0 {
                        let graphs = ["d": text, "channelGraphs": graphs(page, text)] as [String: Any]
                        event += Self.event("graphs", try SiteTemplates.render(.dashboardGraphs, graphs))
                    }
                    (last, count) = (html, count + 1)
                    try await writer.write(ByteBuffer(string: event.isEmpty ? ServerSentEvents.heartbeat : event))
                }
                group.cancelAll()
            }
        }
    }

    /// An event with a line of data for each line.
    private static func event(_ name: String, _ html: String) -> String {
        "event: \(name)\n" + html.split(separator: "\n").map { "data: \($0)\n" }.joined() + "\n"
    }

    // MARK: Graphs

    /// The graphs of the channels that were on the air in the last hour.
    private func graphs(_ page: SitePage, _ text: DashboardText) -> [[String: Any]] {
        let format = DashboardFormat(page)
        return sources.content.channels().compactMap { channel in
            let samples = sources.history.samples(ofChannel: channel.name)
            guard samples.contains(where: { $0.bitRate > 0 }) else { return nil }
            let graphs: [(name: String, values: [Float], unit: (Float) -> String)] = [
                (text.videoRate, samples.map(\.bitRate), { DashboardFormat.bits(Int($0)) }),
                (text.frames, samples.map(\.frameRate), { format.rounded(Double($0)) }),
                (text.keyFrameDistance, samples.map(\.keyFrameDistance), { "\(format.rounded(Double($0))) s" }),
                (text.loss, samples.map(\.lost), { format.rounded(Double($0)) }),
                (text.viewers, samples.map(\.viewers), { format.rounded(Double($0)) }),
            ]
            return [
                "title": SitePage.displayed(channel.title),
                "graphs": graphs.map { graph -> [String: Any] in
                    let line = Sparkline(values: graph.values)
                    return [
                        "name": graph.name, "points": line.points,
                        "last": graph.unit(graph.values.last ?? 0),
                        "highest": text.upTo.filled("value", with: graph.unit(line.highest)),
                    ]
                },
            ] as [String: Any]
        }
    }

    /// Number of channels and titles that are listed as the most watched.
    private static let mostWatchedCount = 10

    /// The viewers of the last days; `nil` for a server that does not keep them.
    private func audience(
        _ page: SitePage, _ text: DashboardText, _ context: GatewayRequestContext
    ) async throws -> [String: Any]? {
        guard let audience = sources.audience else { return nil }
        let (days, format) = (try await audience.days(), DashboardFormat(page))
        let most = days.map(\.minutes).max() ?? 0
        var rows: [[String: Any]] = []
        for kind in [AudienceSample.Kind.channel, .title] {
            for sum in try await audience.most(kind, limit: Self.mostWatchedCount) {
                let name =
                    kind == .channel
                    ? sources.content.channel(named: sum.name)?.title
                    : try await sources.content.title(id: sum.name)?.title
                rows.append([
                    "kind": kind == .channel ? text.channel : text.title,
                    "name": SitePage.displayed(name ?? sum.name), "hours": format.hours(sum.minutes),
                    "peak": "\(sum.peak)",
                ])
            }
        }
        let clients = try await audience.most(.client, limit: ClientKind.allCases.count)
        return [
            "days": days.map { day -> [String: Any] in
                [
                    "share": most > 0 ? "\(Double(day.minutes) / Double(most))" : "0",
                    "hours": format.hours(day.minutes),
                    "date": format.date(ofDay: day.day),
                ]
            },
            "rows": rows, "isEmpty": days.isEmpty,
            "clients": clients.map { ["name": text.clients[$0.name] ?? $0.name, "hours": format.hours($0.minutes)] },
        ]
    }
}
