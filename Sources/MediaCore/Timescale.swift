/// Ticks per second of a media clock: an RTP clock rate (RFC 3550 §5.1) or an ISO BMFF timescale
/// (ISO/IEC 14496-12 §8.4.2). Never zero.
package struct Timescale: Hashable, Sendable, CustomStringConvertible {
    /// The number of ticks in a second; never 0.
    package let ticksPerSecond: UInt32

    /// - Parameter ticksPerSecond: a value of Antena's own; zero traps. For a value from a peer or a file, use
    ///   ``init(checking:)``.
    package init(_ ticksPerSecond: UInt32) {
        precondition(ticksPerSecond > 0, "a timescale has at least one tick per second")
        self.ticksPerSecond = ticksPerSecond
    }

    /// Checks a value from a peer or a file; `nil` for zero, which no clock can have.
    package init?(checking ticksPerSecond: UInt32) {
        guard ticksPerSecond > 0 else { return nil }
        self.ticksPerSecond = ticksPerSecond
    }

    /// The clock of video over RTP (RFC 6184 §5.1) and of MPEG-2 Systems.
    package static let video90kHz = Timescale(90_000)
    package static let milliseconds = Timescale(1_000)
    package static let microseconds = Timescale(1_000_000)

    package var description: String { "\(ticksPerSecond) Hz" }
}
