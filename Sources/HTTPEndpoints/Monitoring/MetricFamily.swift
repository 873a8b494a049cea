package import MediaCore

/// A Prometheus metric with its samples.
package struct MetricFamily: Sendable, Equatable {
    /// The type of a metric: a counter only increases, and a histogram counts values in cumulative buckets.
    package enum Kind: String, Sendable { case counter, gauge, histogram }

    /// One value of the metric, with the labels that identify it.
    package struct Sample: Sendable, Equatable {
        package var labels: [String: String]
        package var value: Double
        /// The suffix of the family's name: `_bucket`, `_sum` and `_count` of a histogram.
        package var suffix: String

        package init(_ labels: [String: String], _ value: Double, suffix: String = "") {
            self.labels = labels
            self.value = value
            self.suffix = suffix
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

    /// Creates a histogram of times in seconds.
    ///
    /// - Parameters:
    ///   - name: the metric's name, which ends in `_seconds`.
    ///   - help: what is measured, from when to when.
    ///   - histograms: what was recorded, each with the labels that identify it.
    package init(name: String, help: String, histograms: [(labels: [String: String], LatencyHistogram.Snapshot)]) {
        self.init(
            name: name, help: help, kind: .histogram,
            samples: histograms.flatMap { labels, snapshot in
                zip(snapshot.bounds.map { "\($0.seconds)" } + ["+Inf"], snapshot.cumulativeCounts).map { bound, count in
                    Sample(labels.merging(["le": bound]) { $1 }, Double(count), suffix: "_bucket")
                } + [
                    Sample(labels, snapshot.sum.seconds, suffix: "_sum"),
                    Sample(labels, Double(snapshot.count), suffix: "_count"),
                ]
            })
    }
}
