import Accounts
import Events
import HTTPEndpoints
import WebAPI
import WebSite
import Webhooks
import Workflows

/// Live channels and the file that configures them.
struct ChannelFeature: Feature {
    static let events = [
        EventKind(.channel, EventType.ofChannels) { name, _, audiences in audiences.channel(name) }
    ]

    private let content: any ContentSource
    private let reloader: (any ChannelsReloading)?
    let endpoints: [Endpoint]

    init?(_ station: Station) {
        (content, reloader) = (station.content, station.reloader)
        endpoints =
            AllChannelEndpoints(
                content: station.content, titleKeys: station.titleKeys, reloader: station.reloader,
                relays: station.relays
            ).endpoints + [BroadcastPage(content: station.content, presets: station.presets).endpoint]
    }

    func pages(_ frame: AccountPages) -> [Endpoint] {
        guard let reloader else { return [] }
        return ChannelPages(pages: frame, content: content, reloader: reloader).endpoints
    }

    func metrics() async -> [MetricFamily] { ChannelMetrics(channels: content.channels()).families }
}
