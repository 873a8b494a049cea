/// Asks a running Antena server what it receives on a channel.
public struct GatewayObserver: PushObserver {
    private let api: GatewayAPI
    private let channel: String

    /// Creates an observer of a channel.
    package init(_ api: GatewayAPI, channel: String) {
        self.api = api
        self.channel = channel
    }

    /// Creates an observer of a channel.
    ///
    /// - Parameters:
    ///   - server: The server's web address, such as `http://192.168.1.10:8080`.
    ///   - channel: The channel's name, such as `canalA`.
    /// - Throws: ``BroadcastError`` if the address is invalid.
    public init(server: String, channel: String) throws(BroadcastError) {
        self.init(try GatewayAPI(address: server), channel: channel)
    }

    /// Asks the server's API.
    public func received() async throws -> ReceivedMedia? {
        guard let channel = try await api.channel(named: channel), channel.publisher != nil else { return nil }
        let video = channel.tracks.first { $0.type == "video" }
        return ReceivedMedia(
            width: video?.width, height: video?.height, frameRate: video?.frameRate,
            bitRate: channel.tracks.reduce(0) { $0 + ($1.bitRate ?? 0) }, viewers: channel.viewers,
            lostPackets: channel.packetsLost ?? 0)
    }
}
