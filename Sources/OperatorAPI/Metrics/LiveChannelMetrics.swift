package import HTTPEndpoints
package import LiveChannels

/// The Prometheus metrics of the channels that their status does not contain.
package struct LiveChannelMetrics: Sendable {
    private let channels: [LiveChannel]

    package init(channels: [LiveChannel]) {
        self.channels = channels
    }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_channel_held_bytes", help: "Media held in memory for players.", kind: .gauge,
                samples: channels.map { MetricFamily.Sample(["channel": $0.name], Double($0.heldByteCount())) }),
            MetricFamily(
                name: "antena_channel_recording", help: "1 while the channel is recorded.", kind: .gauge,
                samples: channels.map {
                    MetricFamily.Sample(["channel": $0.name], $0.status().recording?.state == .recording ? 1 : 0)
                }),
        ]
    }
}
