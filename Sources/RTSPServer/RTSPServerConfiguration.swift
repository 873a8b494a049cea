package import NIOCore
package import RTSPProtocol

package struct RTSPServerConfiguration: Sendable, Hashable {
    /// A name or an address of this machine.
    package var host: String
    /// 0 takes a free one.
    package var port: Int
    /// Where RTSP over TLS is spoken, if anywhere.
    package var secure: SecureListener?
    /// Two for each track that comes or goes by UDP; even numbers take RTP, the odd ones after them RTCP.
    package var udpPortRange: ClosedRange<UInt16>
    package var limits: RTSPServerLimits

    package static let defaultPort = 8_554
    /// Below the range from which Linux takes ports for outgoing connections (32768 to 60999).
    package static let defaultUDPPortRange: ClosedRange<UInt16> = 20_000...21_999

    /// RTSP over TLS, for which a certificate is needed.
    package struct SecureListener: Sendable, Hashable {
        package var host: String
        package var port: Int

        package init(host: String, port: Int) {
            self.host = host
            self.port = port
        }
    }

    package init(
        host: String = "127.0.0.1", port: Int = defaultPort, secure: SecureListener? = nil,
        udpPortRange: ClosedRange<UInt16> = defaultUDPPortRange, limits: RTSPServerLimits = RTSPServerLimits()
    ) {
        self.host = host
        self.port = port
        self.secure = secure
        self.udpPortRange = udpPortRange
        self.limits = limits
    }
}

/// What strangers may make the server hold, and for how long.
package struct RTSPServerLimits: Sendable, Hashable {
    /// The design's aim is 100 publishers and 500 readers; the rest is for those that come back before their old
    /// connection is known to be dead. Each costs a file descriptor and some 10 KB, and a reader its queue.
    package var maximumConnectionCount = 4_096
    /// A school behind one IPv4 address; an IPv6 /64 counts as one address.
    package var maximumConnectionsPerAddress = 1_024
    /// One in this many places, of connections and of UDP ports, is for publishers only.
    package static let publisherShare = 4
    /// How long a track may be set up without PLAY or RECORD before its connection may be let go for another one.
    /// Clients take milliseconds, and a person who has to confirm something a few seconds.
    package var setUpPatience = TimeAmount.seconds(10)
    /// First request, idle time, refusals: see there.
    package var timeouts = RTSPSessionTimeouts()
    /// Header line, header count, head, body: see there.
    package var messages = RTSPMessageLimits.standard
    /// Cameras announce up to four.
    package var maximumTrackCount = 8
    /// After a refusal that ends a connection, for the peer to read why before its own unread bytes reset it.
    package var lingerTime = TimeAmount.seconds(1)
    /// RFC 3550 §6.2 recommends 5 s as the least.
    package var receiverReportInterval = TimeAmount.seconds(5)
    /// Of each RTP socket: half a second of 30 Mbit/s. The kernel grants what `net.core.rmem_max` allows.
    package var udpReceiveBufferByteCount = 2 * 1_024 * 1_024
    /// Pairs tried before a SETUP is refused: others may use ports of the range.
    package var maximumPortAttemptCount = 64

    package init() {}

    /// What of `count` places readers may have.
    func readers(among count: Int) -> Int { count - count / Self.publisherShare }
}
