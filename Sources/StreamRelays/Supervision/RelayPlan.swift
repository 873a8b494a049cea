import ChannelPublishing
import Foundation
import LiveChannels
import NIOCore
import RTMPServer
import RTSPServer
import SRTServer

/// One relay as the configuration of its channel says.
struct RelayPlan: Sendable, Hashable {
    var identifier: RelayIdentifier
    var address: String
    var isOnDemand = false
    var usesUDP = false
    var credentialsFile: String?

    /// The relays of a channel.
    static func plans(of configuration: ChannelConfiguration) -> [RelayPlan] {
        let policy = configuration.relays
        var plans: [RelayPlan] = []
        if let source = policy.source {
            plans.append(
                RelayPlan(
                    identifier: RelayIdentifier(channel: configuration.name, kind: .source), address: source,
                    isOnDemand: policy.isOnDemand, usesUDP: policy.usesUDP, credentialsFile: policy.credentialsFile))
        }
        for (index, address) in policy.restreams.enumerated() {
            plans.append(
                RelayPlan(
                    identifier: RelayIdentifier(channel: configuration.name, kind: .restream(number: index + 1)),
                    address: address))
        }
        return plans
    }

    var displayedAddress: String { RelayAddress(address)?.description ?? "" }

    /// Bytes of a file with a login.
    private static let maximumCredentialsByteCount = 4_096

    /// Makes the connection of the protocol that the address names.
    ///
    /// - Throws: `RelayFailure`
    func transport(for channel: LiveChannel, _ means: StreamRelays.Means) throws -> any RelayTransport {
        guard var address = RelayAddress(address) else { throw RelayFailure("the address cannot be read") }
        try addCredentials(to: &address, channel.name)
        let isSource = identifier.kind == .source
        let group = means.eventLoopGroup
        switch address.scheme {
        case .rtmp, .rtmps: return RTMPRelay(address, of: channel, isSource: isSource, on: group)
        case .srt:
            do {
                return SRTRelay(address, of: channel, isSource: isSource, engine: try means.srt(), on: group)
            } catch {
                throw RelayFailure("\(error)")
            }
        case .rtsp, .rtsps:
            guard isSource else { return RTSPRestream(address: address, channel: channel, eventLoopGroup: group) }
            return means.rtsp.pull(address, of: channel, usesUDP: usesUDP)
        case .udp, .rtp:
            guard isSource else { throw RelayFailure("channels are not copied by \(address.scheme.rawValue)") }
            return DatagramPull(address: address, channel: channel, eventLoopGroup: group)
        case .http, .https:
            guard isSource else { throw RelayFailure("channels are not copied by \(address.scheme.rawValue)") }
            return HLSPull(address: address, channel: channel, eventLoopGroup: group, fetching: means.fetching)
        }
    }

    /// Adds the login from its file, or from the environment: `ANTENA_SOURCE_CANALA=user:password`.
    private func addCredentials(to address: inout RelayAddress, _ channel: String) throws(RelayFailure) {
        guard identifier.kind == .source else { return }
        if let credentialsFile {
            guard let data = FileManager.default.contents(atPath: credentialsFile),
                data.count <= Self.maximumCredentialsByteCount
            else { throw RelayFailure("\(credentialsFile) cannot be read") }
            let lines = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isNewline)
            guard lines.count >= 2 else { throw RelayFailure("\(credentialsFile) needs a username and a password") }
            (address.username, address.password) = (String(lines[0]), String(lines[1]))
        } else if address.username == nil,
            let login = ProcessInfo.processInfo.environment["ANTENA_SOURCE_\(channel.uppercased())"]
        {
            let sides = login.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard sides.count == 2 else { return }
            (address.username, address.password) = (String(sides[0]), String(sides[1]))
        }
    }
}
