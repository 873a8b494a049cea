package import ChannelPublishing
package import LibSRT
package import LiveChannels
import MediaCore
package import NIOCore

/// Fetches a channel by SRT from a listener elsewhere, or copies it to one.
package struct SRTRelay: RelayTransport {
    private let address: RelayAddress
    private let channel: LiveChannel
    private let isSource: Bool
    private let engine: SRTEngine
    private let eventLoopGroup: any EventLoopGroup

    /// - Parameters:
    ///   - address: the listener, with `streamid`, `passphrase`, `pbkeylen` and `latency` in its query.
    ///   - channel: the channel.
    ///   - isSource: whether the channel is fetched.
    ///   - engine: makes the connections.
    ///   - eventLoopGroup: the event loops.
    package init(
        _ address: RelayAddress, of channel: LiveChannel, isSource: Bool, engine: SRTEngine,
        on eventLoopGroup: any EventLoopGroup
    ) {
        (self.address, self.channel, self.isSource) = (address, channel, isSource)
        (self.engine, self.eventLoopGroup) = (engine, eventLoopGroup)
    }

    private var options: SRTOptions {
        let latency = address.parameters["latency"].flatMap { Int($0) } ?? channel.configuration.srt.latency
        var options = SRTOptions(
            isSender: !isSource,
            latency: min(max(latency, SRTOptions.latencies.lowerBound), SRTOptions.latencies.upperBound),
            passphrase: address.parameters["passphrase"], streamID: address.parameters["streamid"])
        if let length = address.parameters["pbkeylen"].flatMap({ Int($0) }), [16, 24, 32].contains(length) {
            options.keyByteCount = length
        }
        return options
    }

    package func run(_ progress: RelayProgress) async throws {
        let loop = eventLoopGroup.next()
        let ended = loop.makePromise(of: Void.self)
        let target = try await resolve(loop)
        let (channel, isSource, address) = (channel, isSource, address)
        let connection: SRTConnection
        do {
            connection = try engine.connect(to: target, options) { connection in
                let worker = loop.makePromise(of: NIOLoopBound<SRTRelayWorker>.self)
                connection.follow { bytes in
                    worker.futureResult.whenSuccess { $0.value.receive(bytes) }
                } end: { reason in
                    worker.futureResult.whenSuccess { $0.value.end(reason) }
                }
                loop.execute {
                    let made = SRTRelayWorker(
                        connection, channel, address, progress, isSource: isSource, on: loop, ended: ended)
                    made.begin()
                    worker.succeed(NIOLoopBound(made, eventLoop: loop))
                }
            } onFailure: { reason in
                ended.fail(RelayFailure(reason))
            }
        } catch {
            let failure = RelayFailure("\(address.endpoint): \(error)")
            ended.fail(failure)
            throw failure
        }
        try await withTaskCancellationHandler {
            try await ended.futureResult.get()
        } onCancel: {
            ended.fail(RelayFailure("stopped"))
            connection.close()
        }
    }

    private func resolve(_ loop: any EventLoop) async throws -> SocketAddress {
        let (host, port) = (address.host, address.port)
        do {
            return try await HostLookup.address(of: host, port: port)
        } catch {
            throw RelayFailure("\(host) has no address: \(error)")
        }
    }
}
