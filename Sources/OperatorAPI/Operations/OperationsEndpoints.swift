import Accounts
import APIContract
import Events
import HTTPEndpoints
import HTTPTypes
import Hummingbird
import LiveChannels
import NIOCore
import Webhooks

/// The endpoints for monitoring: `/healthz`, `/readyz` and `/metrics`.
struct OperationsEndpoints: Sendable {
    let content: any ContentSource
    /// `nil` for a server without a journal of events.
    var journal: EventJournal?
    /// `nil` for a server without webhooks.
    var webhooks: Webhooks?

    var endpoints: [Endpoint] {
        [
            Endpoint(.get, "/healthz", .open(reason: "load balancers ask whether the process answers")) { _, _ in
                Self.text("ok\n")
            },
            Endpoint(.get, "/readyz", .open(reason: "load balancers ask whether the server can serve")) { _, _ in
                if let reason = await content.unreadiness() { throw ProblemDetails(.serviceUnavailable, reason) }
                return Self.text("ready\n")
            },
            Endpoint(.get, "/metrics", .metrics) { _, _ in
                Self.response(
                    MetricsText.render(await families()), type: "text/plain; version=0.0.4; charset=utf-8")
            }.forPrograms,
        ]
    }

    private static func text(_ text: String) -> Response {
        response(ByteBuffer(string: text), type: "text/plain; charset=utf-8")
    }

    private static func response(_ text: ByteBuffer, type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: text))
    }

    private func families() async -> [MetricFamily] {
        async let others = content.metrics()
        async let library = libraryFamilies()
        return channelFamilies(content.channels()) + (await library) + (await others)
            + (journal.map { EventMetrics(journal: $0).families } ?? []) + (await webhookFamilies())
    }

    private func webhookFamilies() async -> [MetricFamily] {
        guard let statistics = try? await webhooks?.statistics() else { return [] }
        return WebhookMetrics(statistics: statistics).families
    }

    /// The numbers that the database holds; none while it does not answer, so that the others are still there.
    private func libraryFamilies() async -> [MetricFamily] {
        guard let counts = try? await content.readyCounts(visibleTitles: nil, visibleTracks: nil) else { return [] }
        return [
            MetricFamily(
                name: "antena_titles_ready", help: "Titles that can be played, without trailers.", kind: .gauge,
                value: Double(counts.titles)),
            MetricFamily(
                name: "antena_tracks_ready", help: "Tracks that can be played.", kind: .gauge,
                value: Double(counts.tracks)),
        ]
    }

    private func channelFamilies(_ channels: [ChannelStatus]) -> [MetricFamily] {
        func perChannel(
            _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ value: (ChannelStatus) -> Int
        ) -> MetricFamily {
            MetricFamily(
                name: name, help: help, kind: kind,
                samples: channels.map { MetricFamily.Sample(["channel": $0.name], Double(value($0))) })
        }
        let version = MetricFamily.Sample(["version": Product.version], 1)
        return [
            MetricFamily(name: "antena_build_info", help: "The running version.", kind: .gauge, samples: [version]),
            MetricFamily(
                name: "antena_channels_live", help: "Channels that are being published to.", kind: .gauge,
                value: Double(channels.count { $0.state == .live })),
            perChannel("antena_channel_live", "1 while the channel is being published to.", .gauge) {
                $0.state == .live ? 1 : 0
            },
            perChannel("antena_channel_viewers", "Current viewers.", .gauge, \.viewers),
            MetricFamily(
                name: "antena_channel_variant_viewers", help: "Current viewers by variant.", kind: .gauge,
                samples: channels.flatMap { channel in
                    let viewers = channel.viewersByVariant
                    return [("video", viewers.video), ("audio", viewers.audio), ("ts", viewers.ts)].map {
                        MetricFamily.Sample(["channel": channel.name, "variant": $0.0], Double($0.1))
                    }
                }),
            perChannel("antena_channel_received_bytes_total", "Bytes received from publishers.", .counter, \.bytesIn),
            perChannel(
                "antena_channel_discarded_bytes_total", "Bytes received from waiting publishers and discarded.",
                .counter, \.bytesDiscarded),
            perChannel("antena_channel_waiting_publishers", "Publishers waiting for another one to end.", .gauge) {
                $0.waitingPublishers.count
            },
            perChannel("antena_channel_sent_bytes_total", "Bytes sent to players.", .counter, \.bytesOut),
            perChannel("antena_channel_lost_packets_total", "RTP packets lost.", .counter, \.packetsLost),
        ]
    }
}
