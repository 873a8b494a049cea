import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore

/// The client of one connection: its address, and when it was last counted as a viewer.
struct ConnectionViewer {
    private var address: Address?
    /// The source and user agent that were last counted, with the time of each variant.
    private var lastCount: (source: MediaRequest.Source, agent: String?, times: [ViewedVariant?: NIODeadline])?

    private struct Address {
        var group: AddressGroup
        var hash: Int
    }

    /// Interval at which a viewer is counted again, well below the time for which a viewer counts as present.
    static let countInterval = Duration.seconds(5)

    /// The addresses among which the client's share of the delivery budget is divided.
    mutating func peer(_ context: ChannelHandlerContext) -> AddressGroup { address(context).group }

    /// Returns the hash of address and user agent; viewers behind one address with the same player count as one.
    ///
    /// - Returns: `nil` if the viewer need not be counted now. Counting takes a lock that all viewers share.
    mutating func key(of request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext) -> UInt64? {
        // Viewers are counted by their requests for playlists.
        guard case .playlist(let name) = media.resource else { return nil }
        let variant = ViewedVariant(playlist: name.text)
        let now = context.eventLoop.now
        let agent = request.headerFields.first(.userAgent)
        if lastCount?.source != media.source || lastCount?.agent != agent { lastCount = (media.source, agent, [:]) }
        if let last = lastCount?.times[variant], now - last < TimeAmount(Self.countInterval) { return nil }
        lastCount?.times[variant] = now
        var hasher = Hasher()
        hasher.combine(address(context).hash)
        hasher.combine(agent)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Has the viewer counted with the next playlist, because this time it got an error.
    mutating func countAgain() { lastCount = nil }

    private mutating func address(_ context: ChannelHandlerContext) -> Address {
        if let address { return address }
        // An HTTP/2 stream uses the address of its connection.
        let remote = context.channel.remoteAddress ?? context.channel.parent?.remoteAddress
        let address = Address(group: AddressGroup(remote), hash: remote?.ipAddress?.hashValue ?? 0)
        self.address = address
        return address
    }
}
