/// The address of a server was requested that is not running.
package struct RTSPServerNotRunning: Error, CustomStringConvertible {
    package var description: String { "the RTSP server is not running" }
}
