import Codecs
import ISOBMFF
import MediaCore
import TestSupport
import Testing

@testable import Packaging

/// The selection of a movie's tracks for a title, and the messages about the others.
struct TrackSelectionTests {
    private func changed(_ change: (inout MovieIndex) -> Void) async throws -> (MovieIndex, MediaFile) {
        let file = try MediaFile(path: try await MovieFixture.brief.path())
        var index = try MovieIndex.read(from: file)
        change(&index)
        return (index, file)
    }

    private func video(of index: MovieIndex, id: UInt32) -> MovieTrack {
        var track = index.tracks[0]
        track.track.id = id
        return track
    }

    @Test func theEnabledVideoIsTheTitles() async throws {
        let (index, file) = try await changed { index in
            var proxy = video(of: index, id: 7)
            proxy.isEnabled = false
            index.tracks.insert(proxy, at: 0)
        }
        let title = try PackagedTitle(index: index, file: file)
        #expect(title.video?.track.id == 1)
        #expect(title.leftOut.isEmpty)
    }

    /// Neither the clear track alone nor a conversion is what the owner of the file expects.
    @Test(arguments: [0, 1]) func anEncryptedTrackIsNotLeftOut(_ position: Int) async throws {
        let (index, file) = try await changed { $0.tracks[position].codec = .encrypted(scheme: "cbcs") }
        for leavesOutUnsupported in [false, true] {
            let error = #expect(throws: TitlePackagingError.self) {
                try PackagedTitle(index: index, file: file, leavesOutUnsupported: leavesOutUnsupported)
            }
            #expect(error?.code == .encrypted)
            #expect(error?.reason.hasPrefix("the \(position == 0 ? "video" : "audio") is encrypted (cbcs)") == true)
        }
    }

    @Test func auxiliaryVideoIsNoTitles() async throws {
        let (index, file) = try await changed { index in
            var alpha = video(of: index, id: 7)
            alpha.isAuxiliary = true
            index.tracks.insert(alpha, at: 0)
        }
        #expect(try PackagedTitle(index: index, file: file).video?.track.id == 1)
    }

    /// Some writers enable no track at all.
    @Test func whereNoVideoIsEnabledTheFirstIsTaken() async throws {
        let (index, file) = try await changed { $0.tracks[0].isEnabled = false }
        #expect(try PackagedTitle(index: index, file: file).video?.track.id == 1)
    }

    /// The main video is converted; the proxy beside it is not the track that its author enabled.
    @Test func aDisabledProxyDoesNotReplaceTheVideo() async throws {
        let (index, file) = try await changed { index in
            var proxy = video(of: index, id: 7)
            proxy.isEnabled = false
            index.tracks.append(proxy)
            index.tracks[0].codec = .unsupported("apcn", reason: "'apcn' is not packaged in place")
        }
        let error = #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
        #expect(error?.code == .unsupportedCodec)
        #expect(try PackagedTitle(index: index, file: file, leavesOutUnsupported: true).video?.track.id == 7)
    }

    @Test func audioThatNothingReadsCostsOnlyTheAudio() async throws {
        let (index, file) = try await changed { index in
            index.tracks[1].codec = .unsupported("fpcm", reason: "'fpcm' is not packaged in place")
            index.tracks[1].samples = SampleTable()
        }
        #expect(throws: TitlePackagingError.self) { try PackagedTitle(index: index, file: file) }
        let title = try PackagedTitle(index: index, file: file, leavesOutUnsupported: true)
        #expect(title.renditions.map(\.name) == ["video"])
        #expect(title.leftOut == ["audio track 2: 'fpcm' is not packaged in place"])
    }

    /// The title is packaged in place although only one of two audio tracks is playable.
    @Test func aSecondAudioTrackIsNamed() async throws {
        let (index, file) = try await changed { index in
            var other = index.tracks[1]
            other.track.id = 3
            other.language = LanguageTag("es")
            other.codec = .unsupported("dtsc", reason: "'dtsc' is not packaged in place")
            index.tracks.append(other)
        }
        let title = try PackagedTitle(index: index, file: file)
        #expect(title.renditions.map(\.name) == ["video", "audio"])
        #expect(title.leftOut == ["audio track 3, es: 'dtsc' is not packaged in place"])
    }

    @Test func nothingThatPlaysIsStillRefused() async throws {
        let (index, file) = try await changed { index in
            for position in index.tracks.indices {
                index.tracks[position].codec = .unsupported("xvid", reason: "'xvid' is not packaged in place")
            }
        }
        let error = #expect(throws: TitlePackagingError.self) {
            try PackagedTitle(index: index, file: file, leavesOutUnsupported: true)
        }
        #expect(error?.code == .unsupportedCodec)
    }

    // MARK: Frame rates

    @Test(arguments: [
        (24.999999999999996, 25.0), (23.979, 23.976), (23.976023976, 23.976), (24.0, 24.0), (29.97003, 29.97),
        (59.94006, 59.94), (12.5, 12.5), (14.2857142, 14.286), (24.98, 24.98),
    ])
    func ratesAreWrittenAsPeopleWriteThem(_ measured: Double, _ expected: Double) {
        #expect(NominalFrameRate(rounding: measured)?.value == expected)
    }

    @Test(
        arguments: [
            // 24 frames per second in milliseconds; the last frame stretched; a rate of 30000/1001.
            ([42, 42, 41, 42, 42, 41, 42, 42, 41, 42, 42, 41], 1_000, 24.0),
            ([3_750, 3_750, 3_750, 3_750, 3_750, 3_750, 3_750, 3_750, 3_750, 9_000], 90_000, 24.0),
            ([1_001, 1_001, 1_001], 30_000, 29.97), ([1, 1, 1], 1, 1.0),
        ] as [([UInt32], UInt32, Double)])
    func oneStretchedFrameDoesNotChangeTheRate(_ durations: [UInt32], _ timescale: UInt32, _ expected: Double) throws {
        var table = RunLengthArray()
        for duration in durations { table.append(duration, count: 1) }
        let rate = NominalFrameRate(
            durations: table, in: 0..<durations.count, timescale: try #require(Timescale(checking: timescale)))
        #expect(rate?.value == expected)
    }

    @Test func framesThatTakeNoTimeHaveNoRate() throws {
        var table = RunLengthArray()
        #expect(NominalFrameRate(durations: table, in: 0..<0, timescale: .video90kHz) == nil)
        table.append(0, count: 5)
        #expect(NominalFrameRate(durations: table, in: 0..<5, timescale: .video90kHz) == nil)
    }
}
