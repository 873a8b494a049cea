/// Configuration of the RTMP server.
package struct RTMPServerConfiguration: Sendable, Hashable {
    /// Address of a listener.
    package struct Listener: Sendable, Hashable {
        package var host: String
        /// The TCP port; 0 lets the system choose one.
        package var port: Int

        package init(host: String, port: Int) { (self.host, self.port) = (host, port) }
    }

    /// Listener for RTMP; `nil` if it is spoken on the shared port only.
    package var plain: Listener?
    /// Listener for RTMP over TLS; `nil` for none.
    package var secure: Listener?
    package var limits: RTMPServerLimits

    package init(plain: Listener? = nil, secure: Listener? = nil, limits: RTMPServerLimits = RTMPServerLimits()) {
        (self.plain, self.secure, self.limits) = (plain, secure, limits)
    }
}
