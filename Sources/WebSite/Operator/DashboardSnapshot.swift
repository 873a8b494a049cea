import Catalogue
import Foundation
import LiveChannels
import Monitoring
import StreamRelays

/// The state of the server at one moment, for all dashboards.
struct DashboardSnapshot: Sendable {
    var time = Date()
    var channels: [ChannelStatus] = []
    /// The sources and restreams of all channels.
    var relays: [RelayStatus] = []
    var openJobs: [JobRecord] = []
    /// Jobs that have failed lately, newest first.
    var failedJobs: [JobRecord] = []
    var machine: MachineState
    var delays: ServerDelays
    var viewers: [AudienceSample] = []
}
