import HTTPEndpoints

/// The rules of `promtool check metrics` and of Prometheus' guide to names, for families as the server makes them.
enum MetricsLint {
    /// - Returns: one text per mistake.
    static func problems(_ families: [MetricFamily]) -> [String] {
        var problems: [String] = []
        var names: Set<String> = []
        for family in families {
            func note(_ what: String) { problems.append("\(family.name) \(what)") }
            if !names.insert(family.name).inserted { note("occurs twice") }
            if family.name.wholeMatch(of: /antena_[a-z0-9]+(_[a-z0-9]+)*/) == nil { note("is not a name") }
            if family.help.isEmpty || !family.help.hasSuffix(".") { note("has no sentence of help") }
            if (family.kind == .counter) != family.name.hasSuffix("_total") { note("is a counter, or ends in _total") }
            if family.name.hasSuffix("_count") || family.name.hasSuffix("_sum") || family.name.hasSuffix("_bucket") {
                note("ends like a sample of a histogram")
            }
            if family.kind == .histogram, !family.name.hasSuffix("_seconds") { note("has no unit") }
            for unit in ["milliseconds", "minutes", "kilobytes", "percent", "kbps"] where family.name.contains(unit) {
                note("has a unit that is not a base unit")
            }
            var samples: Set<[String: String]> = []
            for sample in family.samples {
                var labels = sample.labels
                if labels.keys.contains("le") != (sample.suffix == "_bucket") { note("has a label of a histogram") }
                labels["suffix"] = sample.suffix
                if !samples.insert(labels).inserted { note("has two samples with \(labels)") }
                if (family.kind == .histogram) == sample.suffix.isEmpty { note("has samples of another type") }
                if labels.keys.contains(where: { $0.wholeMatch(of: /[a-z]+/) == nil }) { note("has a bad label") }
            }
            if family.kind == .histogram { problems += bucketProblems(family) }
        }
        return problems
    }

    private static func bucketProblems(_ family: MetricFamily) -> [String] {
        var problems: [String] = []
        let groups = Dictionary(grouping: family.samples) { sample in sample.labels.filter { $0.key != "le" } }
        for (labels, samples) in groups {
            let buckets = samples.filter { $0.suffix == "_bucket" }
            let bounds = buckets.compactMap { $0.labels["le"].flatMap(Double.init) }
            if bounds.count != buckets.count || bounds != bounds.sorted() || bounds.last != .infinity {
                problems.append("\(family.name) \(labels) has bad bounds \(bounds)")
            }
            let counts = buckets.map(\.value)
            let total = samples.first { $0.suffix == "_count" }?.value
            if counts != counts.sorted() || counts.last != total {
                problems.append("\(family.name) \(labels) has bad counts \(counts)")
            }
            if !samples.contains(where: { $0.suffix == "_sum" }) { problems.append("\(family.name) has no sum") }
        }
        return problems
    }
}
