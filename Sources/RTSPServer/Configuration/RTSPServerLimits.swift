package import RTSPProtocol
import StreamConnections

/// Limits on resources that untrusted peers can occupy, and for how long.
package struct RTSPServerLimits: Sendable, Hashable {
    /// Limit on connections. The design target is 100 publishers and 500 readers; the rest is for clients that
    /// reconnect before their old connection is known to be dead. Each connection costs a file descriptor and about
    /// 10 KB, and a reader its queue.
    package var maximumConnectionCount = 4_096
    /// Limit on connections per address, enough for a school behind one IPv4 address. An IPv6 /64 counts as one
    /// address.
    package var maximumConnectionsPerAddress = 1_024
    /// Time after the setup of a track without PLAY or RECORD from which the connection may be closed in favour of
    /// another one. Clients take milliseconds, and a user who has to confirm something a few seconds.
    package var setUpPatience = Duration.seconds(10)
    /// Timeouts of sessions, and the limit on refusals.
    package var timeouts = RTSPSessionTimeouts()
    /// Limits on RTSP messages.
    package var messages = RTSPMessageLimits.standard
    /// Limit on announced tracks; cameras announce up to four.
    package var maximumTrackCount = 8
    /// Time between a final refusal and the end of the connection, so that the peer can read the response before
    /// unread bytes cause a reset.
    package var lingerTime = Duration.seconds(1)
    /// Interval of the question whether a rental has ended early or what is played was hidden. With the time in which a
    /// server learns what another one has changed, playback ends within a second.
    package static let playbackCheckInterval = Duration.milliseconds(250)
    /// Interval of receiver reports; RFC 3550 §6.2 recommends at least 5 s.
    package var receiverReportInterval = Duration.seconds(5)
    /// Time for which a new push is read as it arrives, even if nobody watches: its first frames are waited for, and
    /// date what follows.
    package var settlingTime = Duration.seconds(5)
    /// Size of the receive buffer of each RTP socket in bytes: half a second of 30 Mbit/s. The kernel limits it to
    /// `net.core.rmem_max`.
    package var udpReceiveBufferByteCount = 2 * 1_024 * 1_024
    /// Pairs of ports to try before a SETUP is refused, because other programs may use ports of the range.
    package var maximumPortAttemptCount = 64

    package init() {}

    /// The limits of connections.
    var connections: ConnectionLimits {
        ConnectionLimits(
            total: maximumConnectionCount, perAddress: maximumConnectionsPerAddress, setUpPatience: setUpPatience)
    }
}
