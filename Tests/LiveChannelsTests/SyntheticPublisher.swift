import Codecs
import LiveChannels
import MediaCore
import NIOCore
import NIOEmbedded
import Synchronization
import TestSupport

/// Pushes to a channel as an encoder does, on the test's clock: each unit advances the clock to the time at which it is
/// due.
final class SyntheticPublisher {
    struct Settings {
        var video: CodecConfiguration? = TestMedia.video360
        var audio: CodecConfiguration? = TestMedia.audioStereo
        /// Whether the announcement already has the parameter sets; if not they come in band.
        var announcesParameters = true
        var framesPerSecond: Int64 = 25
        var framesPerGroup: Int64 = 50
        var keyFrameByteCount = 20_000
        var frameByteCount = 2_000
        var audioByteCount = 250
        /// The audio track's first unit comes this much later.
        var audioDelayMilliseconds: Int64 = 0
        /// A track that is announced and never sends.
        var silentTracks: Set<MediaType> = []
        /// Seconds of video timestamps in a second.
        var videoClockRate = 1.0
        /// The first frame's position in its group: an encoder that was running already starts anywhere.
        var firstPictureInGroup: Int64 = 0

        /// For pushes of hours.
        static var fewBytes: Settings {
            var settings = Settings()
            settings.keyFrameByteCount = 400
            settings.frameByteCount = 40
            settings.audioByteCount = 40
            return settings
        }
    }

    let channel: LiveChannel
    let clock: TestClock
    var settings: Settings
    /// Units of a track are lost while it is in here.
    var muted: Set<MediaType> = []
    private(set) var epoch: PublishingEpoch?
    private(set) var kicks = Kicks()
    let eventLoop: EmbeddedEventLoop
    private var startedAt = WallClockTime.unixEpoch
    private var elapsedMicroseconds: Int64 = 0
    private var frameCount: Int64 = 0
    private var audioFrameCount: Int64 = 0
    /// The publisher's own clocks, which may jump.
    private var mediaOffsetMicroseconds: Int64 = 0

    final class Kicks: Sendable {
        private let state = Mutex([String]())
        var reasons: [String] { state.withLock { $0 } }
        func add(_ reason: String) { state.withLock { $0.append(reason) } }
    }

    init(
        _ channel: LiveChannel, clock: TestClock, settings: Settings = Settings(),
        eventLoop: EmbeddedEventLoop = EmbeddedEventLoop()
    ) {
        self.channel = channel
        self.clock = clock
        self.settings = settings
        self.eventLoop = eventLoop
    }

    /// A channel without an archive, and a push to it that has gone on for a while.
    static func live(
        seconds: Double, _ settings: Settings = .init(), clock: TestClock
    ) throws -> (LiveChannel, SyntheticPublisher) {
        let channel = TestMedia.channel(clock: clock)
        let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
        try publisher.begin()
        publisher.run(seconds: seconds)
        return (channel, publisher)
    }

    var tracks: [PublishedTrack] {
        let isAnnounced = settings.announcesParameters
        return [
            settings.video.map {
                PublishedTrack(track: TestMedia.videoTrack, configuration: isAnnounced ? $0 : nil)
            },
            settings.audio.map {
                PublishedTrack(track: TestMedia.audioTrack, configuration: isAnnounced ? $0 : nil)
            },
        ].compactMap(\.self)
    }

    func begin(_ publisher: Publisher = TestMedia.publisher) throws {
        let kicks = Kicks()
        self.kicks = kicks
        epoch = try channel.beginPublishing(publisher, tracks: tracks, on: eventLoop) { kicks.add($0) }
        startedAt = clock.time
        elapsedMicroseconds = 0
        frameCount = 0
        audioFrameCount = 0
        mediaOffsetMicroseconds = 0
    }

    func end(reason: String = "connection reset", isIntended: Bool = false) {
        epoch?.end(reason: reason, isIntended: isIntended)
        epoch = nil
    }

    /// Seconds since ``begin(_:)``.
    var elapsedSeconds: Double { Double(elapsedMicroseconds) / 1_000_000 }

    /// The publisher's clock is set.
    func jump(milliseconds: Int64) { mediaOffsetMicroseconds += milliseconds * 1_000 }

    /// Pushes for that long.
    func run(seconds: Double) {
        let end = elapsedMicroseconds + Int64(seconds * 1_000_000)
        while let next = nextUnit(), next.dueMicroseconds < end {
            elapsedMicroseconds = next.dueMicroseconds
            clock.set(max(clock.time, startedAt + .microseconds(elapsedMicroseconds)))
            next.mediaType == .video ? sendPicture() : sendAudioFrame()
        }
        elapsedMicroseconds = end
        clock.set(max(clock.time, startedAt + .microseconds(end)))
    }

    private func nextUnit() -> (mediaType: MediaType, dueMicroseconds: Int64)? {
        let picture =
            settings.video == nil ? nil : frameCount * 1_000_000 / max(1, settings.framesPerSecond)
        let frame =
            settings.audio == nil
            ? nil : audioFrameCount * 1_024_000_000 / 48_000 + settings.audioDelayMilliseconds * 1_000
        switch (picture, frame) {
        case (let picture?, let frame?): return picture <= frame ? (.video, picture) : (.audio, frame)
        case (let picture?, nil): return (.video, picture)
        case (nil, let frame?): return (.audio, frame)
        case (nil, nil): return nil
        }
    }

    private func sendPicture() {
        let positionInGroup = (frameCount + settings.firstPictureInGroup) % settings.framesPerGroup
        let isKeyFrame = positionInGroup == 0
        let ticks = Double(frameCount * 90_000 / settings.framesPerSecond) * settings.videoClockRate
        let time = Int64(ticks) + mediaOffsetMicroseconds * 9 / 100
        frameCount += 1
        if isKeyFrame, let configuration = settings.video, let epoch, !isSilent(.video) {
            epoch.updateConfiguration(configuration, trackID: 0)
        }
        let byteCount = isKeyFrame ? settings.keyFrameByteCount : settings.frameByteCount
        let nalUnit = FragmentedNALUnit(ByteBuffer(repeating: isKeyFrame ? 0x65 : 0x41, count: byteCount))
        send(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: isKeyFrame,
                payload: .nalUnits([nalUnit])), .video, byteCount: byteCount)
    }

    private func sendAudioFrame() {
        let time =
            (audioFrameCount * 1_024) + settings.audioDelayMilliseconds * 48 + mediaOffsetMicroseconds * 48 / 1_000
        audioFrameCount += 1
        if let configuration = settings.audio, let epoch, !isSilent(.audio) {
            epoch.updateConfiguration(configuration, trackID: 1)
        }
        let frame = ByteBuffer(repeating: 0x21, count: settings.audioByteCount)
        send(
            AccessUnit(
                decodeTime: time, presentationTime: time, isRandomAccessPoint: true, payload: .frame(frame)), .audio,
            byteCount: settings.audioByteCount)
    }

    private func isSilent(_ mediaType: MediaType) -> Bool {
        muted.contains(mediaType) || settings.silentTracks.contains(mediaType)
    }

    private func send(_ unit: AccessUnit, _ mediaType: MediaType, byteCount: Int) {
        guard !isSilent(mediaType) else { return }
        epoch?.countReceived(
            byteCount: byteCount + 12, packetCount: 1, trackID: mediaType == .video ? 0 : 1)
        epoch?.append(unit, trackID: mediaType == .video ? 0 : 1)
        epoch?.unitsArrived()
    }
}
