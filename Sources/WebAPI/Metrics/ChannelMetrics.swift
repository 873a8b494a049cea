package import HTTPEndpoints
package import LiveChannels

/// The metrics of channels: who publishes, who watches, and how much.
package struct ChannelMetrics: Sendable {
    private let channels: [ChannelStatus]

    package init(channels: [ChannelStatus]) { self.channels = channels }

    package var families: [MetricFamily] {
        func perChannel(
            _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ value: (ChannelStatus) -> Int
        ) -> MetricFamily {
            MetricFamily(
                name: name, help: help, kind: kind,
                samples: channels.map { MetricFamily.Sample(["channel": $0.name], Double(value($0))) })
        }
        return [
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
            MetricFamily(
                name: "antena_channel_ladder_encoded", help: "1 while the quality is encoded.", kind: .gauge,
                samples: channels.flatMap { channel in
                    (channel.ladder ?? []).map { rung in
                        MetricFamily.Sample(
                            ["channel": channel.name, "preset": rung.name], rung.state == .encoded ? 1 : 0)
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
        ] + links
    }

    /// The lines to publishers whose protocol measures them.
    private var links: [MetricFamily] {
        func perLink(_ name: String, _ help: String, _ value: (LinkQuality) -> Double) -> MetricFamily {
            MetricFamily(
                name: name, help: help, kind: .gauge,
                samples: channels.compactMap { channel in
                    channel.publisher?.link.map { MetricFamily.Sample(["channel": channel.name], value($0)) }
                })
        }
        return [
            perLink("antena_channel_link_round_trip_seconds", "Time to the publisher and back (SRT).") {
                $0.roundTripMilliseconds / 1_000
            },
            perLink("antena_channel_link_lost_packets", "Packets of the push that did not arrive at first (SRT).") {
                Double($0.lostPackets)
            },
            perLink("antena_channel_link_retransmitted_packets", "Packets of the push that were sent again (SRT).") {
                Double($0.retransmittedPackets)
            },
            perLink("antena_channel_link_dropped_packets", "Packets of the push that came too late or never (SRT).") {
                Double($0.droppedPackets)
            },
        ]
    }
}
