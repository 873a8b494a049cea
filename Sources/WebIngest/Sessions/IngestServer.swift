import ChannelPublishing
package import LiveChannels
package import Logging
import NIOCore
package import StreamConnections
import Synchronization

/// Takes what browsers publish; the listeners hand their connections over.
package final class IngestServer: Sendable {
    /// Bytes of a message, which is one whole frame: a key frame of 2160p takes some 2 MB.
    package static let maximumMessageByteCount = 8 << 20
    /// Time from the connection to the first message.
    package static let setUpTime = Duration.seconds(10)
    /// Time without a message after which a browser counts as gone: it sends audio fifty times a second.
    package static let silence = Duration.seconds(15)

    let channels: LiveChannelDirectory
    let gate: PublisherGate
    let logger: Logger
    private let counters = Mutex(IngestStatistics())

    /// - Parameters:
    ///   - channels: the live channels.
    ///   - admission: asks the accounts; `nil` for a server without any.
    ///   - logger: logger of the server.
    package init(channels: LiveChannelDirectory, admission: (any StreamAdmission)?, logger: Logger) {
        (self.channels, self.logger) = (channels, logger)
        gate = PublisherGate(admission: admission)
    }

    package var statistics: IngestStatistics { counters.withLock { $0 } }

    func update(_ body: (inout IngestStatistics) -> Void) { counters.withLock { body(&$0) } }

    /// Whether there is a channel.
    package func hasChannel(named name: String) -> Bool { channels.channel(named: name) != nil }
}
