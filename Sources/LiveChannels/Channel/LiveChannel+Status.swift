import Codecs
import Foundation
package import MediaCore
import Packaging

extension LiveChannel {
    /// The channel's current status, with the private addresses of publishers.
    package func status() -> ChannelStatus {
        let now = clock.now()
        let viewerCounts = viewers.counts(now: now)
        let sent = sentByteCount
        let configuration = configuration
        return withState { state in
            Self.dropStaleMedia(&state, configuration: configuration, now: now)
            let push = state.presence.isSlate ? nil : state.epoch
            let segmentDuration = state.packaging.segmentDuration
            return ChannelStatus(
                name: name, title: configuration.title, description: configuration.summary,
                cover: configuration.cover?.url(ofChannel: name), website: configuration.website,
                artist: configuration.artist, album: configuration.album,
                state: state.presence.status,
                since: state.presence.since.map { Date($0) },
                preset: push?.publisher.preset ?? configuration.defaultPreset,
                presets: configuration.presets.map(\.name),
                presetComparison: push.flatMap { comparison(of: $0, now: now) },
                gopTooLong: push.flatMap { gopTooLong(of: $0, segmentDuration: segmentDuration, now: now) },
                keyFrameDistance: push?.keyFrames?.distance, slate: state.presence.isSlate ? true : nil,
                publisher: push?.publisher,
                waitingPublishers: state.presence.waiting.map(\.publisher),
                tracks: push?.measuredTracks(at: now) ?? [],
                ladder: push.flatMap { $0.ladder.isEmpty ? nil : $0.ladder }, viewers: viewerCounts.total,
                viewersByVariant: viewerCounts.byVariant,
                bytesIn: state.bytesIn, bytesDiscarded: state.bytesDiscarded, bytesOut: sent,
                packetsLost: state.packetsLost, errors: state.errors.entries,
                playlist: "/live/\(name).stream/playlist.m3u8",
                manifest: "/live/\(name).stream/manifest.mpd", recording: archive?.status)
        }
    }

    /// Compares a push with the preset that it promised; `nil` for a push without a preset.
    func comparison(of epoch: EpochState, now: WallClockTime) -> PresetComparison? {
        guard let preset = epoch.preset else { return nil }
        func measurement(_ mediaType: MediaType) -> PresetComparison.Measurement? {
            guard let index = epoch.tracks.firstIndex(where: { $0.type == mediaType.rawValue }) else { return nil }
            let track = epoch.tracks[index]
            var size: PresetComparison.Resolution?
            if let width = track.width, let height = track.height { size = .init(width: width, height: height) }
            return PresetComparison.Measurement(size: size, rates: epoch.meters[index].rates(at: now))
        }
        return PresetComparison(of: measurement(.video), measurement(.audio), against: preset)
    }

    private func gopTooLong(
        of epoch: EpochState, segmentDuration: Double, now: WallClockTime
    ) -> ChannelStatus.GOPTooLong? {
        let video = epoch.tracks.firstIndex { $0.type == MediaType.video.rawValue }
        return epoch.keyFrames.flatMap {
            ChannelStatus.GOPTooLong(
                $0, frameRate: video.flatMap { epoch.meters[$0].rates(at: now)?.frameRate },
                segmentDuration: segmentDuration)
        }
    }

    /// The channel's viewers by the kind of their program.
    package func clients() -> [ClientKind: Int] { viewers.clients(now: clock.now()) }

    /// Whether the channel is being recorded.
    package var isRecording: Bool { archive?.status.state == .recording }

    /// Bytes of media held in memory.
    package func heldByteCount() -> Int {
        withState { $0.window.byteCount + ($0.former?.window.byteCount ?? 0) + ($0.slate?.slate?.byteCount ?? 0) }
    }
}

extension LiveChannel.EpochState {
    /// The tracks with their current rates; a silent track has none.
    fileprivate func measuredTracks(at now: WallClockTime) -> [ChannelStatus.TrackStatus] {
        zip(tracks, meters).map { track, meter in
            var track = track
            let rates = meter.rates(at: now)
            track.frameRate = rates?.frameRate
            track.bitRate = rates?.bitRate
            return track
        }
    }
}

extension ChannelStatus.TrackStatus {
    /// Describes a track as it was announced.
    init(_ track: PublishedTrack) {
        self.init(id: track.track.id, type: track.track.mediaType.rawValue, codec: track.foreignCodec?.name)
        describe(track.configuration)
    }

    /// Fills in the values that the codec's parameters contain.
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
