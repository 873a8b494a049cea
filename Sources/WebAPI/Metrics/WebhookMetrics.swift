package import HTTPEndpoints
package import Webhooks

/// The metrics of webhooks.
package struct WebhookMetrics: Sendable {
    private let statistics: WebhookStatistics

    package init(statistics: WebhookStatistics) { self.statistics = statistics }

    package var families: [MetricFamily] {
        [
            MetricFamily(
                name: "antena_webhook_receivers", help: "Webhooks by whether they are enabled.", kind: .gauge,
                samples: [("enabled", statistics.enabledCount), ("disabled", statistics.disabledCount)].map {
                    MetricFamily.Sample(["state": $0.0], Double($0.1))
                }),
            .gauge("antena_webhook_pending", "Messages that wait to be sent to webhooks.", statistics.pendingCount),
            MetricFamily(
                name: "antena_webhook_attempts_total", help: "Requests to webhooks by result.", kind: .counter,
                samples: [
                    ("delivered", statistics.sent.deliveredCount), ("failed", statistics.sent.failedCount),
                ].map { MetricFamily.Sample(["result": $0.0], Double($0.1)) }),
            .total(
                "antena_webhook_given_up_total", "Messages to webhooks that were given up.",
                statistics.sent.givenUpCount),
        ]
    }
}
