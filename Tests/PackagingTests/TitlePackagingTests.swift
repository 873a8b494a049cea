import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

/// Titles written out as files: players get exactly what the source file holds.
struct TitlePackagingTests {
    static let titles = MovieFixture.allCases.filter { $0 != .rareKeyFrames && $0 != .openGroups }
    static let withVideo = titles.filter { $0 != .audioOnly }
    static let withAudio: [MovieFixture] = [
        .bFrames, .noBFrames, .hevc, .fragmented, .fragmentedWithDelayedMovie, .cmaf, .lateAudio, .lateVideo,

        .quickTime,
        .audioOnly, .shortAudio, .longAudio,
    ]

    @Test(arguments: withVideo)
    func everyFrameDecodesAsFromTheSource(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        let video = try #require(export.title.video)
        let expected = try await Decoded.frames(export.source)
        let actual = try await Decoded.frames(export.playlistPath(video))
        #expect(!expected.isEmpty)
        #expect(actual.map(\.md5) == expected.map(\.md5))
        // The cadence is preserved within a tick of the coarsest clock.
        let start = (actual.first?.time ?? 0) - (expected.first?.time ?? 0)
        let drifts = zip(actual, expected).map { abs($0.time - $1.time - start) }
        #expect((drifts.max() ?? 0) < 0.002)
    }

    /// ffmpeg skips the encoder's priming in the source, and also in HLS if it applies the edit list of the
    /// initialization section; some versions do not, and ffmpeg does not cut the last frame's padding without a
    /// duration in the edit list. The test therefore looks for the source's samples in one run, after at most three
    /// frames.
    @Test(arguments: withAudio)
    func everyAudioTrackDecodesAsFromTheSource(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        let audio = try #require(export.title.audio.first)
        let expected = try await Decoded.audio(export.source)
        let actual = try await Decoded.audio(export.playlistPath(audio))
        #expect(!expected.isEmpty)
        let bytesPerFrame = 1_024 * 2 * 2
        let surplus = actual.count - expected.count
        #expect((-bytesPerFrame...4 * bytesPerFrame).contains(surplus), "\(surplus) bytes")
        let common = min(expected.count, actual.count) - 4 * bytesPerFrame
        let start = try #require(
            [0, 1_024, 2_048, 3_072].first { samples in
                actual.dropFirst(samples * 4).prefix(common).elementsEqual(expected.prefix(common))
            }, "the source's samples are not found")
        #expect(start <= 3_072)
    }

    @Test(arguments: withAudio.filter { $0 != .audioOnly })
    func videoAndAudioStayTogether(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        let expected = try await Decoded.startTimes(export.source)
        let video = try #require(export.title.video)
        let audio = try #require(export.title.audio.first)
        let frames = try #require(try await Decoded.startTimes(export.playlistPath(video))["video"])
        let audioTracks = try #require(try await Decoded.startTimes(export.playlistPath(audio))["audio"])
        // ffmpeg takes negative composition offsets for a late start of the video; ISO/IEC 14496-12 does not.
        let wanted = fixture == .cmaf ? 0 : try #require(expected["audio"]) - #require(expected["video"])
        #expect(abs(audioTracks - frames - wanted) < 0.025, "\(audioTracks - frames) instead of \(wanted)")
    }

    @Test(arguments: titles)
    func segmentsAreAsPlanned(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        for rendition in export.title.renditions {
            var nextSample = try #require(rendition.segments.first).firstSample
            var decodeTime = try #require(rendition.segments.first).decodeTime
            for (index, plan) in rendition.segments.enumerated() {
                let segment = try export.segment(index, of: rendition)
                #expect(segment.count == plan.byteCount)
                #expect(plan.firstSample == nextSample)
                #expect(plan.decodeTime == decodeTime)
                nextSample += plan.sampleCount
                decodeTime += plan.duration
                let read = try MovieIndex.read(
                    from: InMemorySegment(initializationSection: rendition.initializationSection(), segment: segment))
                let track = try #require(read.tracks.first)
                #expect(track.samples.count == plan.sampleCount)
                #expect(track.samples.isSync(0), "segment \(index) of \(rendition.name)")
                #expect(track.samples.durations.reduce(0) { $0 + Int64($1) } == plan.duration)
                let decodeTimeRead = track.edit.emptyDuration.converted(to: rendition.track.timescale)
                #expect(decodeTimeRead.value == plan.decodeTime)
                #expect(read.isFragmented && track.configuration == rendition.configuration)
            }
        }
    }

    @Test(arguments: titles)
    func playlistsSayWhatTheSegmentsAre(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        for rendition in export.title.renditions {
            let text = try bytesOfFile(export.playlistPath(rendition))
            let playlist = try MediaPlaylist(parsing: String(decoding: text, as: UTF8.self))
            #expect(playlist.playlistType == .vod && playlist.hasEndList && playlist.hasIndependentSegments)
            #expect(playlist.targetDuration == export.title.targetDuration)
            #expect(playlist.segments.count == rendition.segments.count)
            #expect(Set(playlist.segments.map(\.uri)).count == playlist.segments.count)
            #expect(playlist.segments.allSatisfy { $0.duration <= Double(playlist.targetDuration) + 0.5 })
            let sum = playlist.segments.reduce(0) { $0 + $1.duration }
            let media = MediaTime(value: rendition.totalDuration, timescale: rendition.track.timescale).seconds
            #expect(abs(sum - media) < 0.001)
        }
    }

    @Test(arguments: titles)
    func bandwidthIsWhatTheBytesSay(_ fixture: MovieFixture) async throws {
        let export = try await ExportedTitle(fixture)
        var measured: [String: (peak: Double, average: Double)] = [:]
        for rendition in export.title.renditions {
            let playlist = try #require(export.playlists[rendition.name])
            let bits = try rendition.segments.indices.map { Double(try export.segment($0, of: rendition).count * 8) }
            let durations = playlist.segments.map(\.duration)
            var peak = 0.0
            for first in bits.indices {
                for last in first..<bits.count {
                    let duration = durations[first...last].reduce(0, +)
                    let target = Double(playlist.targetDuration)
                    guard (0.5 * target...1.5 * target).contains(duration) else { continue }
                    peak = max(peak, bits[first...last].reduce(0, +) / duration)
                }
            }
            let average = bits.reduce(0, +) / durations.reduce(0, +)
            measured[rendition.name] = (max(peak, average), average)
        }
        let variant = try #require(export.multivariant.variants.first)
        let leading = try #require(measured[String(variant.uri.dropLast(5))])
        let others = export.multivariant.renditions.compactMap { measured[String($0.uri?.dropLast(5) ?? "")] }
        let peak = leading.peak + (others.map(\.peak).max() ?? 0)
        let average = leading.average + (others.map(\.average).max() ?? 0)
        #expect(abs(Double(variant.bandwidth) - peak) <= 3)
        #expect(abs(Double(variant.averageBandwidth ?? 0) - average) <= 3)
        #expect(variant.bandwidth >= variant.averageBandwidth ?? 0)
    }

    @Test(arguments: [
        MovieFixture.bFrames, .noBFrames, .hevc, .cmaf, .variableFrameRate, .lateAudio, .longAudio, .quickTime,
    ])
    func audioIsCutWhereVideoIs(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        let video = try #require(title.video)
        let audio = try #require(title.audio.first)
        let priming = Double(1_024) / 48_000
        let frame = 1_024 / Double(audio.track.timescale.ticksPerSecond)
        let starts = audio.segments.map {
            MediaTime(value: $0.decodeTime, timescale: audio.track.timescale).seconds
        }
        let end = (starts.last ?? 0) + audio.duration(ofSegment: audio.segments.count - 1)
        for plan in video.segments.dropFirst() {
            let boundary = MediaTime(value: plan.decodeTime, timescale: video.track.timescale).seconds
            guard boundary < end else { continue }
            let nearest = starts.map { abs($0 - boundary) }.min() ?? .infinity
            // Decode times precede presentation times by the priming if there is an edit list for it.
            let nearestPresented = starts.map { abs($0 - priming - boundary) }.min() ?? .infinity
            #expect(min(nearest, nearestPresented) <= frame / 2 + 0.001)
        }
    }

    @Test func segmentsAreAboutSixSecondsAndStartAtKeyFrames() async throws {
        let title = try await ExportedTitle(.bFrames).title
        let video = try #require(title.video)
        // A key frame every 2 s, 14 s in all.
        #expect(
            video.segments.indices.map { video.duration(ofSegment: $0) } == [6, 8]
                || video.segments.indices.map { video.duration(ofSegment: $0) } == [6, 6, 2])
        #expect(video.segments.map(\.sampleCount).reduce(0, +) == 350)
        #expect(title.duration.seconds < 14.1)
    }

    /// Audio may start late and is played to its end; its priming is not played.
    @Test(arguments: [
        (MovieFixture.bFrames, 14.0), (.veryLateAudio, 32), (.lateAudio, 14), (.lateVideo, 14), (.longAudio, 25),
        (.shortAudio, 14), (.audioOnly, 20), (.videoOnly, 9), (.fragmented, 14),
    ])
    func lastsUntilItsLastRenditionEnds(_ fixture: MovieFixture, seconds: Double) async throws {
        let duration = try await ExportedTitle(fixture).title.duration.seconds
        // The last audio frame is complete, and fragments have no edit list to hide what reordering takes.
        #expect(duration >= seconds - 0.001 && duration < seconds + 0.1, "\(duration)")
    }

    @Test func describesTheVariant() async throws {
        let export = try await ExportedTitle(.noBFrames)
        let variant = try #require(export.multivariant.variants.first)
        #expect(variant.codecs.count == 2)
        #expect(variant.codecs.allSatisfy { $0.hasPrefix("avc1.") || $0 == "mp4a.40.2" })
        #expect(variant.resolution == .init(width: 160, height: 90))
        #expect(abs((variant.frameRate ?? 0) - 30_000.0 / 1_001) < 0.01)
        let audio = try #require(export.multivariant.renditions.first)
        #expect(audio.language == "es" && audio.name == "Español" && audio.channels == 2 && audio.isDefault)
        #expect(audio.groupID == variant.audioGroupID)
        let parsed = try MultivariantPlaylist(parsing: export.multivariant.rendered())
        #expect(parsed.variants.first?.codecs == variant.codecs)
        #expect(try await ExportedTitle(.videoOnly).multivariant.renditions.isEmpty)
        let radio = try await ExportedTitle(.audioOnly).multivariant
        #expect(radio.variants.map(\.uri) == ["audio.m3u8"])
        #expect(radio.variants.first?.codecs == ["mp4a.40.2"])
        #expect(radio.renditions.isEmpty && radio.variants.first?.resolution == nil)
    }

    @Test(arguments: [MovieFixture.longAudio, .veryLateAudio])
    func audioThatGoesOnAfterTheVideoIsCutByItself(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        let audio = try #require(title.audio.first)
        #expect(audio.segments.indices.allSatisfy { audio.duration(ofSegment: $0) < 9.1 })
        #expect(audio.segments.count >= 4)
        #expect(title.targetDuration <= 9)
    }

    @Test(arguments: titles)
    func everyTimelineStartsAtZero(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        let starts = title.renditions.compactMap { rendition in
            rendition.segments.first.map { MediaTime(value: $0.decodeTime, timescale: rendition.track.timescale) }
        }
        #expect((starts.min()?.seconds ?? 1) < 0.001)
    }

    /// The fragments' decode times start with a day, as a recording's may.
    @Test func aClockThatHasRunForADayStartsAtZero() async throws {
        let path = try await MovieFixture.briefFragmented.path()
        let file = try MediaFile(path: path)
        let expected = try PackagedTitle(index: try MovieIndex.read(from: file), file: file)
        let bytes = BoxNode.parse(try bytesOfFile(path)).flatMap { node in
            guard node.type == "moof" else { return node.bytes }
            var fragment = node
            fragment.children = node.children.map { child in
                // ffmpeg's timescales are 12,800 for 25 frames per second, and the sample rate for audio.
                let isVideo = child.children.first { $0.type == "tfhd" }?.content[7] == 1
                return child.replacing("tfdt") { box in
                    let time = box.content[8...].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
                    let moved = time + 86_400 * (isVideo ? 12_800 : 48_000)
                    return box.setting(UInt32(moved >> 32), at: 4)
                        .setting(UInt32(truncatingIfNeeded: moved), at: 8)
                }
            }
            return fragment.bytes
        }
        let source = InMemorySegment(initializationSection: ByteBuffer(), segment: bytes)
        let index = try MovieIndex.read(from: source)
        #expect(index.tracks.allSatisfy { $0.edit.emptyDuration.seconds >= 86_400 })
        let title = try PackagedTitle(index: index, file: file)
        #expect(title.renditions.map(\.segments) == expected.renditions.map(\.segments))
    }

    @Test func rotatedVideoKeepsItsMatrix() async throws {
        let export = try await ExportedTitle(.rotated)
        // Playlists say what viewers see.
        let shown = VariantStream.Resolution(width: 90, height: 160)
        #expect(export.multivariant.variants.map(\.resolution) == [shown])
        #expect(export.multivariant.iFrameVariants.map(\.resolution) == [shown])
        let video = try #require(export.title.video)
        let source = try MovieIndex.read(from: export.title.file).tracks[0].displayMatrix
        let section = video.initializationSection()
        let copy = try MovieIndex.read(from: InMemorySegment(initializationSection: section, segment: []))
        #expect(copy.tracks.first?.displayMatrix == source)
        #expect(source != .identity)
    }

    @Test func keyFramesFarApartAreRefused() async throws {
        let file = try MediaFile(path: try await MovieFixture.rareKeyFrames.path())
        let index = try MovieIndex.read(from: file)
        let error = #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
        #expect(error?.code == .keyFramesTooFarApart)
        #expect(error?.description.contains("25 s") == true)
    }

    @Test func asksForNothingThatIsNotThere() async throws {
        let export = try await ExportedTitle(.videoOnly)
        let video = try #require(export.title.video)
        for index in [-1, video.segments.count, .max] {
            let read = try export.title.segment(
                index, of: video, allocator: ByteBufferAllocator(), cachedOnly: false)
            #expect(read == nil)
        }
        #expect(export.title.rendition(named: "audio") == nil)
        #expect(export.title.rendition(named: "video")?.name == "video")
    }

    @Test func noTwoTitlesHaveTheSameInstance() async throws {
        let file = try MediaFile(path: try await MovieFixture.brief.path())
        let index = try MovieIndex.read(from: file)
        let instances = try (0..<3).map { _ in try PackagedTitle(index: index, file: file).instance }
        #expect(Set(instances).count == 3)
    }
}
