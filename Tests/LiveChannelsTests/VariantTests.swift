import Codecs
import HLSPlaylist
import MediaCore
import NIOCore
import NIOEmbedded
import Packaging
import Testing
import TestSupport

@testable import LiveChannels

/// The other variants of a channel: audio only, MPEG-TS, I-frames.
struct VariantTests {
    let clock = TestClock()

    private func live(
        seconds: Double, _ settings: SyntheticPublisher.Settings = .init()
    ) throws -> (LiveChannel, SyntheticPublisher) {
        try SyntheticPublisher.live(seconds: seconds, settings, clock: clock)
    }

    private func text(_ channel: LiveChannel, _ name: String, _ form: LivePlaylistForm = .lowLatency) -> String? {
        guard case .ready(let rendered) = channel.playlist(LivePlaylistRequest(name: name, form: form)) else {
            return nil
        }
        return String(buffer: rendered.plain)
    }

    private func media(_ channel: LiveChannel, _ name: String) throws -> MediaPlaylist {
        try MediaPlaylist(parsing: try #require(text(channel, name)))
    }

    private func multivariant(_ channel: LiveChannel, _ form: LivePlaylistForm = .lowLatency) throws
        -> MultivariantPlaylist
    {
        try MultivariantPlaylist(parsing: try #require(text(channel, "playlist", form)))
    }

    // MARK: Audio only

    @Test(arguments: [LivePlaylistForm.lowLatency, .wholeSegments])
    func audioAloneIsTheSecondVariant(_ form: LivePlaylistForm) throws {
        let (channel, _) = try live(seconds: 9)
        let playlist = try multivariant(channel, form)
        #expect(playlist.variants.count == 2)
        let (video, audio) = (playlist.variants[0], playlist.variants[1])
        #expect(video.resolution != nil && video.codecs.count == 2)
        #expect(audio.resolution == nil && audio.frameRate == nil)
        #expect(audio.codecs == ["mp4a.40.2"])
        #expect(audio.uri == playlist.renditions.first?.uri)
        #expect(audio.audioGroupID == video.audioGroupID)
        // 250 bytes, 46.875 times a second, and headers.
        #expect((93_750..<130_000).contains(audio.bandwidth))
        #expect(audio.bandwidth < video.bandwidth)
    }

    @Test func aChannelOfOneKindHasOneVariant() throws {
        var settings = SyntheticPublisher.Settings()
        settings.video = nil
        #expect(try multivariant(try live(seconds: 9, settings).0).variants.map(\.uri) == ["audio.m3u8"])
        settings = .init()
        settings.audio = nil
        #expect(try multivariant(try live(seconds: 9, settings).0).variants.map(\.uri) == ["video.m3u8"])
    }

    // MARK: MPEG-TS

    @Test func theTransportStreamHasTheVideosSegments() throws {
        let (channel, publisher) = try live(seconds: 9)
        publisher.end()
        try publisher.begin()
        publisher.run(seconds: 7)
        let variant = try multivariant(channel, .transportStream)
        #expect(variant.variants.map(\.uri) == ["ts.m3u8"] && variant.renditions.isEmpty)
        #expect(variant.variants[0].codecs.count == 2 && variant.iFrameVariants.isEmpty)
        let (video, stream) = (try media(channel, "video"), try media(channel, "ts"))
        #expect(stream.version == 3 && stream.targetDuration == video.targetDuration)
        #expect(stream.mediaSequence == video.mediaSequence)
        #expect(stream.discontinuitySequence == video.discontinuitySequence)
        #expect(stream.partTarget == nil && stream.serverControl == nil && stream.preloadHints.isEmpty)
        // Sound may close a segment a little later.
        #expect((0...1).contains(video.segments.count - stream.segments.count))
        for (one, other) in zip(stream.segments, video.segments) {
            #expect(one.uri == other.uri.replacing("/video/", with: "/ts/").replacing(".m4s", with: ".ts"))
            #expect(one.duration == other.duration && one.programDateTime == other.programDateTime)
            #expect(one.isDiscontinuous == other.isDiscontinuous && !one.isGap)
            #expect(one.initializationSection == nil && one.parts.isEmpty)
        }
        #expect(stream.segments.contains { $0.isDiscontinuous })
    }

    /// Through reconnects, silence and other tracks: it only grows at its end, and what it lists can be made.
    @Test func theTransportStreamIsALivePlaylist() throws {
        let channel = TestMedia.channel(clock: clock)
        var previous: MediaPlaylist?
        var listed: [Int: MediaSegment] = [:]
        var videoOnly = SyntheticPublisher.Settings()
        videoOnly.audio = nil
        var audioOnly = SyntheticPublisher.Settings()
        audioOnly.video = nil
        for settings in [.init(), videoOnly, .init(), audioOnly, .init()] {
            let publisher = SyntheticPublisher(channel, clock: clock, settings: settings)
            try publisher.begin()
            for step in 0..<60 {
                publisher.muted = (20..<30).contains(step) ? [.audio] : []
                publisher.run(seconds: 0.5)
                guard case .ready = channel.playlist(LivePlaylistRequest(name: "ts")) else { continue }
                let playlist = try media(channel, "ts")
                if let previous {
                    #expect(playlist.mediaSequence >= previous.mediaSequence)
                    #expect(playlist.discontinuitySequence ?? 0 >= previous.discontinuitySequence ?? 0)
                    #expect(
                        playlist.mediaSequence + playlist.segments.count
                            >= previous.mediaSequence + previous.segments.count)
                }
                for (index, segment) in playlist.segments.enumerated() {
                    let number = playlist.mediaSequence + index
                    if let known = listed[number] { #expect(known == segment, "segment \(number) has changed") }
                    listed[number] = segment
                    let epoch = String(segment.uri.prefix { $0 != "/" })
                    let source = channel.transportStreamSegment(mediaSequence: number, epoch: epoch)
                    #expect((source == nil) == segment.isGap, "segment \(number)")
                }
                previous = playlist
            }
            publisher.end()
        }
        #expect(listed.count > 60)
    }

    /// Segments that no playlist has listed are not retained, and audio leaves its list a little before or after video.
    @Test func whoComesLateFindsAudioInEverySegment() throws {
        for steps in 40..<80 {
            let (channel, publisher) = try live(seconds: 11)
            publisher.end()
            try publisher.begin()
            publisher.run(seconds: Double(steps) * 0.37)
            for (index, segment) in try media(channel, "ts").segments.enumerated() {
                let epoch = String(segment.uri.prefix { $0 != "/" })
                let number = try media(channel, "ts").mediaSequence + index
                let source = channel.transportStreamSegment(mediaSequence: number, epoch: epoch)
                #expect(source?.tracks.count { !$0.parts.isEmpty } == 2, "step \(steps), segment \(number)")
            }
        }
    }

    @Test func aTransportStreamsSegmentHoldsWhatThereIs() throws {
        var settings = SyntheticPublisher.Settings()
        // Silence of eight channels is not known.
        settings.audio = .aac(try AACConfiguration(sampleRate: 48_000, channelCount: 8))
        let (channel, publisher) = try live(seconds: 9, settings)
        publisher.muted = [.audio]
        publisher.run(seconds: 6)
        publisher.muted = []
        publisher.run(seconds: 4)
        let rendition = try #require(channel.window().rendition(named: "audio"))
        let gap = try #require(rendition.listed.first { $0.isGap })
        let source = try #require(
            channel.transportStreamSegment(mediaSequence: gap.mediaSequence, epoch: gap.epoch))
        // The silent stream stays in the program map.
        #expect(source.tracks.map(\.configuration.mediaType) == [.video, .audio])
        #expect(source.tracks.map(\.parts.isEmpty) == [false, true])
        let whole = try #require(channel.transportStreamSegment(mediaSequence: 0, epoch: gap.epoch))
        #expect(whole.tracks.allSatisfy { !$0.parts.isEmpty })
        for (number, epoch) in [(0, "other"), (99, gap.epoch), (-1, gap.epoch), (.max, gap.epoch), (.min, "")] {
            #expect(channel.transportStreamSegment(mediaSequence: number, epoch: epoch) == nil)
        }
    }

    @Test func theTransportStreamWaitsForItsFirstSegment() throws {
        let (channel, publisher) = try live(seconds: 1)
        let request = LivePlaylistRequest(name: "ts")
        guard case .pending(let moment) = channel.playlist(request) else {
            Issue.record("the first segment is not complete")
            return
        }
        final class Answer { var value: Bool? }
        let answer = Answer()
        channel.wait(for: moment, identifier: 1, on: publisher.eventLoop).assumeIsolated()
            .whenSuccess { answer.value = $0 }
        #expect(answer.value == nil)
        publisher.run(seconds: 1.2)
        #expect(answer.value == true)
        #expect(try media(channel, "ts").segments.count == 1)
    }

    @Test func whatTransportStreamsCannotCarryIsSaid() throws {
        var settings = SyntheticPublisher.Settings()
        settings.audio = .opus(try OpusConfiguration(channelCount: 2))
        let (channel, _) = try live(seconds: 9, settings)
        for (name, form) in [("ts", LivePlaylistForm.lowLatency), ("playlist", .transportStream)] {
            guard case .unsuitable(let reason) = channel.playlist(LivePlaylistRequest(name: name, form: form)) else {
                Issue.record("\(name) is there")
                continue
            }
            #expect(reason.contains("Opus"))
        }
        #expect(text(channel, "playlist") != nil && text(channel, "video") != nil)
    }

    /// The publisher comes back with another encoder.
    @Test func whatCouldNotBeCarriedBeforeIsLeftOut() throws {
        var settings = SyntheticPublisher.Settings()
        settings.audio = .opus(try OpusConfiguration(channelCount: 2))
        let (channel, publisher) = try live(seconds: 9, settings)
        publisher.end()
        publisher.settings.audio = TestMedia.audioStereo
        try publisher.begin()
        publisher.run(seconds: 7)
        let segments = try media(channel, "ts").segments
        #expect(segments.count == 3 && !segments.contains(where: \.isGap))
        for segment in segments {
            let names = segment.uri.split(separator: "/")
            let number = try #require(Int(names[2].dropLast(3)))
            let source = channel.transportStreamSegment(mediaSequence: number, epoch: String(names[0]))
            #expect((source == nil) == segment.isGap)
        }
    }

    @Test func theOtherFormsEndWithTheChannel() throws {
        let channel = TestMedia.channel(clock: clock, onLoss: LossPolicy(action: .end, timeoutSeconds: 30))
        let publisher = SyntheticPublisher(channel, clock: clock)
        try publisher.begin()
        publisher.run(seconds: 11)
        #expect(try !media(channel, "ts").hasEndList && !media(channel, "iframes").hasEndList)
        publisher.end()
        clock.advance(by: .milliseconds(30_000))
        let (stream, frames) = (try media(channel, "ts"), try media(channel, "iframes"))
        #expect(stream.hasEndList && stream.playlistType == .vod)
        #expect(frames.hasEndList && frames.playlistType == .vod)
        #expect(stream.segments.count == frames.segments.count)
        // What the ended playlist lists stays for a while when the next push begins a new one.
        try publisher.begin()
        publisher.run(seconds: 3)
        #expect(try !media(channel, "ts").hasEndList)
        for (number, segment) in stream.segments.enumerated() {
            let epoch = String(segment.uri.prefix { $0 != "/" })
            #expect(channel.transportStreamSegment(mediaSequence: number, epoch: epoch) != nil)
        }
    }

    // MARK: Single frames

    @Test func anIFrameOfEachSegmentCanBeFetchedByItself() throws {
        let (channel, _) = try live(seconds: 9)
        let variant = try #require(try multivariant(channel).iFrameVariants.first)
        #expect(variant.uri == "iframes.m3u8" && variant.codecs.count == 1 && variant.resolution != nil)
        let (frames, video) = (try media(channel, "iframes"), try media(channel, "video"))
        #expect(frames.isIFramesOnly && frames.version == 5)
        #expect(frames.mediaSequence == video.mediaSequence && frames.segments.count == video.segments.count)
        #expect(frames.targetDuration == video.targetDuration)
        let observer = PlaylistObserver(channel, clock: clock)
        var highest = 0.0
        for (frame, segment) in zip(frames.segments, video.segments) {
            #expect(frame.uri == segment.uri && frame.initializationSection == segment.initializationSection)
            #expect(frame.duration == segment.duration && frame.programDateTime == segment.programDateTime)
            let range = try #require(frame.byteRange)
            #expect(range.offset == 0)
            let bytes = try #require(observer.fetch(frame.uri)?.getBytes(at: 0, length: range.length))
            #expect(bytes[4..<8].elementsEqual("moof".utf8))
            // A length, the NAL unit's header and 20,000 bytes end it.
            let nalUnit = bytes.suffix(4 + 20_000)
            #expect(nalUnit.prefix(4).elementsEqual([0, 0, 0x4E, 0x20]) && nalUnit.last == 0x65)
            highest = max(highest, Double(range.length * 8) / frame.duration)
        }
        #expect(Double(variant.bandwidth) >= highest && Double(variant.bandwidth) < highest * 1.25)
    }

    @Test func aSegmentWithoutAKeyFrameIsAGapAmongTheFrames() throws {
        var settings = SyntheticPublisher.Settings()
        settings.framesPerGroup = 250
        let (channel, _) = try live(seconds: 25, settings)
        let (frames, video) = (try media(channel, "iframes"), try media(channel, "video"))
        #expect(frames.segments.map(\.isGap) == video.segments.map { !isIndependent($0, channel) })
        #expect(frames.segments.contains { $0.isGap } && !frames.segments.allSatisfy { $0.isGap })
        #expect(frames.segments.map(\.duration) == video.segments.map(\.duration))
    }

    private func isIndependent(_ segment: MediaSegment, _ channel: LiveChannel) -> Bool {
        let parts = segment.uri.split(separator: "/")
        return channel.segment(
            rendition: "video", mediaSequence: Int(parts[2].dropLast(4)) ?? -1, epoch: parts[0])?.isIndependent ?? false
    }

    @Test func aChannelWithoutVideoHasNone() throws {
        var settings = SyntheticPublisher.Settings()
        settings.video = nil
        let (channel, _) = try live(seconds: 9, settings)
        #expect(try multivariant(channel).iFrameVariants.isEmpty)
        #expect(text(channel, "iframes") == nil)
        #expect(try media(channel, "ts").segments.count == 4)
    }
}
