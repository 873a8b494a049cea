import LiveChannels
import LogMetadata
import Logging
import MediaCore
import NIOCore
import RTMPProtocol
import StreamConnections

/// The command `play`, and who may give it.
extension RTMPConnectionHandler {
    /// Handles `play`.
    func play(_ name: String, in stream: UInt32) {
        guard let (address, channel) = addressed(name, in: stream) else { return }
        let subject = MediaName(channel.name).map { MediaSubject.channel($0) }
        guard let admission = environment.admission, !admission.isForEveryone(subject) else {
            return start(channel, subject, until: nil, in: stream)
        }
        awaitedStream = stream
        let credential = address.credential
        let path = subject?.folder ?? ""
        ask(stream) { peer in
            await admission.decide(credential, playing: subject, at: path, from: peer)
        } answer: { [self] decision in
            switch decision {
            case .open: start(channel, subject, until: nil, in: stream)
            case .admitted(_, let time, _):
                start(channel, subject, until: time.map { eventLoop.now + TimeAmount($0) }, in: stream)
            case .unavailable: refuse(stream, "the accounts cannot be asked at the moment", channel: channel.name)
            case .refused, .notAnAccounts, .rentalNeeded, .rentalOver, .tooManyPlayers:
                refuse(stream, "a login is needed to watch this channel", channel: channel.name)
            }
            resume()
        }
    }

    /// Ends what may not be watched any more.
    private func checkPermission(to subject: MediaSubject?, until end: NIODeadline?) {
        let isHidden = environment.admission?.isHidden(subject) ?? false
        if isHidden || end.map({ eventLoop.now >= $0 }) ?? false { close(.playbackEnded) }
    }

    private func start(_ channel: LiveChannel, _ subject: MediaSubject?, until end: NIODeadline?, in stream: UInt32) {
        guard let context else { return }
        guard environment.registry.use(context.channel, for: .playing, now: eventLoop.now) else {
            return refuse(stream, "the server has as many players as it may have", channel: channel.name)
        }
        session.accept(stream)
        let player = RTMPPlayer(channel.fanOut, on: eventLoop)
        // A player that has this much before it does not keep up.
        try? context.channel.syncOptions?.setOption(
            .writeBufferWaterMark, value: .init(low: limits.unsentByteCount / 2, high: limits.unsentByteCount))
        player.isWritable = context.channel.isWritable
        player.onMedia = { [self] media in
            session.send(media, in: stream)
            flush()
        }
        player.onEnd = { [self] in close(.playbackEnded) }
        begin(.playing(player, stream: stream), as: .playing)
        logger.info("RTMP player started", metadata: [.channelName: "\(channel.name)"])
        player.begin()
        let check = TimeAmount(RTMPServerLimits.playbackCheckInterval)
        let connection = NIOLoopBound(self, eventLoop: eventLoop)
        player.check = eventLoop.scheduleRepeatedTask(initialDelay: check, delay: check) { _ in
            connection.value.checkPermission(to: subject, until: end)
        }
    }
}
