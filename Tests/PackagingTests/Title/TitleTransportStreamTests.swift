import Codecs
import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

/// The content of a title's MPEG-TS segments: every sample once, at the same time as in fMP4.
struct TitleTransportStreamTests {
    @Test(arguments: TitlePackagingTests.titles)
    func everySampleIsInOneSegment(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        try #require(title.transportStreamObstacle == nil)
        let playlist = try #require(title.transportStreamPlaylist(pathPrefix: "r1/"))
        var nextTime: [CodecConfiguration: MediaTime] = [:]
        var counts: [CodecConfiguration: Int] = [:]
        var earliest = Int64.max
        for index in playlist.segments.indices {
            let segment = try #require(try title.transportStreamSegment(index))
            #expect(segment.mediaSequence == index)
            #expect(segment.tracks.count == (title.video == nil || title.audio.isEmpty ? 1 : 2))
            for track in segment.tracks {
                guard let part = track.parts.first else { continue }
                if let expected = nextTime[track.configuration] { #expect(part.decodeTime == expected) }
                nextTime[track.configuration] = part.decodeTime + part.duration
                counts[track.configuration, default: 0] += part.sampleCount
                #expect(part.media.readableBytes == part.samples.reduce(0) { $0 + Int($1.byteCount) })
            }
            earliest = min(earliest, segment.samples().map(\.decodeTime).min() ?? .max)
        }
        #expect(earliest >= 0)
        for rendition in title.renditions.prefix(2) {
            #expect(
                counts[rendition.configuration] == rendition.segments.reduce(0) { $0 + $1.sampleCount },
                "\(rendition.name)")
        }
        let sum = playlist.segments.reduce(0) { $0 + $1.duration }
        let ends = title.renditions.prefix(2).compactMap { rendition in
            rendition.segments.last.map {
                MediaTime(value: $0.decodeTime + $0.duration, timescale: rendition.track.timescale).seconds
            }
        }
        // Audio that starts before the video may be in its first segment.
        #expect(abs(sum - (ends.max() ?? 0)) < 1.6, "\(sum) instead of \(ends)")
        #expect(title.transportStreamMediaByteCount(playlist.segments.count) == nil)
    }

    /// The offset between video and audio is the same as in fMP4, in which edit lists hide priming.
    @Test(arguments: [MovieFixture.bFrames, .lateAudio, .lateVideo, .quickTime, .hevc])
    func videoAndAudioStayTogether(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        var starts: [Double] = []
        let playlist = try #require(title.transportStreamPlaylist(pathPrefix: ""))
        for rendition in title.renditions {
            for index in playlist.segments.indices {
                let segment = try #require(try title.transportStreamSegment(index))
                guard let track = segment.tracks.firstIndex(where: { $0.configuration == rendition.configuration }),
                    let first = segment.samples().first(where: { $0.trackIndex == track })
                else { continue }
                starts.append(Double(first.presentationTime) / 90_000)
                break
            }
        }
        let video = try #require(title.video)
        let audio = try #require(title.audio.first)
        func start(_ rendition: PackagedRendition) throws -> Double {
            let sample = try #require(rendition.syncSample(atOrBefore: .min / 4))
            return MediaTime(value: sample.presentationTime, timescale: rendition.track.timescale).seconds
        }
        let expected = try start(audio) - (try start(video))
        #expect(abs(starts[1] - starts[0] - expected) < 0.001)
    }
}
