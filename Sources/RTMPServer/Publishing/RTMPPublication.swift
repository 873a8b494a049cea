import Codecs
import LiveChannels
import MediaCore
import NIOCore
import RTMPProtocol

/// The media of one publisher, from its first tag to its end. Confined to its connection's event loop.
///
/// RTMP announces no tracks: tags are kept until there is one of video and one of audio, until the metadata says that
/// only one of them comes, or until ``RTMPServerLimits/gatheringTime`` is over. A track that comes later begins the
/// push again.
final class RTMPPublication {
    let channel: LiveChannel
    private let publisher: Publisher
    private let eventLoop: any EventLoop
    private let limits: RTMPServerLimits
    private let onKick: @Sendable (String) -> Void
    private var timeline = RTMPTimeline()
    private var video: RTMPTrack?
    private var audio: RTMPTrack?
    /// The tracks that come according to the metadata; `nil` without metadata.
    private var announced: (video: Bool, audio: Bool)?
    private var firstUnitAt: NIODeadline?
    private var gathered: [(unit: AccessUnit, isVideo: Bool)] = []
    private var gatheredByteCount = 0
    private var epoch: PublishingEpoch?
    /// The tracks with which the epoch has begun.
    private var begun: (video: RTMPTrack?, audio: RTMPTrack?) = (nil, nil)
    private var isOver = false

    private static let videoID: UInt32 = 0
    private static let audioID: UInt32 = 1

    init(
        to channel: LiveChannel, by publisher: Publisher, on eventLoop: any EventLoop, limits: RTMPServerLimits,
        onKick: @escaping @Sendable (String) -> Void
    ) {
        (self.channel, self.publisher, self.eventLoop) = (channel, publisher, eventLoop)
        (self.limits, self.onKick) = (limits, onKick)
    }

    /// Whether the channel has got something.
    var hasBegun: Bool { epoch != nil }
    /// Called when somebody has begun to need tags as they arrive.
    var onHurry: (() -> Void)?

    /// The time from which tags have to be taken as they arrive; `nil` while that does not matter to anybody.
    func promptTime(now: NIODeadline) -> NIODeadline? {
        MediaType.allCases.lazy.compactMap { self.channel.promptTime($0, now: now) }.min()
    }

    // MARK: Tags

    /// Takes a tag of audio or video.
    ///
    /// - Throws: ``RTMPRefusal`` for what cannot be shown; `PublishingError` if the channel has another publisher;
    ///   `RTMPError` and `CodecError` for damage.
    func receive(_ media: RTMPMedia) throws {
        guard !isOver else { return }
        let now = eventLoop.now
        epoch?.countReceived(
            byteCount: media.payload.readableBytes, packetCount: 1, trackID: media.isVideo ? Self.videoID : Self.audioID
        )
        let tags = try FLVTag.tags(in: media)
        guard !tags.isEmpty else { return }
        let time = timeline.time(of: media.timestamp, isVideo: media.isVideo, now: now)
        for tag in tags { try receive(tag, isVideo: media.isVideo, milliseconds: time, now: now) }
    }

    private func receive(_ tag: FLVTag, isVideo: Bool, milliseconds: Int64, now: NIODeadline) throws {
        var track: RTMPTrack
        let known = isVideo ? video : audio
        if let known, known.number != tag.track {
            // Further tracks of a kind are left out.
            return
        } else if let known, known.codec == tag.codec {
            track = known
        } else {
            if case .nothing = tag.content { return }
            track = try RTMPTrack(tag, isVideo: isVideo)
            // The encoder has changed the codec.
            if known != nil { restart("the encoder has changed to \(tag.codec.name)") }
        }
        var (unit, hasChanged) = (AccessUnit?.none, false)
        do {
            switch tag.content {
            case .configuration(let record): hasChanged = try track.configure(record)
            case .frame(let frame, let isKeyFrame, let composition):
                let made = try track.unit(
                    frame, isKeyFrame: isKeyFrame, composition: composition, milliseconds: milliseconds)
                (unit, hasChanged) = (made?.unit, made?.hasChanged ?? false)
            case .nothing: break
            }
        } catch let error as CodecError {
            // One damaged frame is not the end; parameters that cannot be used are, unless there were better ones.
            guard track.isReady else { throw RTMPRefusal("\(tag.codec.name) cannot be used: \(error)") }
            epoch?.reportError("\(error)")
        }
        if isVideo { video = track } else { audio = track }
        if let begun = isVideo ? begun.video : begun.audio, epoch != nil, begun.timescale != track.timescale {
            restart("the encoder has changed the sample rate")
        }
        if hasChanged, let epoch, let configuration = track.configuration {
            epoch.updateConfiguration(configuration, trackID: isVideo ? Self.videoID : Self.audioID)
        }
        if let unit { try deliver(unit, isVideo: isVideo, now: now) }
    }

    /// Takes metadata.
    ///
    /// - Parameters:
    ///   - name: its name, such as `onMetaData`.
    ///   - values: its values.
    func receive(data name: String, _ values: [AMF0Value]) {
        if let metadata = TimedMetadata(event: name, values) {
            // A channel that takes no more events, or shows nothing, is no reason to disturb the encoder.
            _ = epoch?.announce(metadata)
        }
        guard name == "onMetaData", epoch == nil, let fields = values.first else { return }
        let hasVideo = Self.says("videocodecid", "width", in: fields)
        let hasAudio = Self.says("audiocodecid", "audiosamplerate", in: fields)
        // Metadata without either says nothing.
        if hasVideo || hasAudio { announced = (hasVideo, hasAudio) }
    }

    private static func says(_ names: String..., in fields: AMF0Value) -> Bool {
        names.contains { name in
            if let number = fields[name]?.number { return number > 0 }
            return fields[name]?.string.map { !$0.isEmpty } ?? false
        }
    }

    // MARK: The push

    private func deliver(_ unit: AccessUnit, isVideo: Bool, now: NIODeadline) throws {
        if let epoch, (isVideo ? begun.video : begun.audio) != nil {
            return epoch.append(unit, trackID: isVideo ? Self.videoID : Self.audioID)
        }
        if epoch != nil { restart("a track has come later than the others") }
        firstUnitAt = firstUnitAt ?? now
        gathered.append((unit, isVideo))
        gatheredByteCount += unit.payload.byteCount
        let hasWaited = now - (firstUnitAt ?? now) >= TimeAmount(limits.gatheringTime)
        let isFull = gathered.count >= limits.gatheredUnitCount || gatheredByteCount >= limits.gatheredByteCount
        guard isComplete || hasWaited || isFull else { return }
        try begin()
    }

    /// Whether all tracks are there that can be expected.
    private var isComplete: Bool {
        let (wantsVideo, wantsAudio) = announced ?? (true, true)
        return (video?.isReady ?? !wantsVideo) && (audio?.isReady ?? !wantsAudio)
    }

    private func begin() throws {
        begun = (video.flatMap { $0.isReady ? $0 : nil }, audio.flatMap { $0.isReady ? $0 : nil })
        let tracks = [(begun.video, MediaType.video, Self.videoID), (begun.audio, .audio, Self.audioID)].compactMap {
            track, mediaType, id in
            track.map {
                PublishedTrack(
                    track: Track(id: id, mediaType: mediaType, timescale: $0.timescale),
                    configuration: $0.configuration, foreignCodec: $0.foreignCodec)
            }
        }
        let epoch = try channel.beginPublishing(publisher, tracks: tracks, on: eventLoop, onKick: onKick)
        self.epoch = epoch
        epoch.onHurry = { [weak self] in self?.onHurry?() }
        for (unit, isVideo) in gathered where (isVideo ? begun.video : begun.audio) != nil {
            epoch.append(unit, trackID: isVideo ? Self.videoID : Self.audioID)
        }
        clearGathered()
    }

    /// Ends what has begun, so that the next unit begins again.
    private func restart(_ reason: String) {
        epoch?.end(reason: reason)
        epoch = nil
        clearGathered()
        announced = nil
    }

    private func clearGathered() {
        gathered = []
        gatheredByteCount = 0
        firstUnitAt = nil
    }

    /// All tags that have arrived together have been taken.
    func unitsArrived() { epoch?.unitsArrived() }

    /// Ends the push. Has no effect after the first call.
    func end(reason: String, isIntended: Bool) {
        isOver = true
        clearGathered()
        epoch?.end(reason: reason, isIntended: isIntended)
        epoch = nil
    }
}
