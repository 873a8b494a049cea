import Codecs
@testable import ISOBMFF
import MediaCore
import TestSupport
import Testing

struct MovieIndexTests {
    /// Offsets, sizes, times and key frames of every sample match the output of ffprobe without edit lists.
    @Test(arguments: MovieFixture.allCases)
    func sampleTablesAreWhatFFprobeReads(_ fixture: MovieFixture) async throws {
        let path = try await fixture.path()
        let index = try MovieIndex.read(from: InMemoryMovie(try bytesOfFile(path)))
        let packets = try await ProbedPacket.all(of: path)
        let streams = Set(packets.map(\.stream)).sorted()
        #expect(index.tracks.count == streams.count)
        for (track, stream) in zip(index.tracks, streams) {
            let expected = packets.filter { $0.stream == stream }
            let samples = track.samples
            #expect(samples.count == expected.count)
            #expect(Array(samples.offsets) == expected.map(\.offset))
            #expect(samples.byteCounts == expected.map(\.byteCount))
            var decodeTime: Int64 = 0
            var decodeTimes: [Int64] = []
            for duration in samples.durations {
                decodeTimes.append(decodeTime)
                decodeTime += Int64(duration)
            }
            // ffprobe shifts decode times so that none is after its presentation time.
            let firstDecodeTime = try #require(expected.first?.decodeTime)
            #expect(decodeTimes == expected.map { $0.decodeTime - firstDecodeTime })
            let compositionTimes = decodeTimes.indices.map {
                decodeTimes[$0] + Int64(samples.compositionOffset(of: $0))
            }
            // If composition offsets are negative, ffprobe shifts presentation times instead.
            let isShifted = samples.compositionOffsets.contains { $0 < 0 }
            let shift = isShifted ? (expected.first?.presentationTime ?? 0) - (compositionTimes.first ?? 0) : 0
            #expect(compositionTimes.map { $0 + shift } == expected.map(\.presentationTime))
            #expect(samples.syncFlags.isEmpty == expected.allSatisfy(\.isKey))
            #expect(samples.offsets.indices.map { samples.isSync($0) } == expected.map(\.isKey))
        }
    }

    @Test func describesTracksAndCodecs() async throws {
        let index = try await read(.noBFrames)
        #expect(index.tracks.map(\.track.mediaType) == [.video, .audio])
        #expect(index.tracks.map { $0.configuration?.name } == ["H.264", "AAC"])
        #expect(index.tracks[0].configuration?.videoSize?.width == 160)
        #expect(index.tracks[1].configuration?.audioSampleRate == 44_100)
        #expect(index.tracks.map(\.track.language) == [nil, "spa"])
        #expect(index.tracks[0].displayMatrix == .identity)
        #expect(!index.isFragmented)
        #expect(abs(index.duration.seconds - 13) < 0.1)
        #expect(index.memoryByteCount > 0)
        #expect(try await read(.hevc).tracks[0].configuration?.name == "HEVC")
        #expect(try await read(.bFrames).title == "Prueba ñ")
        #expect(try await read(.quickTime).tracks.map { $0.configuration?.name } == ["H.264", "AAC"])
        #expect(try await read(.fragmented).isFragmented)
        #expect(try await read(.anamorphic).tracks[0].configuration?.sampleAspectRatio == .init(width: 16, height: 11))
        #expect(try await read(.rotated).tracks[0].displayMatrix != .identity)
    }

    @Test func readsEditLists() async throws {
        // Three consecutive B-frames need a delay of two frames; AAC has one frame of priming.
        let edits = try await read(.bFrames).tracks.map(\.edit)
        #expect(edits.map(\.mediaTime) == [1_024, 1_024])
        #expect(edits.map(\.emptyDuration.value) == [0, 0])
        let late = try await read(.lateAudio).tracks[1].edit
        #expect(abs(late.emptyDuration.seconds - 0.7) < 0.03)
        #expect(abs(try await read(.lateVideo).tracks[0].edit.emptyDuration.seconds - 1.5) < 0.05)
    }

    @Test func readsOffsetsOf64Bits() async throws {
        let bytes = try bytesOfFile(try await MovieFixture.noBFrames.path())
        var nodes = BoxNode.parse(bytes)
        // The moov is the last box, so nothing moves if it grows.
        let movie = nodes.removeLast()
        #expect(movie.type == "moov")
        nodes.append(
            movie.replacing("stco") { box in
                let offsets = stride(from: 8, to: box.content.count, by: 4).map { Array(box.content[$0..<($0 + 4)]) }
                return BoxNode("co64", Array(box.content.prefix(8)) + offsets.flatMap { [0, 0, 0, 0] + $0 })
            })
        let original = try MovieIndex.read(from: InMemoryMovie(bytes))
        let wide = try MovieIndex.read(from: InMemoryMovie(nodes.flatMap(\.bytes)))
        #expect(wide.tracks.map(\.samples.offsets) == original.tracks.map(\.samples.offsets))
        #expect(wide.tracks.map(\.samples.byteCounts) == original.tracks.map(\.samples.byteCounts))
    }

    @Test func readsABoxWithA64BitSize() async throws {
        let bytes = try bytesOfFile(try await MovieFixture.noBFrames.path())
        let nodes = BoxNode.parse(bytes)
        let expected = try MovieIndex.read(from: InMemoryMovie(bytes))
        let movie = nodes[nodes.count - 1].bytes
        let wide = bigEndian([1]) + Array("moov".utf8) + bigEndian([0, UInt32(movie.count + 8)]) + movie.dropFirst(8)
        let rebuilt = nodes.dropLast().flatMap(\.bytes) + wide
        let index = try MovieIndex.read(from: InMemoryMovie(rebuilt))
        #expect(index.tracks.map(\.samples.offsets) == expected.tracks.map(\.samples.offsets))
    }

    /// Tables that are longer than a read, and that are cut at the end of a window.
    @Test func readsTablesOfManyWindows() async throws {
        let bytes = try bytesOfFile(try await MovieFixture.noBFrames.path())
        let count = FieldReader.windowFieldCount * 2 + 3
        var sizes: [UInt32] = []
        for sample in 0..<count { sizes.append(UInt32(sample % 7 + 1)) }
        let chunkCount = (count + 1) / 2
        // The chunks are after all other data of the file; each holds two samples in sixteen bytes.
        let start = UInt32(bytes.count)
        let chunks = (0..<UInt32(chunkCount)).map { start + $0 * 16 }
        let tables: [String: [UInt32]] = [
            "stsz": [0, 0, UInt32(count)] + sizes, "stts": [0, 2, UInt32(count - 1), 512, 1, 256],
            "stsc": [0, 1, 1, 2, 1], "stco": [0, UInt32(chunkCount)] + chunks, "stss": [0, 2, 1, UInt32(count)],
        ]
        let rebuilt = BoxNode.parse(bytes).flatMap { node in
            tables.reduce(node) { node, table in
                node.replacing(table.key) { _ in BoxNode(table.key, bigEndian(table.value)) }
            }.bytes
        }
        let file = InMemoryMovie(rebuilt, claimedByteCount: Int64(start) + Int64(chunkCount) * 16)
        let samples = try #require(try MovieIndex.read(from: file).tracks.first?.samples)
        #expect(samples.byteCounts == sizes)
        #expect(samples.durations.count == count && samples.durations.dropLast().allSatisfy { $0 == 512 })
        #expect(samples.durations.last == 256)
        for sample in [0, 1, 2, FieldReader.windowFieldCount, count - 1] {
            let chunk = Int64(start) + Int64(sample / 2) * 16
            #expect(samples.offsets[sample] == chunk + (sample % 2 == 0 ? 0 : Int64(sizes[sample - 1])))
        }
        #expect((0..<count).filter(samples.isSync) == [0, count - 1])
    }

    @Test func tellsWhatIsReadAtOnce() async throws {
        func isReadAtOnce(_ bytes: [UInt8], limit: Int64 = 1 << 20) throws -> Bool {
            try MovieIndex.isReadAtOnce(InMemoryMovie(bytes), maximumByteCount: limit)
        }
        let progressive = try bytesOfFile(try await MovieFixture.noBFrames.path())
        #expect(try isReadAtOnce(progressive))
        #expect(try !isReadAtOnce(progressive, limit: 100))
        let nodes = BoxNode.parse(progressive)
        let movieFirst = nodes.filter { $0.type != "mdat" } + nodes.filter { $0.type == "mdat" }
        let movieLast = nodes.filter { $0.type != "moov" } + nodes.filter { $0.type == "moov" }
        #expect(try isReadAtOnce(movieFirst.flatMap(\.bytes)) && isReadAtOnce(movieLast.flatMap(\.bytes)))
        #expect(try !isReadAtOnce(try bytesOfFile(try await MovieFixture.fragmented.path())))
        #expect(try !isReadAtOnce(nodes.filter { $0.type != "moov" }.flatMap(\.bytes)))
        let padding = Array(repeating: BoxNode("free", []).bytes, count: 20).flatMap(\.self)
        #expect(try !isReadAtOnce(nodes[0].bytes + padding + nodes.dropFirst().flatMap(\.bytes)))
    }

    /// A recording whose writer was killed is readable up to its last complete fragment.
    @Test func aFragmentedFileCutOffKeepsItsWholeFragments() async throws {
        let bytes = try bytesOfFile(try await MovieFixture.fragmented.path())
        let whole = try MovieIndex.read(from: InMemoryMovie(bytes))
        let cut = try MovieIndex.read(from: InMemoryMovie(Array(bytes.prefix(bytes.count / 2))))
        for (track, wholeTrack) in zip(cut.tracks, whole.tracks) {
            #expect((1..<wholeTrack.samples.count).contains(track.samples.count))
            #expect(Array(track.samples.offsets) == Array(wholeTrack.samples.offsets.prefix(track.samples.count)))
            let end = zip(track.samples.offsets, track.samples.byteCounts).map { $0 + Int64($1) }.max() ?? 0
            #expect(end <= Int64(bytes.count / 2))
        }
    }

    private func read(_ fixture: MovieFixture) async throws -> MovieIndex {
        try MovieIndex.read(from: InMemoryMovie(try bytesOfFile(try await fixture.path())))
    }
}
