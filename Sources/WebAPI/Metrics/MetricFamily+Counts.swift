import HTTPEndpoints

/// Metrics of whole numbers.
extension MetricFamily {
    /// A number that goes up and down.
    static func gauge(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .gauge, value: Double(value))
    }

    /// A number that only increases.
    static func total(_ name: String, _ help: String, _ value: Int) -> MetricFamily {
        MetricFamily(name: name, help: help, kind: .counter, value: Double(value))
    }

    /// Numbers that only increase, one for each value of a label.
    static func totals(
        _ name: String, _ help: String, by label: String = "reason", _ counts: [(String, Int)]
    ) -> MetricFamily {
        MetricFamily(
            name: name, help: help, kind: .counter,
            samples: counts.sorted { $0.0 < $1.0 }.map { Sample([label: $0.0], Double($0.1)) })
    }
}
