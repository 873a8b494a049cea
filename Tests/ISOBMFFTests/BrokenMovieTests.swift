import ISOBMFF
import MediaCore
import TestSupport
import Testing

/// Hostile and damaged movies. Nothing here may trap, and every error states what is wrong and where.
struct BrokenMovieTests {
    struct Damage: Sendable, CustomTestStringConvertible {
        var name: String
        var box: String
        var code: ISOBMFFError.Code
        var change: @Sendable (BoxNode) -> BoxNode?
        /// The box that the error names, if it is not the changed one.
        var culprit: FourCC?

        var testDescription: String { name }

        init(
            _ name: String, _ box: String, _ code: ISOBMFFError.Code, culprit: FourCC? = nil,
            change: @escaping @Sendable (BoxNode) -> BoxNode?
        ) {
            self.name = name
            self.box = box
            self.code = code
            self.change = change
            self.culprit = culprit
        }
    }

    static let damages = [
        Damage("stsz claims more samples than it lists", "stsz", .invalid) { $0.setting(1_000_000, at: 8) },
        Damage("stsz claims 4 thousand million samples", "stsz", .limitExceeded) { $0.setting(.max, at: 8) },
        Damage("stsz claims 7 million of one size", "stsz", .truncated) {
            $0.setting(4_096, at: 4).setting(7_000_000, at: 8)
        },
        Damage("stsz is missing", "stsz", .invalid, culprit: "stbl") { _ in nil },
        Damage("stsz is compact", "stsz", .unsupported, culprit: "stz2") { BoxNode("stz2", $0.content) },
        Damage("stsz ends in its header", "stsz", .invalid) { BoxNode("stsz", Array($0.content.prefix(6))) },
        Damage("stco points beyond the end", "stco", .truncated, culprit: "stsc") { $0.setting(.max - 5, at: 8) },
        Damage("stco claims entries it has not", "stco", .invalid) { $0.setting(.max, at: 4) },
        Damage("stco is missing", "stco", .invalid, culprit: "stbl") { _ in nil },
        Damage("stco lists no chunk", "stco", .invalid, culprit: "stsc") { BoxNode(full: $0.type, [0]) },
        Damage("co64 points where no file reaches", "stco", .truncated, culprit: "stsc") { _ in
            BoxNode(full: "co64", [1, .max, .max])
        },
        Damage("stsc is out of order", "stsc", .invalid) { _ in
            BoxNode(full: "stsc", [3, 1, 1, 1, 3, 2, 1, 2, 1, 1])
        },
        Damage("stsc repeats a chunk", "stsc", .invalid) { _ in BoxNode(full: "stsc", [2, 1, 1, 1, 1, 2, 1]) },
        Damage("stsc starts with chunk 0", "stsc", .invalid) { _ in BoxNode(full: "stsc", [1, 0, 1, 1]) },
        Damage("stsc has chunks without samples", "stsc", .invalid) { _ in BoxNode(full: "stsc", [1, 1, 0, 1]) },
        Damage("stsc has no entry", "stsc", .invalid) { _ in BoxNode(full: "stsc", [0]) },
        Damage("stsc changes the codec in mid-file", "stsc", .unsupported) { _ in
            BoxNode(full: "stsc", [2, 1, 1, 1, 2, 1, 2])
        },
        Damage("stts describes too few samples", "stts", .invalid) { _ in BoxNode(full: "stts", [1, 3, 512]) },
        Damage("stts claims runs it has not", "stts", .invalid) { $0.setting(.max, at: 4) },
        Damage("stts is missing", "stts", .invalid, culprit: "stbl") { _ in nil },
        Damage("ctts describes too few samples", "ctts", .invalid) { _ in BoxNode(full: "ctts", [1, 3, 512]) },
        Damage("stss names sample 0", "stss", .invalid) { _ in BoxNode(full: "stss", [1, 0]) },
        Damage("stss names a sample beyond the last", "stss", .invalid) { _ in BoxNode(full: "stss", [1, 51]) },
        Damage("mdhd has a timescale of zero", "mdhd", .invalid) { $0.setting(0, at: 12) },
        Damage("mvhd has a timescale of zero", "mvhd", .invalid) { $0.setting(0, at: 12) },
        Damage("mvhd is missing", "mvhd", .invalid, culprit: "moov") { _ in nil },
        Damage("tkhd is missing", "tkhd", .invalid, culprit: "trak") { _ in nil },
        Damage("tkhd ends too early", "tkhd", .invalid) { BoxNode("tkhd", Array($0.content.prefix(40))) },
        Damage("mdia is missing", "mdia", .invalid, culprit: "trak") { _ in nil },
        Damage("stbl is missing", "stbl", .invalid, culprit: "minf") { _ in nil },
        Damage("stsd has no entry", "stsd", .invalid) { _ in BoxNode(full: "stsd", [0]) },
        Damage("stsd is empty", "stsd", .invalid) { _ in BoxNode("stsd", []) },
        Damage("elst cuts and repeats", "elst", .unsupported) { _ in
            BoxNode(full: "elst", [2, 500, 0, 0x10000, 500, 0, 0x10000])
        },
        Damage("elst plays at double speed", "elst", .unsupported) { _ in
            BoxNode(full: "elst", [1, 500, 0, 0x20000])
        },
        Damage("elst claims edits it has not", "elst", .invalid) { $0.setting(.max, at: 4) },
        Damage("more boxes than any file has", "stbl", .limitExceeded) { _ in
            BoxNode("stbl", children: Array(repeating: BoxNode("free", []), count: 5_000))
        },
    ]

    @Test(arguments: damages)
    func saysWhatIsWrongAndWhere(_ damage: Damage) async throws {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path()))
        var hasChanged = false
        let damaged = nodes.map { node in
            guard node.type == "moov" else { return node }
            return node.replacing(damage.box) { box in
                hasChanged = true
                return damage.change(box)
            }
        }
        #expect(hasChanged)
        let error = #expect(throws: ISOBMFFError.self) {
            try MovieIndex.read(from: InMemoryMovie(damaged.flatMap(\.bytes)))
        }
        #expect(error?.code == damage.code)
        let culprit = damage.culprit ?? FourCC(damage.box)
        #expect(error?.box == culprit)
        #expect((error?.byteOffset ?? 0) > 0)
        #expect(error?.description.contains("box '\(culprit)' at byte \(error?.byteOffset ?? -1): ") == true)
    }

    struct Pretender: Sendable, CustomTestStringConvertible {
        var name: String
        var bytes: [UInt8]
        var claimedByteCount: Int64?
        var code: ISOBMFFError.Code
        var text: String
        var testDescription: String { name }
    }

    static let pretenders = [
        Pretender(name: "empty", bytes: [], code: .notISOBaseMedia, text: "empty"),
        Pretender(
            name: "text", bytes: Array("Dear viewers, ...".utf8), code: .notISOBaseMedia,
            text: "its first box is ' vie'"),
        Pretender(
            name: "playlist", bytes: Array("#EXTM3U\n#EXT-X-VERSION:3".utf8), code: .notISOBaseMedia, text: "not an MP4"
        ),
        Pretender(name: "three bytes", bytes: [0, 0, 0], code: .truncated, text: "in the middle of a box header"),
        Pretender(name: "zeros", bytes: Array(repeating: 0, count: 4_096), code: .notISOBaseMedia, text: "\\x00"),
        Pretender(
            name: "sparse, 4 GB of zeros behind an audio start", bytes: BoxNode("ftyp", Array("isom".utf8)).bytes,
            claimedByteCount: 4 << 30, code: .truncated, text: "no movie box"),
        Pretender(
            name: "sparse, a moov of 4 GB",
            bytes: BoxNode("ftyp", Array("isom".utf8)).bytes + bigEndian([0]) + Array("moov".utf8),
            claimedByteCount: 4 << 30, code: .invalid, text: "has no 'mvhd' inside"),
        Pretender(
            name: "a box smaller than its header", bytes: bigEndian([7]) + Array("ftyp".utf8), code: .invalid,
            text: "box 'ftyp' at byte 0"),
        Pretender(
            name: "a 64-bit size without its bytes", bytes: bigEndian([1]) + Array("ftyp".utf8), code: .truncated,
            text: "64-bit"),
        Pretender(
            name: "a 64-bit size beyond all files",
            bytes: bigEndian([1]) + Array("ftyp".utf8) + bigEndian([.max, .max]), code: .truncated, text: "ends early"),
        Pretender(
            name: "only media", bytes: BoxNode("ftyp", []).bytes + BoxNode("mdat", [1, 2, 3]).bytes, code: .truncated,
            text: "no movie box"),
        Pretender(
            name: "65 tracks",
            bytes: BoxNode(
                "moov",
                children: [BoxNode(full: "mvhd", [0, 0, 1_000, 0])]
                    + Array(repeating: BoxNode("trak", children: []), count: 65)
            ).bytes, code: .limitExceeded, text: "65 tracks"),
    ]

    @Test(arguments: pretenders)
    func tellsWhatIsNoMovie(_ pretender: Pretender) {
        let error = #expect(throws: ISOBMFFError.self) {
            try MovieIndex.read(
                from: InMemoryMovie(pretender.bytes, claimedByteCount: pretender.claimedByteCount))
        }
        #expect(error?.code == pretender.code)
        #expect(error?.description.contains(pretender.text) == true, "\(error?.description ?? "")")
    }

    /// Deeply nested boxes cost neither stack nor time.
    @Test func aThousandBoxesInEachOtherAreHarmless() throws {
        var nested = BoxNode("trak", children: [])
        for _ in 0..<1_000 { nested = BoxNode("trak", children: [nested]) }
        let movie = BoxNode("moov", children: [BoxNode(full: "mvhd", [0, 0, 1_000, 0]), nested])
        #expect(throws: ISOBMFFError.self) { try MovieIndex.read(from: InMemoryMovie(movie.bytes)) }
    }

    @Test func sixtyFourTracksCannotClaimSixteenMillionSamplesEach() async throws {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.brief.path()))
        let movie = try #require(nodes.first { $0.type == "moov" })
        let track = try #require(movie.children.first { $0.type == "trak" })
            .replacing("stsz") { _ in BoxNode(full: "stsz", [1, 3_000_000]) }
            .replacing("stts") { _ in BoxNode(full: "stts", [1, 3_000_000, 512]) }
            .replacing("stsc") { _ in BoxNode(full: "stsc", [1, 1, 3_000_000, 1]) }
            .replacing("stss") { _ in nil }
            .replacing("ctts") { _ in nil }
        var greedy = movie
        greedy.children = movie.children.filter { $0.type == "mvhd" } + Array(repeating: track, count: 64)
        let error = #expect(throws: ISOBMFFError.self) {
            try MovieIndex.read(from: InMemoryMovie(greedy.bytes, claimedByteCount: 4 << 30))
        }
        #expect(error?.code == .limitExceeded)
        #expect(error?.box == "stsz")
    }

    @Test(
        arguments: [
            // default-base-is-moof; no size anywhere
            ([0x1, 0], [0x0, 16_000_000], ISOBMFFError.Code.invalid),
            // a run of more than the limit, at one byte each
            ([0x10, 1], [0x0, 20_000_000], .limitExceeded),
            // a run that claims sizes it does not list
            ([0x10, 1], [0x200, 1_000], .invalid),
        ] as [([UInt32], [UInt32], ISOBMFFError.Code)])
    func aSmallFragmentCannotClaimMillionsOfSamples(
        _ header: [UInt32], _ run: [UInt32], _ code: ISOBMFFError.Code
    ) async throws {
        let nodes = BoxNode.parse(try bytesOfFile(try await MovieFixture.briefFragmented.path()))
        let movie = try #require(nodes.first { $0.type == "moov" })
        let headerFields: [UInt32] = header[0] == 0x10 ? [1, header[1]] : [1, 0, 0]
        let fragment = BoxNode(
            "moof",
            children: [
                BoxNode(
                    "traf",
                    children: [
                        BoxNode(full: "tfhd", flags: header[0], headerFields),
                        BoxNode(full: "trun", flags: run[0], [run[1]]),
                    ])
            ])
        let error = #expect(throws: ISOBMFFError.self) {
            try MovieIndex.read(
                from: InMemoryMovie(movie.bytes + fragment.bytes, claimedByteCount: 4 << 30))
        }
        #expect(error?.code == code)
        #expect(error?.box == "trun")
    }

    @Test(arguments: [MovieFixture.brief, .briefFragmented, .noBFrames, .quickTime])
    func aFileCutAnywhereThrowsOrPlaysWhatIsWhole(_ fixture: MovieFixture) async throws {
        let bytes = try bytesOfFile(try await fixture.path())
        let step = max(1, bytes.count / 250)
        for length in Array(0..<min(64, bytes.count)) + Array(stride(from: 64, to: bytes.count, by: step)) {
            let cut = Array(bytes.prefix(length))
            do {
                let index = try MovieIndex.read(from: InMemoryMovie(cut))
                #expect(index.isFragmented, "\(length) bytes of a progressive file")
                for track in index.tracks {
                    let ends = zip(track.samples.offsets, track.samples.byteCounts).map { $0 + Int64($1) }
                    #expect((ends.max() ?? 0) <= Int64(length))
                }
            } catch let error as ISOBMFFError {
                #expect(!error.description.isEmpty)
            }
        }
    }

    /// All errors but those of the file itself are of type ISOBMFFError, and reads stay within the file and below the
    /// limits.
    @Test(arguments: [MovieFixture.brief, .briefFragmented])
    func flippedBitsThrowOrGiveAUsableTable(_ fixture: MovieFixture) async throws {
        let bytes = try bytesOfFile(try await fixture.path())
        let headers = headerRanges(of: bytes)
        for range in headers {
            for bit in stride(from: range.lowerBound * 8, to: range.upperBound * 8, by: 13) {
                var damaged = bytes
                damaged[bit / 8] ^= 1 << UInt8(bit % 8)
                try check(damaged)
            }
        }
        var generator = SeededGenerator(seed: 14_496)
        for _ in 0..<500 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...20, using: &generator) {
                let range = headers.randomElement(using: &generator) ?? 0..<1
                damaged[Int.random(in: range, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            try check(damaged)
        }
    }

    private func check(_ bytes: [UInt8]) throws {
        do {
            let index = try MovieIndex.read(from: InMemoryMovie(bytes))
            #expect(index.tracks.count <= MovieIndex.maximumTrackCount)
            #expect(index.memoryByteCount < 1 << 20)
            for samples in index.tracks.map(\.samples) {
                #expect(samples.durations.count == samples.count)
                #expect(samples.compositionOffsets.isEmpty || samples.compositionOffsets.count == samples.count)
                #expect(samples.syncFlags.isEmpty || samples.syncFlags.count == samples.count)
                let isInside = zip(samples.offsets, samples.byteCounts).allSatisfy {
                    $0 >= 0 && $0 + Int64($1) <= Int64(bytes.count)
                }
                #expect(isInside)
            }
        } catch is ISOBMFFError {
        }
    }

    /// The ranges of all boxes but the media.
    private func headerRanges(of bytes: [UInt8]) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var offset = 0
        for node in BoxNode.parse(bytes) {
            let count = node.bytes.count
            if node.type == "moov" || node.type == "moof" { ranges.append(offset..<(offset + count)) }
            offset += count
        }
        return ranges
    }
}

extension FourCC {
    /// Creates a code from a name in a table of test cases.
    fileprivate init(_ name: String) { self.init(rawValue: name.utf8.reduce(0) { $0 << 8 | UInt32($1) }) }
}
