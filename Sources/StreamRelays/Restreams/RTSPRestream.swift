import Broadcaster
import ChannelPublishing
import LiveChannels
import MediaCore
import NIOCore

/// Copies a channel by RTSP to another server.
struct RTSPRestream: RelayTransport {
    let address: RelayAddress
    let channel: LiveChannel
    let eventLoopGroup: any EventLoopGroup

    func run(_ progress: RelayProgress) async throws {
        let target: PushTarget
        do {
            var made = try PushTarget(parsing: address.url, transport: .tcp)
            made.credentials = address.username.map { .init(username: $0, password: address.password ?? "") }
            target = made
        } catch {
            throw RelayFailure(error.reason)
        }
        let loop = eventLoopGroup.next()
        let ended = loop.makePromise(of: Void.self)
        let channel = channel
        loop.execute { RTSPRestreamWorker(channel, target, progress, on: loop, ended: ended).begin() }
        try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            ended.fail(RelayFailure("stopped"))
        }
    }
}
