import Glibc
import MediaCore
package import NIOCore

/// The time in which a client has to acknowledge what it was sent, after which the system closes its connection
/// (`TCP_USER_TIMEOUT`, RFC 5482). Without it a connection whose network is gone stays for a quarter of an hour.
///
/// Only what is sent can be missed, so it ends a connection to which something is sent all the time, such as
/// heartbeats.
package enum AcknowledgementTimeout {
    /// That of listeners to events: four heartbeats.
    package static let ofListeners = Duration.seconds(60)

    /// The option of a socket.
    static let option = NIOBSDSocket.Option(rawValue: TCP_USER_TIMEOUT)

    static func value(_ timeout: Duration) -> SocketOptionValue { SocketOptionValue(timeout.wholeMilliseconds) }

    /// Sets the time for the connection of a request. A stream of HTTP/2, whose connection is watched by PING, and a
    /// channel of a test without a socket stay as they are.
    ///
    /// - Parameters:
    ///   - channel: the channel of the request.
    ///   - timeout: the time.
    package static func set(on channel: any Channel, _ timeout: Duration = ofListeners) async {
        let isSet = channel.eventLoop.submit {
            try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable { (socket: NIOBSDSocket.Handle) in
                var milliseconds = CInt(clamping: timeout.wholeMilliseconds)
                _ = setsockopt(
                    socket, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, &milliseconds, socklen_t(MemoryLayout<CInt>.size))
            }
        }
        _ = try? await isSet.get()
    }
}
