package import ChannelPublishing
import StreamConnections

/// Limits on resources that untrusted peers can occupy, and for how long.
package struct RTMPServerLimits: Sendable, Hashable {
    /// Limit on connections: those of RTSP have as many of their own.
    package var maximumConnectionCount = 4_096
    /// Limit on connections per address, enough for a school behind one IPv4 address.
    package var maximumConnectionsPerAddress = 1_024
    /// Time from the connection to publishing or playing; encoders take a fraction of a second.
    package var setUpTime = Duration.seconds(10)
    /// Time without a byte after which a publisher counts as gone.
    package var silence = Duration.seconds(30)
    /// Limits of the tags that are kept until all tracks are known.
    package var gathering = GatheringLimits()
    /// Bytes that wait for a player; 3 s at 8 Mbit/s. A player that is further behind gets frames from the next key
    /// frame on.
    package var unsentByteCount = 3 << 20
    /// Time between a refusal and the end of the connection, so that the encoder can read the reason.
    package var lingerTime = Duration.seconds(1)
    /// Time for which a new push is read as it arrives: its first frames are waited for, and date what follows.
    package var settlingTime = Duration.seconds(5)
    /// Interval of the question whether something was hidden after somebody had begun to play it.
    package static let playbackCheckInterval = Duration.milliseconds(250)

    package init() {}

    var connections: ConnectionLimits {
        ConnectionLimits(
            total: maximumConnectionCount, perAddress: maximumConnectionsPerAddress, setUpPatience: setUpTime)
    }
}
