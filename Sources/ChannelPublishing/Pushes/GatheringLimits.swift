/// Limits of the units that are kept until all tracks of a push are known.
package struct GatheringLimits: Sendable, Hashable {
    /// Time for which they are kept.
    package var time = Duration.seconds(2)
    /// Their number and their bytes: 2 s at over 60 Mbit/s.
    package var unitCount = 512
    package var byteCount = 16 << 20

    package init() {}
}
