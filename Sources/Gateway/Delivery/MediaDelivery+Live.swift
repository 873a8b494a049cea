import HTTPTypes
import LiveChannels
import NIOCore
import Packaging

extension MediaDelivery {
    /// Longer than the first segment of any sensible encoder takes.
    static let maximumFirstSegmentWait = TimeAmount.seconds(10)

    func answer(_ exchange: MediaExchange, channelName: String) -> MediaAnswer {
        guard let channel = channels.channel(named: channelName) else {
            return .response(.problem(.notFound, "there is no channel \(channelName)"))
        }
        switch exchange.media.resource {
        case .playlist(let name):
            if let viewer = exchange.viewerKey { channel.viewers.saw(viewer, now: clock.now()) }
            return playlist(named: name, of: channel, exchange: exchange)
        case .initializationSection(let epoch, let rendition, let number):
            guard
                let section = channel.initializationSection(
                    rendition: rendition[...], number: number, epoch: epoch[...])
            else { return .response(Self.gone) }
            let fields = rendition == "audio" ? MediaFields.audioInitialization : MediaFields.videoInitialization
            return .response(
                counted(
                    MediaResponse(
                        request: exchange.request, fields: fields, etag: "\"\(epoch)-\(rendition)-init-\(number)\"",
                        body: [section]), of: exchange, channel))
        case .segment(let epoch, let rendition, let number):
            guard let segment = channel.segment(rendition: rendition[...], mediaSequence: number, epoch: epoch[...])
            else { return .response(Self.gone) }
            let fields = rendition == "audio" ? MediaFields.audioSegment : MediaFields.videoSegment
            return .response(
                counted(
                    MediaResponse(
                        request: exchange.request, fields: fields, etag: "\"\(epoch)-\(rendition)-\(number)\"",
                        body: segment.parts.flatMap { [$0.header, $0.media] }), of: exchange, channel))
        case .file:
            return .response(.problem(.notFound, "a channel has no file"))
        }
    }

    private static let gone = MediaResponse.problem(
        .notFound, "this part of the stream is not kept any longer, or never was")

    private func counted(
        _ response: MediaResponse, of exchange: MediaExchange, _ channel: LiveChannel
    ) -> MediaResponse {
        if exchange.request.method != .head { channel.countSent(byteCount: response.bodyByteCount) }
        return response
    }

    private func playlist(named name: String, of channel: LiveChannel, exchange: MediaExchange) -> MediaAnswer {
        if let playlist = channel.playlist(named: name[...]) {
            return .response(
                counted(
                    playlistResponse(playlist, fields: MediaFields.livePlaylist, exchange: exchange), of: exchange,
                    channel))
        }
        // Somebody has just begun to push: the first viewer is not sent away for being a second early.
        let number = nextWaiterNumber()
        let timeout = exchange.eventLoop.scheduleTask(in: Self.maximumFirstSegmentWait) {
            channel.stopWaiting(number)
        }
        let answer = channel.waitUntilPlayable(identifier: number, on: exchange.eventLoop).map { isPlayable in
            timeout.cancel()
            if isPlayable, let playlist = channel.playlist(named: name[...]) {
                return MediaAnswer.response(
                    self.counted(
                        self.playlistResponse(playlist, fields: MediaFields.livePlaylist, exchange: exchange),
                        of: exchange, channel))
            }
            if isPlayable {
                return .response(.problem(.notFound, "\(channel.name) has no rendition \(name)"))
            }
            return .response(Self.notPlayable(channel))
        }
        return .pending(answer)
    }

    private static func notPlayable(_ channel: LiveChannel) -> MediaResponse {
        channel.status().publisher == nil
            ? .problem(.notFound, "nobody is broadcasting on \(channel.name) now", retryAfter: 5)
            : .problem(.serviceUnavailable, "\(channel.name) is about to start", retryAfter: 1)
    }
}
