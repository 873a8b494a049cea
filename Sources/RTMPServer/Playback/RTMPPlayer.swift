import Codecs
import LiveChannels
import MediaCore
import NIOCore
import RTMPProtocol

/// Sends a channel to one player: what the publisher sends, from the last key frame on. Confined to its connection's
/// event loop.
final class RTMPPlayer: LiveFanOutReceiver {
    private struct OutgoingTrack {
        var track: LiveReaderTrack
        /// Whether the player has the parameters.
        var isConfigured = false

        /// `nil` while the parameters are not known, and for codecs that RTMP does not carry.
        var codec: FLVCodec? {
            switch track.configuration {
            case .h264: .h264
            case .hevc: .hevc
            case .av1: .av1
            case .aac: .aac
            case .opus: .opus
            case .flac: .flac
            case .dolby(let dolby): dolby.coding == .ac3 ? .ac3 : .eac3
            case .mp3, .alac, nil: nil
            }
        }
    }

    private let fanOut: LiveFanOut
    private let eventLoop: any EventLoop
    private var subscription: Int?
    /// Tracks by position in the push; `nil` for further ones of a kind.
    private var tracks: [OutgoingTrack?] = []
    /// The time of the first frame, in milliseconds.
    private var start: Int64?
    private var needsKeyFrame = true
    /// Whether the connection takes more.
    var isWritable = true
    /// Called with each tag.
    var onMedia: ((RTMPMedia) -> Void)?
    /// Called when the push has ended.
    var onEnd: (() -> Void)?
    /// Asks whether the permission has ended.
    var check: RepeatedTask?
    /// Frames that the player was too slow for.
    private(set) var droppedCount = 0

    init(_ fanOut: LiveFanOut, on eventLoop: any EventLoop) { (self.fanOut, self.eventLoop) = (fanOut, eventLoop) }

    /// Begins with the units since the last key frame. A channel that is off the air begins when a push does.
    func begin() {
        let new = fanOut.subscribe(self, on: eventLoop)
        subscription = new.identifier
        follow(new.broadcast)
        for unit in new.units { send(unit) }
    }

    /// Ends it. Has no effect after the first call.
    func end() {
        if let subscription { fanOut.unsubscribe(subscription) }
        check?.cancel()
        (subscription, onMedia, onEnd, check) = (nil, nil, nil, nil)
    }

    // MARK: Events of the publisher

    func receive(_ event: LiveFanOutEvent, subscription: Int) {
        guard subscription == self.subscription else { return }
        switch event {
        case .began(let broadcast): follow(broadcast)
        case .configured(let configuration, let index):
            guard tracks.indices.contains(index), var track = tracks[index]?.track else { return }
            track.configuration = configuration
            tracks[index] = OutgoingTrack(track: track)
        case .unit(let unit): send(unit)
        case .ended: onEnd?()
        }
    }

    private func follow(_ broadcast: LiveBroadcast?) {
        var seen: Set<MediaType> = []
        // Old players know one track of each kind.
        tracks = (broadcast?.tracks ?? []).map { track in
            seen.insert(track.track.mediaType).inserted ? OutgoingTrack(track: track) : nil
        }
        needsKeyFrame = tracks.contains { $0?.track.track.mediaType == .video }
        start = nil
    }

    // MARK: Tags

    private func send(_ live: LiveUnit) {
        let (unit, index) = (live.unit, live.trackIndex)
        guard tracks.indices.contains(index), let outgoing = tracks[index], let codec = outgoing.codec else { return }
        let isVideo = outgoing.track.track.mediaType == .video
        guard isWritable else {
            droppedCount += 1
            if isVideo { needsKeyFrame = true }
            return
        }
        if needsKeyFrame {
            guard isVideo, unit.isRandomAccessPoint else { return }
            needsKeyFrame = false
        }
        func milliseconds(_ ticks: Int64) -> Int64 {
            MediaTime(value: ticks, timescale: outgoing.track.track.timescale).converted(to: .milliseconds).value
        }
        let time = milliseconds(unit.decodeTime)
        let start = start ?? time
        self.start = start
        // Audio of before the first picture.
        guard time >= start else { return }
        let timestamp = UInt32(truncatingIfNeeded: time - start)
        if !outgoing.isConfigured {
            if let record = Self.record(outgoing.track.configuration) {
                emit(FLVTag(track: 0, codec: codec, content: .configuration(record)), timestamp)
            }
            tracks[index]?.isConfigured = true
        }
        let offset = milliseconds(unit.presentationTime - unit.decodeTime)
        var bytes = ByteBuffer()
        unit.payload.write(into: &bytes)
        emit(
            FLVTag(
                track: 0, codec: codec,
                content: .frame(
                    bytes, isKeyFrame: unit.isRandomAccessPoint,
                    composition: .init(milliseconds: Int32(clamping: offset)))), timestamp)
    }

    private func emit(_ tag: FLVTag, _ timestamp: UInt32) {
        guard let body = tag.body() else { return }
        onMedia?(RTMPMedia(isVideo: tag.isVideo, timestamp: timestamp, payload: body))
    }

    /// The parameters as tags carry them; `nil` for codecs that have none.
    private static func record(_ configuration: CodecConfiguration?) -> ByteBuffer? {
        switch configuration {
        case .h264(let configuration): ByteBuffer(bytes: configuration.record)
        case .hevc(let configuration): ByteBuffer(bytes: configuration.record)
        case .av1(let configuration): ByteBuffer(bytes: configuration.record)
        case .aac(let configuration): ByteBuffer(bytes: configuration.audioSpecificConfig)
        case .opus(let configuration): ByteBuffer(bytes: configuration.identificationHeader)
        case .flac(let configuration): ByteBuffer(bytes: Array("fLaC".utf8) + configuration.record.dropFirst(4))
        case .dolby, .mp3, .alac, nil: nil
        }
    }
}
