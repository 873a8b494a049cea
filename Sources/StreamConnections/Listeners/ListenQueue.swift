import Foundation
import NIOPosix

/// How the listeners of the server take connections, so that thousands who come in the same second are taken in that
/// second: who finds the queue full waits one second for his next attempt, and then two.
package enum ListenQueue {
    /// Connections that may wait to be accepted: as many as the system allows. Linux allows 4,096 by default
    /// (`net.core.somaxconn`), and shortens a higher value.
    package static let length: Int32 = {
        let text = try? String(contentsOfFile: "/proc/sys/net/core/somaxconn", encoding: .utf8)
        return text.flatMap { Int32($0.filter { !$0.isWhitespace }) } ?? 4_096
    }()

    /// Accepts for all listeners of the process. Setting up a connection takes several times as long as accepting it;
    /// event loops that did both would let the queue fill up while they are at the one.
    static let loops = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    /// Connections that are accepted before their event loops are told of them: all that may wait.
    package static let acceptedCount: UInt = 4_096
}
