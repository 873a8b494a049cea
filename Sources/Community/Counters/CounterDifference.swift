/// A counter that does not say what a recount says.
package struct CounterDifference: Sendable, Hashable, CustomStringConvertible {
    /// The table and the column of the counter.
    package var counter: String
    /// The subject of the counter, such as the number of a video.
    package var subject: String
    package var stored: Int64
    package var recounted: Int64

    package var description: String { "\(counter) of \(subject): \(stored), recounted \(recounted)" }
}
