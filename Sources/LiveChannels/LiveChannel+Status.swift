import Codecs
import Foundation

extension LiveChannel {
    package func status() -> ChannelStatus {
        let now = clock.now()
        let viewerCount = viewers.count(now: now)
        let sent = sentByteCount
        return withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            return ChannelStatus(
                name: name, title: configuration.title, state: state.phase,
                since: state.since.map(Date.init(millisecondsSince1970:)),
                preset: state.epoch?.publisher.preset ?? configuration.defaultPreset,
                publisher: state.epoch?.publisher, tracks: state.epoch?.tracks ?? [], viewers: viewerCount,
                bytesIn: state.bytesIn, bytesOut: sent, packetsLost: state.packetsLost,
                errors: state.errors.entries, playlist: "/live/\(name).stream/playlist.m3u8")
        }
    }

    /// Media bytes held in memory.
    package func heldByteCount() -> Int { withState { $0.window.byteCount } }
}

extension ChannelStatus.TrackStatus {
    /// Fills in what the codec's parameters tell.
    mutating func describe(_ configuration: CodecConfiguration?) {
        guard let configuration else { return }
        codec = configuration.name
        rfc6381 = configuration.rfc6381
        width = configuration.videoSize?.width
        height = configuration.videoSize?.height
        sampleRate = configuration.audioSampleRate
        channels = configuration.audioChannelCount
    }
}
