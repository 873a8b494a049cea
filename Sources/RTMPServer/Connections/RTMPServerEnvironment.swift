import ChannelPublishing
import LiveChannels
import Logging
import MediaCore
import NIOCore
import PacedSockets
import StreamConnections
import Synchronization

/// Objects that all connections share.
final class RTMPServerEnvironment: Sendable {
    let configuration: RTMPServerConfiguration
    let channels: LiveChannelDirectory
    let eventLoopGroup: any EventLoopGroup
    /// Asks the accounts; `nil` for a server without any.
    let admission: (any StreamAdmission)?
    let logger: Logger
    let counters = RTMPServerCounters()
    let registry: ConnectionRegistry
    let challenge = AdobeChallenge()
    let gate: PublisherGate
    let pacings = LoopPacingGroup()
    /// The addresses that were refused for want of a credential, and until when their encoders are asked for one.
    private let invited = Mutex([String: NIODeadline]())

    /// Time for which an encoder that was refused is asked for a username and a password when it connects again: enough
    /// to press the button once more, and less than somebody takes who puts a login into the key instead.
    static let invitationTime = TimeAmount.seconds(15)
    /// Limit of the addresses that are remembered.
    static let maximumInvitationCount = 4_096

    init(
        configuration: RTMPServerConfiguration, channels: LiveChannelDirectory, eventLoopGroup: any EventLoopGroup,
        admission: (any StreamAdmission)?, logger: Logger
    ) {
        (self.configuration, self.channels, self.eventLoopGroup) = (configuration, channels, eventLoopGroup)
        (self.admission, self.logger) = (admission, logger)
        gate = PublisherGate(admission: admission)
        registry = ConnectionRegistry(
            limits: configuration.limits.connections, counting: counters, logger: logger)
    }

    /// Notes that somebody was refused for want of a credential. An encoder has no way to show the one that its user
    /// has entered unless it is asked when it connects, before it says what it wants to publish.
    func invite(_ address: String, now: NIODeadline) {
        invited.withLock { invited in
            if invited.count >= Self.maximumInvitationCount { invited = invited.filter { $0.value > now } }
            guard invited.count < Self.maximumInvitationCount else { return }
            invited[address] = now + Self.invitationTime
        }
    }

    /// Whether somebody is to be asked for a credential, once.
    func takeInvitation(_ address: String, now: NIODeadline) -> Bool {
        invited.withLock { invited in invited.removeValue(forKey: address).map { $0 > now } ?? false }
    }
}
