import MediaCore

/// The times of calls that follow one another, for the benchmarks that measure a target's own calls.
package enum CallTimes {
    /// The seconds that each call takes, in rising order.
    ///
    /// - Parameter call: is given the number of the call, from 0.
    package static func measure(
        _ count: Int, isolation: isolated (any Actor)? = #isolation, _ call: (Int) async throws -> Void
    ) async throws -> [Double] {
        var times: [Double] = []
        for index in 0..<count {
            let start = ContinuousClock.now
            try await call(index)
            times.append((ContinuousClock.now - start).seconds)
        }
        return times.sorted()
    }

    /// Adds the median and the 99th percentile to results, in milliseconds.
    ///
    /// - Parameter times: in seconds and rising order, at least one.
    package static func note(_ name: String, _ times: [Double], _ results: inout [String: Double]) {
        results["\(name): median, ms"] = times[times.count / 2] * 1_000
        results["\(name): p99, ms"] = times[times.count * 99 / 100] * 1_000
    }
}
