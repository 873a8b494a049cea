import HLSPlaylist
import ISOBMFF
import MediaCore
import NIOCore
import Packaging
import TestSupport
import Testing

struct IFrameTests {
    private static func frame(_ index: Int, of title: PackagedTitle) throws -> [UInt8] {
        let read = try title.iFrame(index, allocator: ByteBufferAllocator(), cachedOnly: false)
        guard case .complete(let buffer)? = read else { throw ExportedTitle.NotDelivered() }
        return Array(buffer.readableBytesView)
    }

    @Test(arguments: TitlePackagingTests.withVideo)
    func eachIsAKeyFrameOfItsOwn(_ fixture: MovieFixture) async throws {
        let title = try await ExportedTitle(fixture).title
        let video = try #require(title.video)
        let playlist = try #require(title.iFramePlaylist(pathPrefix: "r1/"))
        #expect(playlist.isIFramesOnly && playlist.hasEndList && playlist.targetDuration == title.targetDuration)
        #expect(playlist.segments.count == title.iFrames.count)
        #expect(playlist.segments.allSatisfy { $0.duration <= Double(title.targetDuration) + 0.5 })
        var decodeTime = try #require(video.segments.first).decodeTime
        for (index, plan) in title.iFrames.enumerated() {
            let bytes = try Self.frame(index, of: title)
            #expect(bytes.count == plan.byteCount)
            #expect(playlist.segments[index].byteRange == ByteRange(length: bytes.count, offset: 0))
            #expect(plan.decodeTime == decodeTime, "one lasts until the next")
            decodeTime += plan.duration
            let index = try MovieIndex.read(
                from: InMemorySegment(initializationSection: video.initializationSection(), segment: bytes))
            let samples = try #require(index.tracks.first).samples
            #expect(samples.count == 1 && samples.isSync(0))
            #expect(Int64(samples.durations[0]) == plan.duration)
        }
        let starts = Set(title.iFrames.map(\.decodeTime))
        #expect(video.segments.allSatisfy { starts.contains($0.decodeTime) })
        #expect(try title.iFrame(title.iFrames.count, allocator: ByteBufferAllocator(), cachedOnly: false) == nil)
    }

    @Test func thereIsAboutOneASecond() async throws {
        let title = try await ExportedTitle(.onlyKeyFrames).title
        let seconds = title.duration.seconds
        #expect((0.9 * seconds...1.25 * seconds).contains(Double(title.iFrames.count)), "\(title.iFrames.count)")
    }

    @Test func theVariantSaysWhatTheyWeigh() async throws {
        let title = try await ExportedTitle(.bFrames).title
        let variant = try #require(title.multivariantPlaylist().iFrameVariants.first)
        let byteCount = try title.iFrames.indices.reduce(0) { $0 + (try Self.frame($1, of: title).count) }
        let average =
            Double(byteCount * 8)
            / title.iFrames.reduce(0) {
                $0 + MediaTime(value: $1.duration, timescale: title.renditions[0].track.timescale).seconds
            }
        #expect(abs(Double(variant.averageBandwidth ?? 0) - average) <= 2)
        #expect(variant.bandwidth >= variant.averageBandwidth ?? .max)
        #expect(variant.codecs.count == 1 && variant.resolution != nil && variant.uri == "iframes.m3u8")
        #expect(try await ExportedTitle(.audioOnly).multivariant.iFrameVariants.isEmpty)
    }
}
