/// Whether a quality of a ladder is encoded.
package enum LiveRungState: String, Sendable, Codable, CaseIterable {
    case encoded
    /// Nobody watches the channel.
    case asleep
    /// The machine did not keep up.
    case dropped
    /// Other channels have all slots.
    case withoutSlot
    /// The ladder has failed.
    case failed

    /// True if new viewers are offered the quality: it comes as soon as they watch.
    var isOffered: Bool { self == .encoded || self == .asleep }
}
