package import HTTPEndpoints
package import LiveChannels
package import MediaCore

/// The Prometheus metrics of the channels that their status does not contain.
package struct LiveChannelMetrics: Sendable {
    private let channels: [LiveChannel]
    private let partLatency: LatencyHistogram.Snapshot

    /// - Parameters:
    ///   - channels: the channels.
    ///   - partLatency: how long parts have taken to be published, on all channels.
    package init(channels: [LiveChannel], partLatency: LatencyHistogram.Snapshot) {
        self.channels = channels
        self.partLatency = partLatency
    }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_channel_held_bytes", help: "Media held in memory for players.", kind: .gauge,
                samples: channels.map { MetricFamily.Sample(["channel": $0.name], Double($0.heldByteCount())) }),
            MetricFamily(
                name: "antena_channel_recording", help: "1 while the channel is recorded.", kind: .gauge,
                samples: channels.map {
                    MetricFamily.Sample(["channel": $0.name], $0.isRecording ? 1 : 0)
                }),
            MetricFamily(
                name: "antena_part_publish_duration_seconds",
                help: "Time from the arrival of the frame that completes a part to players being able to get the part.",
                histograms: [([:], partLatency)]),
        ]
    }
}
