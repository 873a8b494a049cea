import HLSDelivery
import HTTPEndpoints
package import LogMetadata
import LiveChannels
import MediaCore
package import Monitoring
package import StreamRelays
package import Workflows

/// The parts of the server that the operator's pages show and change.
package struct OperatorSources: Sendable {
    package let content: any ContentSource
    /// Reads the state of the machine; may wait for a disk.
    package let machine: @Sendable () -> MachineState
    /// How long the server's own parts take to answer.
    package var delays: @Sendable () -> ServerDelays = { ServerDelays() }
    /// The samples of channels of the last hour.
    package var history = ChannelHistory()
    /// The viewers of the last days; `nil` without a database.
    package var audience: AudienceHistory?
    /// Counts who watches which title at the moment.
    package var titles: TitleAudience?
    /// Reads and changes `channels.json`; `nil` for a server without the file.
    package var reloader: (any ChannelsReloading)?
    /// The sources and restreams of channels; `nil` for a server without any.
    package var relays: StreamRelays?
    package var log = LogTail.shared

    /// - Parameters:
    ///   - content: the channels and the library.
    ///   - machine: reads the state of the machine; may wait for a disk.
    package init(content: any ContentSource, machine: @escaping @Sendable () -> MachineState) {
        (self.content, self.machine) = (content, machine)
    }

    /// The viewers at the moment.
    package var viewers: [AudienceSample] {
        let titles = titles?.counts() ?? ([:], [:])
        let clients = content.clients().merging(titles.1) { $0 + $1 }
        return content.channels().map { AudienceSample(.channel, $0.name, viewers: $0.viewers) }
            + titles.0.map { AudienceSample(.title, $0.key, viewers: $0.value) }
            + clients.map { AudienceSample(.client, $0.key.rawValue, viewers: $0.value) }
    }
}
