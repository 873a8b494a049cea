import Synchronization

/// Counts how long something took, in fixed buckets, for a metric. Recording takes no lock, and may happen on any
/// thread.
package final class LatencyHistogram: Sendable {
    /// A counter in an object of its own, because an array cannot hold an atomic value.
    private final class Counter: Sendable {
        let value = Atomic<Int>(0)
    }

    /// The recorded values until some time.
    package struct Snapshot: Sendable, Equatable {
        /// The upper bound of each bucket, included, in ascending order.
        package var bounds: [Duration]
        /// The number of values up to each bound, and then the number of all values.
        package var cumulativeCounts: [Int]
        /// The sum of all values.
        package var sum: Duration

        /// The number of all values.
        package var count: Int { cumulativeCounts.last ?? 0 }
    }

    /// The upper bounds of the buckets.
    package let bounds: [Duration]
    /// ``bounds`` in nanoseconds, for the comparison with each value.
    private let nanosecondBounds: [Int64]
    /// One counter per bound, and one for longer times.
    private let counters: [Counter]
    private let nanosecondSum = Atomic<Int64>(0)

    /// 0.1 ms to 10 s, for work that a client waits for.
    package static let requestBounds: [Duration] = [
        .microseconds(100), .microseconds(250), .microseconds(500),
        .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10), .milliseconds(25),
        .milliseconds(50), .milliseconds(100), .milliseconds(250), .milliseconds(500),
        .seconds(1), .milliseconds(2_500), .seconds(5), .seconds(10),
    ]
    /// 10 µs to 1 s, for work in memory.
    package static let memoryBounds: [Duration] = [
        .microseconds(10), .microseconds(25), .microseconds(50), .microseconds(100), .microseconds(250),
        .microseconds(500), .milliseconds(1), .microseconds(2_500), .milliseconds(5), .milliseconds(10),
        .milliseconds(25), .milliseconds(50), .milliseconds(100), .milliseconds(250), .seconds(1),
    ]

    /// - Parameter bounds: the upper bounds of the buckets, in ascending order.
    package init(bounds: [Duration] = LatencyHistogram.requestBounds) {
        precondition(zip(bounds, bounds.dropFirst()).allSatisfy { $0 < $1 }, "bounds of a histogram ascend")
        self.bounds = bounds
        nanosecondBounds = bounds.map(\.wholeNanoseconds)
        counters = (0...bounds.count).map { _ in Counter() }
    }

    /// Records a duration. A negative one, which only a clock that was set back can give, counts as zero.
    package func record(_ duration: Duration) { record(nanoseconds: duration.wholeNanoseconds) }

    /// Records a duration in nanoseconds, for hot paths.
    package func record(nanoseconds: Int64) {
        let value = max(0, nanoseconds)
        var index = 0
        while index < nanosecondBounds.count, value > nanosecondBounds[index] { index += 1 }
        counters[index].value.wrappingAdd(1, ordering: .relaxed)
        nanosecondSum.wrappingAdd(value, ordering: .relaxed)
    }

    /// The recorded values so far. Values that are recorded at the same time may be missing in the sum.
    package var snapshot: Snapshot {
        var total = 0
        let counts = counters.map { counter in
            total += counter.value.load(ordering: .relaxed)
            return total
        }
        return Snapshot(
            bounds: bounds, cumulativeCounts: counts, sum: .nanoseconds(nanosecondSum.load(ordering: .relaxed)))
    }
}
