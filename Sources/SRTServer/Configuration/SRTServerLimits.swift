package import ChannelPublishing

/// Limits on resources that untrusted peers can occupy, and for how long.
package struct SRTServerLimits: Sendable, Hashable {
    /// Connections of one address: a school behind one IPv4 address.
    package var maximumConnectionsPerAddress = 64
    /// Time without media after which a publisher counts as gone. SRT itself notices a dead line after 5 s.
    package var silence = Duration.seconds(30)
    /// Limits of the units that are kept until all tracks are known.
    package var gathering = GatheringLimits()
    /// Interval in which the line is measured, and the permission of a reader looked at.
    package var checkInterval = Duration.seconds(1)

    package init() {}
}
