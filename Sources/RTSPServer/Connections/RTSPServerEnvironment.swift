import LiveChannels
import Logging
import MediaCore
import NIOCore
import NIOPosix
import PacedSockets
import RTSPProtocol
import StreamConnections
import Synchronization

/// Objects that all connections share.
final class RTSPServerEnvironment: Sendable {
    let configuration: RTSPServerConfiguration
    let channels: LiveChannelDirectory
    let titles: (any PlayableTitles)?
    /// Threads that read title data which is not in the page cache.
    let threadPool: NIOThreadPool
    let readerGroups = LiveReaderGroups()
    let pacings = LoopPacingGroup()
    let eventLoopGroup: any EventLoopGroup
    let logger: Logger
    /// Asks the accounts; `nil` for a server without any.
    let admission: (any StreamAdmission)?
    let counters: RTSPServerCounters
    let registry: ConnectionRegistry
    let ports: UDPPortAllocator
    /// Failed logins by address, shared by all connections, so that a new connection does not reset them.
    let failures = Mutex(AuthenticationFailureLimiter())

    init(
        configuration: RTSPServerConfiguration, channels: LiveChannelDirectory, titles: (any PlayableTitles)?,
        threadPool: NIOThreadPool, eventLoopGroup: any EventLoopGroup, admission: (any StreamAdmission)? = nil,
        logger: Logger
    ) {
        self.admission = admission
        self.titles = titles
        self.threadPool = threadPool
        self.configuration = configuration
        self.channels = channels
        self.eventLoopGroup = eventLoopGroup
        self.logger = logger
        counters = RTSPServerCounters()
        registry = ConnectionRegistry(limits: configuration.limits.connections, counting: counters, logger: logger)
        ports = UDPPortAllocator(range: configuration.udpPortRange)
    }
}
