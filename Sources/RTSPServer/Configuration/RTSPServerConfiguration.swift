/// Configuration of the RTSP server.
package struct RTSPServerConfiguration: Sendable, Hashable {
    /// Host name or address of this machine on which to listen.
    package var host: String
    /// Port on which to listen; 0 selects a free one.
    package var port: Int
    /// Listener for RTSP over TLS; `nil` for none.
    package var secure: SecureListener?
    /// Ports for tracks that use UDP, two for each: RTP uses the even port, RTCP the odd port after it.
    package var udpPortRange: ClosedRange<UInt16>
    package var limits: RTSPServerLimits

    /// Default port, the alternative RTSP port that IANA assigns.
    package static let defaultPort = 8_554
    /// Default range below the ports that Linux uses for outgoing connections (32768 to 60999).
    package static let defaultUDPPortRange: ClosedRange<UInt16> = 20_000...21_999

    /// Address of the listener for RTSP over TLS, which requires a certificate.
    package struct SecureListener: Sendable, Hashable {
        package var host: String
        /// The TCP port; 0 lets the system choose one.
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
