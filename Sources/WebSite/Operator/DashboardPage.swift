import Accounts
import Catalogue
import Foundation
import HLSDelivery
package import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LibraryCore
import LiveChannels
import MediaCore
import NIOCore
import NIOPosix
import ServiceLifecycle
import SiteTexts
import Synchronization
package import Workflows

/// The operator's dashboard: whether everything is all right, in one page. What changes comes as server-sent events.
package struct DashboardPage: Sendable {
    /// The link to the page on the page of an account.
    package static let links = [
        AccountPageLink(path: path, need: (.manage, .system)) { DashboardText.of($0).heading }
    ]

    private static let path = "/operator"
    private static let rule = AccessRule.needs(.manage, .system)
    /// The time between two events.
    private static let interval = Duration.seconds(2)
    /// The number of events after which somebody's permission is asked for again, by a new request.
    private static let maximumEventCount = 900
    /// Limit of the pages that listen at once.
    private static let maximumListenerCount = 32
    /// Number of jobs that are shown.
    private static let maximumJobCount = 20
    /// The time for which an error of a channel is an alert.
    private static let errorAge: TimeInterval = 600

    private let content: any ContentSource
    private let links: [AccountPageLink]
    private let machine: @Sendable () -> MachineState
    private let listeners = ListenerCount()

    /// The number of listeners.
    private final class ListenerCount: Sendable {
        private let count = Mutex(0)

        /// A listener's place, which is free again when nobody has it any more, whether its response was sent or not.
        final class Place: Sendable {
            private let counted: ListenerCount

            fileprivate init(_ counted: ListenerCount) { self.counted = counted }

            deinit { counted.count.withLock { $0 -= 1 } }
        }

        func enter(upTo limit: Int) -> Place? {
            let hasRoom = count.withLock { count in
                guard count < limit else { return false }
                count += 1
                return true
            }
            return hasRoom ? Place(self) : nil
        }
    }

    /// - Parameters:
    ///   - content: the channels and the library.
    ///   - pages: the account pages, which know those of the domains for operators.
    ///   - machine: reads the state of the machine; may wait for a disk.
    package init(
        content: any ContentSource, pages: AccountPages, machine: @escaping @Sendable () -> MachineState
    ) {
        (self.content, self.links, self.machine) = (content, pages.links, machine)
    }

    package var endpoints: [Endpoint] {
        [
            Endpoint(.get, Self.path, Self.rule) { request, context in
                let page = SitePage(.dashboard, request, context)
                let text = DashboardText.of(page.text.siteLanguage)
                var values = try await state(page, text)
                values["links"] = links.filter { link in
                    link.path != Self.path && link.need.map { context.may($0.action, $0.resource) } ?? false
                }.map { ["path": $0.path, "name": $0.text(page.text.siteLanguage)] }
                return try page.response(values, title: text.heading)
            },
            Endpoint(.get, "\(Self.path)/estado", Self.rule, handler: listen),
        ]
    }

    // MARK: Events

    private func listen(_ request: Request, _ context: GatewayRequestContext) async throws -> Response {
        guard let place = listeners.enter(upTo: Self.maximumListenerCount) else {
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
                var last = ""
                for await _ in ticks.cancelOnGracefulShutdown() {
                    let html = try SiteTemplates.render(.dashboardState, try await state(page, text))
                    // A line of data for each line; what has not changed is not sent again.
                    let event =
                        html == last
                        ? ServerSentEvents.heartbeat
                        : "event: state\n" + html.split(separator: "\n").map { "data: \($0)\n" }.joined() + "\n"
                    last = html
                    try await writer.write(ByteBuffer(string: event))
                }
                group.cancelAll()
            }
        }
    }

    // MARK: State

    private func state(_ page: SitePage, _ text: DashboardText) async throws -> [String: Any] {
        let all = content.channels()
        let channels = all.filter { $0.state != .idle } + all.filter { $0.state == .idle }
        let jobs = await content.library.openJobs()
        let read = machine
        let machine = try await NIOThreadPool.singleton.runIfActive { read() }
        var alerts = channels.flatMap { problems(of: $0, text, now: Date()) }
        if machine.isDiskNearlyFull {
            let free = Self.bytes(machine.freeByteCount, page)
            alerts.append(alert(text.diskFull, text.diskFullText.filled("free", with: free)))
        }
        return [
            "d": text, "alerts": alerts, "isWell": alerts.isEmpty,
            "channels": channels.map { values(of: $0, page, text) },
            "jobs": jobs.prefix(Self.maximumJobCount).map(page.job), "hasJobs": !jobs.isEmpty,
            "facts": facts(machine, page, text),
        ]
    }

    private func alert(_ heading: String, _ explanation: String, path: String? = nil) -> [String: Any] {
        var values: [String: Any] = [
            "heading": SitePage.displayed(heading), "text": SitePage.displayed(explanation),
        ]
        values["path"] = path
        return values
    }

    private func problems(of channel: ChannelStatus, _ text: DashboardText, now: Date) -> [[String: Any]] {
        let path = ResourcePaths.page(ofChannel: channel.name)
        func alert(_ heading: String, _ explanation: String) -> [String: Any] {
            self.alert("\(channel.title): \(heading)", explanation, path: path)
        }
        var alerts: [[String: Any]] = []
        if channel.state == .interrupted { alerts.append(alert(text.interrupted, text.interruptedText)) }
        if let comparison = channel.presetComparison,
            comparison.resolution.verdict == .below
                || comparison.frameRate.verdict == .below || comparison.videoBitrate.verdict == .below
        {
            alerts.append(
                alert(
                    text.belowPreset,
                    text.belowPresetText.filled("preset", with: channel.preset)))
        }
        if let long = channel.gopTooLong { alerts.append(alert(text.keyFrames, long.advice)) }
        if !channel.waitingPublishers.isEmpty { alerts.append(alert(text.waiting, text.waitingText)) }
        if let error = channel.errors.last, now.timeIntervalSince(error.at) < Self.errorAge {
            alerts.append(alert(text.reported, error.message))
        }
        return alerts
    }

    private func values(of channel: ChannelStatus, _ page: SitePage, _ text: DashboardText) -> [String: Any] {
        var values = page.channel(channel)
        func fact(_ name: String, _ value: String?, _ verdict: PresetComparison.Verdict? = nil) -> [String: Any]? {
            guard let value else { return nil }
            var fact: [String: Any] = ["name": name, "value": SitePage.displayed(value)]
            switch verdict {
            case .kept: fact["verdict"] = ["word": text.kept, "class": "good"]
            case .below: fact["verdict"] = ["word": text.below, "class": "bad"]
            case .above: fact["verdict"] = ["word": text.above, "class": "bad"]
            case nil: break
            }
            return fact
        }
        let (video, audio) = (
            channel.tracks.first { $0.type == "video" }, channel.tracks.first { $0.type == "audio" }
        )
        let comparison = channel.presetComparison
        let size = video.flatMap { track in track.width.flatMap { width in track.height.map { "\(width) × \($0)" } } }
        let since = channel.publisher.map { Duration.seconds(Date().timeIntervalSince($0.since)) }
        values["facts"] =
            channel.state == .idle
            ? []
            : [
                fact(text.onAirFor, since.map { PlayingTime.text($0.seconds) }),
                fact(text.viewers, "\(channel.viewers)"),
                fact(text.preset, channel.preset),
                fact(text.picture, size, comparison?.resolution.verdict),
                fact(
                    text.frames, video?.frameRate.map { Self.rounded($0, page) }, comparison?.frameRate.verdict),
                fact(text.videoRate, video?.bitRate.map(Self.bits), comparison?.videoBitrate.verdict),
                fact(text.audioRate, audio?.bitRate.map(Self.bits), comparison?.audioBitrate.verdict),
                fact(text.loss, "\(channel.packetsLost)"),
                fact(
                    text.publisher,
                    [channel.publisher?.transport, channel.publisher?.userAgent].compactMap(\.self)
                        .joined(separator: " · ")),
            ].compactMap(\.self)
        return values
    }

    private func facts(_ machine: MachineState, _ page: SitePage, _ text: DashboardText) -> [[String: Any]] {
        var facts: [[String: Any]] = []
        if let free = machine.freeByteCount, let all = machine.diskByteCount, all > 0 {
            facts.append([
                "name": text.disk, "share": "\(1 - Double(free) / Double(all))",
                "value": text.diskFree.filled("free", with: Self.bytes(free, page)),
            ])
        }
        facts.append(["name": text.memory, "value": Self.bytes(machine.residentByteCount, page)])
        if let load = machine.load {
            facts.append([
                "name": text.load, "value": "\(Self.rounded(load, page)) / \(machine.processorCount)",
                "share": "\(min(1, load / Double(max(1, machine.processorCount))))",
            ])
        }
        return facts
    }

    private static func bytes(_ count: Int64?, _ page: SitePage) -> String {
        guard let count else { return "–" }
        let gigabytes = Double(count) / 1e9
        return gigabytes >= 1 ? "\(rounded(gigabytes, page)) GB" : "\(count / 1_000_000) MB"
    }

    private static func bits(_ rate: Int) -> String { "\(rate / 1_000) kbit/s" }

    private static func rounded(_ number: Double, _ page: SitePage) -> String {
        let tenths = Int64((max(0, min(number, 1e12)) * 10).rounded())
        let text = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
        return text.replacing(".", with: page.text.siteLanguage.decimalSeparator)
    }
}
