package import HTTPEndpoints
package import StreamRelays

/// The metrics of sources and restreams, each with its channel and its name there.
package struct RelayMetrics: Sendable {
    private let relays: [RelayStatus]

    package init(relays: [RelayStatus]) { self.relays = relays }

    package var families: [MetricFamily] {
        func perRelay(
            _ name: String, _ help: String, _ kind: MetricFamily.Kind, _ value: (RelayStatus) -> Int
        ) -> MetricFamily {
            MetricFamily(
                name: name, help: help, kind: kind,
                samples: relays.map { relay in
                    MetricFamily.Sample(
                        ["channel": relay.identifier.channel, "relay": "\(relay.identifier)"], Double(value(relay)))
                })
        }
        return [
            perRelay("antena_relay_running", "1 while media flows.", .gauge) { $0.state == .running ? 1 : 0 },
            perRelay("antena_relay_failing", "1 while the last attempt has failed.", .gauge) {
                $0.state == .failing ? 1 : 0
            },
            perRelay("antena_relay_attempts_total", "Connections begun.", .counter, \.attemptCount),
            perRelay("antena_relay_bytes_total", "Bytes fetched or sent.", .counter, \.totalByteCount),
            perRelay(
                "antena_relay_units_dropped_total", "Access units that the other server was too slow for.", .counter,
                \.totalDroppedUnitCount),
        ]
    }
}
