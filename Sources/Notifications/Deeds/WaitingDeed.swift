import MediaCore

/// A deed of which members are told now.
struct WaitingDeed: Sendable {
    var number: Int64
    var deed: Deed
    var happenedAt: WallClockTime
    /// The last member who was told, in the order of the audience; empty at the beginning.
    var reached: String
}
