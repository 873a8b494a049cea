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
    /// The time for which what was rendered is shown to all. It is shorter than the interval, so that each dashboard
    /// shows something new.
    private static let stateLifetime = Duration.seconds(1.5)
    /// The same for the graphs, which change with each sample only.
    private static let graphLifetime = Duration.seconds(20)

    private let sources: OperatorSources
    private let links: [AccountPageLink]
    private let snapshots: DashboardSnapshots
    private let pages: AccountPages
    private let stream = OperatorStream(every: Self.interval, refusal: "too many dashboards are open")
    private let rendering = DashboardRendering()

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
                var values = DashboardState(snapshot, page, text, csrf: context.csrfToken).values
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
            + OperatorActions(sources: sources, pages: pages) { [snapshots, rendering] in
                await snapshots.forget()
                await rendering.forget()
            }.endpoints
            + SettingsPages(pages: pages, sources: sources).endpoints + LogPage(log: sources.log).endpoints
            + [ComponentsPage().endpoint]
    }

    // MARK: Events

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        let language = SiteText.preferred(request.headers[.acceptLanguage]).siteLanguage
        return try stream.response(to: request, context, from: [0, 0]) { shown in
            let events = try await events(request, context, in: language)
            // What has not changed is not sent again.
            let new = zip(events, shown).filter { $0.number != $1 }.map(\.0.bytes)
            shown = events.map(\.number)
            return new
        }
    }

    /// The newest events. The forms in them have no token, because others get them, too: the script enters its page's.
    private func events(
        _ request: Request, _ context: GatewayRequestContext, in language: SiteLanguage
    ) async throws -> [DashboardRendering.Event] {
        let state = try await rendering.event("state", in: language, for: Self.stateLifetime) {
            let snapshot = try await snapshots.current()
            let page = SitePage(.dashboardState, request, context)
            return try SiteTemplates.render(
                .dashboardState, DashboardState(snapshot, page, DashboardText.of(language), csrf: nil).values)
        }
        let graphs = try await rendering.event("graphs", in: language, for: Self.graphLifetime) {
            let (page, text) = (SitePage(.dashboardState, request, context), DashboardText.of(language))
            return try SiteTemplates.render(
                .dashboardGraphs, ["d": text, "channelGraphs": self.graphs(page, text)] as [String: Any])
        }
        return [state, graphs]
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
