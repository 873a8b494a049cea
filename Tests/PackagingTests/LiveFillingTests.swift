import Codecs
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

/// The media that players get in place of missing media.
struct LiveFillingTests {
    static let silences: [CodecConfiguration] = {
        let aac = [(48_000, 1), (48_000, 2), (44_100, 2), (22_050, 1), (48_000, 6)].compactMap {
            try? AACConfiguration(sampleRate: $0.0, channelCount: $0.1)
        }
        let efficient = [[0x2B, 0x11, 0x88, 0x00], [0xEB, 0x09, 0x88, 0x00]].compactMap {
            try? AACConfiguration(parsingAudioSpecificConfig: $0)
        }
        let opus = [1, 2].compactMap { try? OpusConfiguration(channelCount: $0) }
        return (aac + efficient).map(CodecConfiguration.aac) + opus.map(CodecConfiguration.opus)
    }()

    /// A publisher of video only, and the stand-in for the audio.
    private func packager(_ standIn: LivePackagerTrack, start: MediaTime? = nil) throws -> LivePackager {
        let video = LivePackagerTrack(
            track: Track(id: 1, mediaType: .video, timescale: .video90kHz), configuration: try LiveFixture.video(0))
        return LivePackager(
            configuration: LivePackagingConfiguration(), tracks: [video, standIn], epoch: "e", firstMediaSequence: 7,
            isDiscontinuous: true, start: start, allocator: ByteBufferAllocator())
    }

    private func picture(_ index: Int64, isKey: Bool) -> AccessUnit {
        AccessUnit(
            decodeTime: index * 3_600, presentationTime: index * 3_600, isRandomAccessPoint: isKey,
            payload: .nalUnits([FragmentedNALUnit(ByteBuffer(repeating: isKey ? 0x65 : 0x41, count: 100))]))
    }

    private func run(_ packager: inout LivePackager, frameCount: Int64) -> [LivePackagingEvent] {
        var events: [LivePackagingEvent] = []
        for index in 0..<frameCount {
            events += packager.append(
                picture(index, isKey: index % 50 == 0), to: .video,
                now: LiveFixture.startOfTime + .milliseconds(index * 40))
        }
        return events + packager.finish()
    }

    @Test(arguments: silences)
    func silenceIsDecodedAsSilence(_ configuration: CodecConfiguration) async throws {
        let rate = try #require(configuration.audioSampleRate)
        let timescale = Timescale(UInt32(rate))
        let silence = try #require(FillerSample(silenceFor: configuration, timescale: timescale))
        var packager = try packager(
            LivePackagerTrack(
                track: Track(id: 9, mediaType: .audio, timescale: timescale), configuration: configuration,
                standIn: silence))
        var file = try #require(packager.initializationSection(for: .audio))
        let segments = run(&packager, frameCount: 150).segments(.audio)
        for bytes in segments.flatMap(\.bytes) { file.writeImmutableBuffer(bytes) }
        let folder = try TemporaryDirectory(label: "silence")
        let path = try folder.write(Array(file.readableBytesView), to: "silence.mp4")
        let result = try await ExternalTool.ffmpeg().run([
            "-hide_banner", "-loglevel", "warning", "-i", path, "-f", "s16le", "-",
        ])
        #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
        #expect(result.output.allSatisfy { $0 == 0 })
        let channelCount = configuration.rfc6381 == "mp4a.40.29" ? 2 : configuration.audioChannelCount ?? 0
        let decodedRate = ["mp4a.40.5", "mp4a.40.29"].contains(configuration.rfc6381) ? 2 * rate : rate
        let seconds = Double(result.output.count) / Double(max(1, 2 * channelCount * decodedRate))
        #expect(abs(seconds - 6) < 0.1, "\(seconds) s")
    }

    @Test func silenceKeepsPaceInSegmentsAndParts() throws {
        let configuration = CodecConfiguration.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2))
        let timescale = Timescale(48_000)
        var packager = try packager(
            LivePackagerTrack(
                track: Track(id: 9, mediaType: .audio, timescale: timescale), configuration: configuration,
                standIn: FillerSample(silenceFor: configuration, timescale: timescale)))
        let events = run(&packager, frameCount: 300)
        let (video, audio) = (events.segments(.video), events.segments(.audio))
        #expect(video.count == 6)
        #expect(video.map(\.mediaSequence) == audio.map(\.mediaSequence))
        #expect(video.map(\.isDiscontinuous) == audio.map(\.isDiscontinuous))
        for (picture, silence) in zip(video, audio) {
            #expect(!silence.isGap && silence.listsParts)
            #expect(abs(picture.duration.seconds - silence.duration.seconds) < 0.025)
            #expect((picture.programDateTime - silence.programDateTime).magnitude < .milliseconds(25))
            for part in silence.parts.dropLast() { #expect((0.425...0.5).contains(part.duration.seconds)) }
        }
        // Nobody with low latency waits for it longer than for frames.
        for (picture, silence) in zip(events.parts(.video), events.parts(.audio)) {
            #expect(abs(picture.decodeTime.seconds - silence.decodeTime.seconds) < 0.6)
        }
    }

    @Test(arguments: [50, 40, 46] as [Int64])
    func aStillImageKeepsPaceInSegmentsAndParts(framesPerSegment: Int64) throws {
        let audio = LivePackagerTrack(
            track: Track(id: 1, mediaType: .audio, timescale: Timescale(48_000)),
            configuration: .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2)))
        var sample = ByteBuffer()
        try sample.writeLengthPrefixed(as: UInt32.self) { $0.writeRepeatingByte(0x65, count: 500) }
        let configuration = try LiveFixture.video(0)
        let still = FillerSample(
            keyFrame: sample, configuration: configuration,
            duration: MediaTime(seconds: 0.5, timescale: .video90kHz))
        var packager = LivePackager(
            configuration: LivePackagingConfiguration(segmentDuration: Double(framesPerSegment) / 25),
            tracks: [
                audio,
                LivePackagerTrack(
                    track: Track(id: 9, mediaType: .video, timescale: .video90kHz), configuration: configuration,
                    standIn: still),
            ], epoch: "e", firstMediaSequence: 0, isDiscontinuous: true, allocator: ByteBufferAllocator())
        var events: [LivePackagingEvent] = []
        for index in 0..<600 as Range<Int64> {
            events += packager.append(
                AccessUnit(
                    decodeTime: index * 1_024, presentationTime: index * 1_024, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(repeating: 3, count: 20))), to: .audio,
                now: LiveFixture.startOfTime + .milliseconds(index * 1_024 / 48))
        }
        events += packager.finish()
        let (heard, seen) = (events.segments(.audio), events.segments(.video))
        #expect(heard.count == seen.count && heard.count >= 6)
        for (sound, image) in zip(heard, seen) {
            #expect(sound.mediaSequence == image.mediaSequence)
            #expect(!image.isGap && image.isIndependent && image.listsParts)
            #expect(abs(sound.duration.seconds - image.duration.seconds) < 0.065)
            #expect((sound.programDateTime - image.programDateTime).magnitude < .milliseconds(65))
            for part in image.parts.dropLast() { #expect((0.425...0.5).contains(part.duration.seconds)) }
            #expect(image.parts.allSatisfy { part in part.samples.allSatisfy { $0.isSync } })
            // A delimiter stands in front: the same IDR picture twice is two frames.
            for part in image.parts {
                #expect(part.media.readableBytesView.starts(with: [0, 0, 0, 2, 0x09, 0x10]))
            }
        }
    }

    /// x265's key frames are CRA pictures, whose picture order count goes on: decoders refuse the same one twice.
    @Test(arguments: ["libx264", "libx265"]) func aStillImageIsDecodedAsOftenAsItIsRepeated(
        _ encoder: String
    ) async throws {
        let stream = try await ExternalTool.ffmpeg().run([
            "-hide_banner", "-loglevel", "error", "-f", "lavfi", "-i", "testsrc2=size=320x180:rate=25", "-frames:v",
            "60", "-c:v", encoder, "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "25", "-f",
            encoder == "libx264" ? "h264" : "hevc", "-",
        ])
        let units = stream.output.withUnsafeBytes { bytes in
            AnnexB.nalUnits(in: bytes).map { Array(bytes[$0]) }
        }
        let (configuration, isKey) = try Self.description(of: units, isHEVC: encoder == "libx265")
        let keyFrame = try #require(units.last(where: isKey))
        var sample = ByteBuffer()
        try sample.writeLengthPrefixed(as: UInt32.self) { $0.writeBytes(keyFrame) }
        let audio = LivePackagerTrack(
            track: Track(id: 1, mediaType: .audio, timescale: Timescale(48_000)),
            configuration: .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2)))
        let still = LivePackagerTrack(
            track: Track(id: 9, mediaType: .video, timescale: .video90kHz), configuration: configuration,
            standIn: FillerSample(
                keyFrame: sample, configuration: configuration,
                duration: MediaTime(seconds: 0.5, timescale: .video90kHz)))
        var packager = LivePackager(
            configuration: LivePackagingConfiguration(), tracks: [audio, still], epoch: "e", firstMediaSequence: 0,
            isDiscontinuous: true, allocator: ByteBufferAllocator())
        var events: [LivePackagingEvent] = []
        for index in 0..<300 as Range<Int64> {
            events += packager.append(
                AccessUnit(
                    decodeTime: index * 1_024, presentationTime: index * 1_024, isRandomAccessPoint: true,
                    payload: .frame(ByteBuffer(repeating: 3, count: 20))), to: .audio,
                now: LiveFixture.startOfTime + .milliseconds(index * 1_024 / 48))
        }
        events += packager.finish()
        var file = try #require(packager.initializationSection(for: .video))
        let segments = events.segments(.video)
        for bytes in segments.flatMap(\.bytes) { file.writeImmutableBuffer(bytes) }
        let count = segments.flatMap(\.parts).reduce(0) { $0 + $1.sampleCount }
        #expect(count >= 10)
        let folder = try TemporaryDirectory(label: "still")
        let path = try folder.write(Array(file.readableBytesView), to: "still.mp4")
        let result = try await ExternalTool.ffmpeg().run([
            "-hide_banner", "-loglevel", "warning", "-i", path, "-fps_mode", "passthrough", "-f", "framecrc", "-",
        ])
        #expect(result.errorOutput.isEmpty, "\(result.errorOutput)")
        let frames = String(decoding: result.output, as: UTF8.self).split(separator: "\n").filter { $0.first != "#" }
        #expect(frames.count == count)
        #expect(Set(frames.compactMap { $0.split(separator: ",").last }).count == 1, "all frames show the same")
    }

    /// The configuration of a stream, and whether a NAL unit of it is a key frame.
    private static func description(
        of units: [[UInt8]], isHEVC: Bool
    ) throws -> (CodecConfiguration, isKey: ([UInt8]) -> Bool) {
        guard isHEVC else {
            func all(_ type: H264NALUnitType) -> [[UInt8]] {
                units.filter { H264NALUnitType(headerByte: $0[0]) == type }
            }
            return (
                .h264(
                    try H264Configuration(
                        sequenceParameterSets: Array(all(.sequenceParameterSet).prefix(1)),
                        pictureParameterSets: Array(all(.pictureParameterSet).prefix(1)))),
                { H264NALUnitType(headerByte: $0[0]) == .idrSlice }
            )
        }
        func all(_ type: UInt8) -> [[UInt8]] {
            Array(units.filter { HEVCNALUnitType.type(headerByte: $0[0]) == type }.prefix(1))
        }
        return (
            .hevc(
                try HEVCConfiguration(
                    videoParameterSets: all(HEVCNALUnitType.videoParameterSet),
                    sequenceParameterSets: all(HEVCNALUnitType.sequenceParameterSet),
                    pictureParameterSets: all(HEVCNALUnitType.pictureParameterSet))),
            { HEVCNALUnitType.type(headerByte: $0[0]) == HEVCNALUnitType.cleanRandomAccess }
        )
    }

    /// A playlist hints at the part that comes next, and Apple's player waits for it.
    @Test(arguments: [(50, 2.0), (23, 0.5), (24, 0.9), (37, 1.4), (12, 0.3), (13, 0.5)] as [(Int64, Double)])
    func aPartThatStandsInIsAnnouncedWhenItIsKnownWhatFollows(framesPerGroup: Int64, segmentDuration: Double) throws {
        let configuration = LivePackagingConfiguration(segmentDuration: segmentDuration)
        let silence = CodecConfiguration.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2))
        var sample = ByteBuffer()
        try sample.writeLengthPrefixed(as: UInt32.self) { $0.writeRepeatingByte(0x65, count: 500) }
        let video = try LiveFixture.video(0)
        let videoTrack = Track(id: 1, mediaType: .video, timescale: .video90kHz)
        let audioTrack = Track(id: 2, mediaType: .audio, timescale: Timescale(48_000))
        let still = FillerSample(
            keyFrame: sample, configuration: video, duration: MediaTime(seconds: 0.5, timescale: .video90kHz))
        for standsIn in [RenditionID.video, .audio] {
            let tracks =
                standsIn == .audio
                ? [
                    LivePackagerTrack(track: videoTrack, configuration: video),
                    LivePackagerTrack(
                        track: audioTrack, configuration: silence,
                        standIn: FillerSample(silenceFor: silence, timescale: audioTrack.timescale)),
                ]
                : [
                    LivePackagerTrack(track: audioTrack, configuration: silence),
                    LivePackagerTrack(track: videoTrack, configuration: video, standIn: still),
                ]
            var packager = LivePackager(
                configuration: configuration, tracks: tracks, epoch: "e", firstMediaSequence: 0,
                isDiscontinuous: false, allocator: ByteBufferAllocator())
            // Number of parts that have been announced of the open segment, and whether another one has to come.
            var (count, isFollowed) = (0, false)
            for index in 0..<1_500 as Range<Int64> {
                let events =
                    standsIn == .audio
                    ? packager.append(
                        picture(index, isKey: index % framesPerGroup == 0), to: .video,
                        now: .unixEpoch + .milliseconds(index * 40))
                    : packager.append(
                        AccessUnit(
                            decodeTime: index * 1_024, presentationTime: index * 1_024, isRandomAccessPoint: true,
                            payload: .frame(ByteBuffer(repeating: 3, count: 20))), to: .audio,
                        now: .unixEpoch + .milliseconds(index * 1_024 / 48))
                for event in events {
                    switch event {
                    case .part(standsIn, let part, _): (count, isFollowed) = (count + 1, part.isFollowed)
                    case .segment(standsIn, let segment):
                        #expect(count == segment.parts.count && !isFollowed)
                        (count, isFollowed) = (0, false)
                    default: break
                    }
                }
                // What viewers see between two units.
                #expect(count == 0 || isFollowed, "\(standsIn) \(index)")
            }
        }
    }

    /// A microphone that is pulled out.
    @Test func audioThatStopsIsFilledAndComesBackInTime() throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<1_000 {
            let time = Double(index) / 25
            if time < 9.3 {
                live.audioFrames(from: &nextAudio, until: time)
            } else if time > 24.7 {
                nextAudio = max(nextAudio, Int64(24.7 * 48_000))
                live.audioFrames(from: &nextAudio, until: time)
            }
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        let (video, audio) = (live.segments(.video), live.segments(.audio))
        #expect(video.map(\.mediaSequence) == audio.map(\.mediaSequence))
        #expect(audio.allSatisfy { !$0.isGap })
        for (picture, sound) in zip(video, audio) {
            #expect(
                (picture.programDateTime - sound.programDateTime).magnitude < .milliseconds(50),
                "\(sound.mediaSequence)")
            #expect(abs(picture.duration.seconds - sound.duration.seconds) < 0.05, "\(sound.mediaSequence)")
        }
        let silent = audio.filter { $0.parts.flatMap(\.samples).contains { $0.byteCount < 20 } }
        // One more may have a silent frame for a part at which a playlist has hinted.
        #expect((7...10).contains(silent.count), "\(silent.map(\.mediaSequence))")
    }

    /// A push that ends just behind a key frame, with audio that arrives later than the video of the same time:
    /// GStreamer asked for the gap without end.
    @Test(arguments: [0.1, 1.9, 2.5, 3.9, 6.1]) func noRenditionHasAGapAtTheEndOfAPush(audioDelay: Double) throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0...150 {
            live.audioFrames(from: &nextAudio, until: Double(index) / 25 - audioDelay)
            live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0)
        }
        live.finish()
        #expect(live.segments(.video).map(\.mediaSequence) == Array(100..<104))
        Self.expectNoGaps(live)
    }

    /// Audio that is missing for longer than a segment, but comes back before it counts as stopped.
    @Test func audioThatPausesForAWholeSegmentLeavesNoGap() throws {
        var live = try LiveFixture(configuration: LivePackagingConfiguration(segmentDuration: 1))
        var nextAudio: Int64 = 0
        for index in 0..<250 {
            let time = Double(index) / 25
            if time < 2.3 || time >= 4.6 {
                if time >= 4.6 { nextAudio = max(nextAudio, Int64(4.6 * 48_000)) }
                live.audioFrames(from: &nextAudio, until: time)
            }
            live.frame(at: Int64(index) * 3_600, isKey: index % 25 == 0)
        }
        live.finish()
        #expect(live.segments(.video).count == 10)
        Self.expectNoGaps(live)
        // What the publisher sent is all there: 20 bytes a frame.
        let sent = Int(2.3 * 48_000 / 1_024) + Int((9.96 - 4.6) * 48_000 / 1_024)
        let own = live.segments(.audio).flatMap(\.parts).flatMap(\.samples).count { $0.byteCount == 20 }
        #expect(abs(own - sent) <= 3, "\(own) of \(sent)")
    }

    private static func expectNoGaps(_ live: LiveFixture) {
        let (video, audio) = (live.segments(.video), live.segments(.audio))
        #expect(video.map(\.mediaSequence) == audio.map(\.mediaSequence))
        #expect(audio.allSatisfy { !$0.isGap && $0.listsParts })
        for (picture, sound) in zip(video, audio) {
            #expect(
                (picture.programDateTime - sound.programDateTime).magnitude < .milliseconds(50),
                "\(sound.mediaSequence)")
            #expect(abs(picture.duration.seconds - sound.duration.seconds) < 0.05, "\(sound.mediaSequence)")
            for part in sound.parts.dropLast() { #expect((0.425...0.5).contains(part.duration.seconds)) }
        }
        // What was announced part by part is what the segments hold.
        #expect(audio.flatMap(\.parts).map(\.decodeTime) == live.parts(.audio).map(\.decodeTime))
    }

    /// Video that stops while audio goes on stands still, and goes on with its next key frame.
    @Test func videoThatStopsStandsStillUntilItsNextKeyFrame() throws {
        var live = try LiveFixture()
        var nextAudio: Int64 = 0
        for index in 0..<1_500 {
            let time = Double(index) / 25
            live.audioFrames(from: &nextAudio, until: time)
            // It stops in a group of pictures and comes back in another one.
            if time < 9.3 || time > 40.3 { live.frame(at: Int64(index) * 3_600, isKey: index % 50 == 0) }
        }
        live.finish()
        let (video, audio) = (live.segments(.video), live.segments(.audio))
        #expect(video.map(\.mediaSequence) == audio.map(\.mediaSequence))
        #expect(video.allSatisfy { !$0.isGap && $0.duration.seconds < 6.5 })
        #expect(audio.allSatisfy { !$0.isGap && $0.duration.seconds < 6.5 })
        let samples = video.flatMap(\.parts).flatMap(\.samples)
        let last = try #require(samples.lastIndex { $0.duration > 20_000 })
        #expect(samples[last + 1].isSync, "frames that refer to what was lost are left out")
    }

    /// ffmpeg and mpv take no notice of discontinuities: times that went back made mpv stand still for as long.
    @Test func anEpochGoesOnWhereTheOneBeforeHasEnded() throws {
        let start = MediaTime(value: 123_456_789, timescale: .microseconds)
        let configuration = CodecConfiguration.aac(try AACConfiguration(sampleRate: 48_000, channelCount: 2))
        let track = Track(id: 9, mediaType: .audio, timescale: Timescale(48_000))
        var packager = try packager(
            LivePackagerTrack(
                track: track, configuration: configuration,
                standIn: FillerSample(silenceFor: configuration, timescale: track.timescale)), start: start)
        let events = run(&packager, frameCount: 100)
        for rendition in [RenditionID.video, .audio] {
            let first = try #require(events.segments(rendition).first?.parts.first)
            #expect(abs(first.decodeTime.seconds - start.seconds) < 0.001)
        }
    }
}
