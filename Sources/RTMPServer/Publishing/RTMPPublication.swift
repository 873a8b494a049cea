import ChannelPublishing
import Codecs
import LiveChannels
import MediaCore
import NIOCore
import RTMPProtocol

/// The media of one publisher, from its first tag to its end. Confined to its connection's event loop.
///
/// RTMP announces no tracks: tags are kept until there is one of video and one of audio, until the metadata says that
/// only one of them comes, or until ``RTMPServerLimits/gathering`` says that it has been enough.
final class RTMPPublication {
    private let push: GatheredPush
    private let eventLoop: any EventLoop
    private var timeline = RTMPTimeline()
    private var tracks: [MediaType: RTMPTrack] = [:]
    private var isOver = false

    init(
        to channel: LiveChannel, by publisher: Publisher, on eventLoop: any EventLoop, limits: RTMPServerLimits,
        onKick: @escaping @Sendable (String) -> Void
    ) {
        push = GatheredPush(to: channel, by: publisher, on: eventLoop, limits: limits.gathering, onKick: onKick)
        self.eventLoop = eventLoop
    }

    var channel: LiveChannel { push.channel }
    /// Whether the channel has got something.
    var hasBegun: Bool { push.hasBegun }
    /// Called when somebody has begun to need tags as they arrive.
    var onHurry: (() -> Void)? {
        get { push.onHurry }
        set { push.onHurry = newValue }
    }

    /// The time from which tags have to be taken as they arrive; `nil` while that does not matter to anybody.
    func promptTime(now: NIODeadline) -> NIODeadline? { push.promptTime(now: now) }

    // MARK: Tags

    /// Takes a tag of audio or video.
    ///
    /// - Throws: ``PushRefusal`` for what cannot be shown; `PublishingError` if the channel has another publisher;
    ///   `RTMPError` and `CodecError` for damage.
    func receive(_ media: RTMPMedia) throws {
        guard !isOver else { return }
        let now = eventLoop.now
        let mediaType = media.isVideo ? MediaType.video : .audio
        push.countReceived(byteCount: media.payload.readableBytes, packetCount: 1, of: mediaType)
        let tags = try FLVTag.tags(in: media)
        guard !tags.isEmpty else { return }
        let time = timeline.time(of: media.timestamp, isVideo: media.isVideo, now: now)
        for tag in tags { try receive(tag, mediaType, milliseconds: time) }
    }

    private func receive(_ tag: FLVTag, _ mediaType: MediaType, milliseconds: Int64) throws {
        var track: RTMPTrack
        let known = tracks[mediaType]
        if let known, known.number != tag.track {
            // Further tracks of a kind are left out.
            return
        } else if let known, known.codec == tag.codec {
            track = known
        } else {
            if case .nothing = tag.content { return }
            track = try RTMPTrack(tag, isVideo: mediaType == .video)
            // The encoder has changed the codec.
            if known != nil { push.restart("the encoder has changed to \(tag.codec.name)") }
        }
        var unit: AccessUnit?
        // The parameters are compared only if they may have changed: comparing them for each frame costs a fortieth.
        var mayHaveChanged = known?.codec != tag.codec
        do {
            switch tag.content {
            case .configuration(let record): mayHaveChanged = try track.configure(record) || mayHaveChanged
            case .frame(let frame, let isKeyFrame, let composition):
                let found = try track.unit(
                    frame, isKeyFrame: isKeyFrame, composition: composition, milliseconds: milliseconds)
                unit = found?.unit
                mayHaveChanged = found?.hasChanged ?? true || mayHaveChanged
            case .nothing: break
            }
        } catch let error as CodecError {
            mayHaveChanged = true
            // One damaged frame is not the end; parameters that cannot be used are, unless there were better ones.
            guard track.isReady else { throw PushRefusal("\(tag.codec.name) cannot be used: \(error)") }
            push.reportError("\(error)")
        }
        tracks[mediaType] = track
        if mayHaveChanged {
            push.set(
                mediaType,
                PushedTrack(
                    timescale: track.timescale, configuration: track.configuration, foreignCodec: track.foreignCodec))
        }
        if let unit { try push.deliver(unit, of: mediaType) }
    }

    /// Takes metadata.
    ///
    /// - Parameters:
    ///   - name: its name, such as `onMetaData`.
    ///   - values: its values.
    func receive(data name: String, _ values: [AMF0Value]) {
        if let metadata = TimedMetadata(event: name, values) { push.announce(metadata) }
        guard name == "onMetaData", let fields = values.first else { return }
        var expected: Set<MediaType> = []
        if Self.says("videocodecid", "width", in: fields) { expected.insert(.video) }
        if Self.says("audiocodecid", "audiosamplerate", in: fields) { expected.insert(.audio) }
        // Metadata without either says nothing.
        if !expected.isEmpty { push.expect(expected) }
    }

    private static func says(_ names: String..., in fields: AMF0Value) -> Bool {
        names.contains { name in
            if let number = fields[name]?.number { return number > 0 }
            return fields[name]?.string.map { !$0.isEmpty } ?? false
        }
    }

    // MARK: The push

    /// All tags that have arrived together have been taken.
    func unitsArrived() { push.unitsArrived() }

    /// Ends the push. Has no effect after the first call.
    func end(reason: String, isIntended: Bool) {
        isOver = true
        push.end(reason: reason, isIntended: isIntended)
    }
}
