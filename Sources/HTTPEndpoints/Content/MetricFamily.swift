/// A Prometheus metric with its samples.
package struct MetricFamily: Sendable, Equatable {
    /// The type of a metric: a counter only increases.
    package enum Kind: String, Sendable { case counter, gauge }

    /// One value of the metric, with the labels that identify it.
    package struct Sample: Sendable, Equatable {
        package var labels: [String: String]
        package var value: Double

        package init(_ labels: [String: String], _ value: Double) {
            self.labels = labels
            self.value = value
        }
    }

    /// The metric's name, `[a-zA-Z_:][a-zA-Z0-9_:]*`; the names of counters end in `_total`.
    package var name: String
    package var help: String
    package var kind: Kind
    package var samples: [Sample]

    package init(name: String, help: String, kind: Kind, samples: [Sample]) {
        self.name = name
        self.help = help
        self.kind = kind
        self.samples = samples
    }

    /// Creates a metric with one sample without labels.
    package init(name: String, help: String, kind: Kind, value: Double) {
        self.init(name: name, help: help, kind: kind, samples: [Sample([:], value)])
    }
}
