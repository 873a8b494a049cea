import HTTPTypes
import LiveChannels
import MediaCore
import NIOCore

/// The client of one connection: its address, and when it was last counted as a viewer.
struct ConnectionViewer {
    private var address: Address?
    /// The viewer who was last counted, with the time of each variant.
    private var lastCount: (viewer: Viewer, times: [ViewedVariant?: NIODeadline])?

    private struct Address {
        var group: AddressGroup
        var text: String?
    }

    private struct Viewer: Equatable {
        var source: MediaRequest.Source
        var agent: String?
        var client: String?
    }

    /// Interval at which a viewer is counted again, well below the time for which a viewer counts as present.
    static let countInterval = Duration.seconds(5)

    /// The addresses among which the client's share of the delivery budget is divided.
    mutating func peer(_ context: ChannelHandlerContext) -> AddressGroup { address(context).group }

    /// Returns the hash of address and user agent; viewers behind one address with the same player count as one.
    ///
    /// - Parameter viewing: tells viewers behind a reverse proxy apart; `nil` if all are counted by their connection.
    /// - Returns: `nil` if the viewer need not be counted now. Counting takes a lock that all viewers share.
    mutating func key(
        of request: HTTPRequest, media: MediaRequest, context: ChannelHandlerContext, viewing: (any ViewingAuthority)?
    ) -> UInt64? {
        // Viewers are counted by their requests for playlists.
        guard let name = media.playlistName else { return nil }
        let variant = ViewedVariant(playlist: name)
        let now = context.eventLoop.now
        let viewer = Viewer(
            source: media.source, agent: request.headerFields.first(.userAgent),
            client: viewing?.client(request.headerFields, behind: context.channel.clientAddress)
                ?? address(context).text)
        if lastCount?.viewer != viewer { lastCount = (viewer, [:]) }
        if let last = lastCount?.times[variant], now - last < TimeAmount(Self.countInterval) { return nil }
        lastCount?.times[variant] = now
        var hasher = Hasher()
        hasher.combine(viewer.client)
        hasher.combine(viewer.agent)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// Has the viewer counted with the next playlist, because this time it got an error.
    mutating func countAgain() { lastCount = nil }

    private mutating func address(_ context: ChannelHandlerContext) -> Address {
        if let address { return address }
        let remote = context.channel.clientAddress
        let address = Address(group: AddressGroup(remote), text: remote?.ipAddress)
        self.address = address
        return address
    }
}
