/// Configuration of the SRT server.
package struct SRTServerConfiguration: Sendable, Hashable {
    package var host: String
    /// The UDP port; 0 lets the system choose one.
    package var port: Int
    package var limits: SRTServerLimits

    package init(host: String, port: Int, limits: SRTServerLimits = SRTServerLimits()) {
        (self.host, self.port, self.limits) = (host, port, limits)
    }
}
