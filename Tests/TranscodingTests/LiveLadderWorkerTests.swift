import BoardDrawing
import Codecs
import Foundation
import Glibc
import LibAV
import MediaCore
import NIOCore
import Synchronization
import TestSupport
import Testing

@testable import Transcoding

/// The lower qualities that a worker makes of a video, read back by ffprobe and ffmpeg.
@Suite(.serialized, .timeLimit(.minutes(2))) struct LiveLadderWorkerTests {
    /// A video of small pictures, as a publisher's units.
    private struct Source {
        var codec: KeyFrame.Codec
        var units: [AccessUnit]

        /// - Parameters:
        ///   - encoding: the encoder and its options.
        ///   - input: filters that make the pictures.
        ///   - format: the raw format of the codec.
        init(
            _ codec: KeyFrame.Codec = .h264, _ encoding: String = "-c:v libx264 -preset ultrafast -bf 0 -g 25",
            input: String = "testsrc2=size=320x180:rate=25:duration=4", filter: String = "format=yuv420p",
            format: String = "h264"
        ) async throws {
            self.codec = codec
            let directory = try TemporaryDirectory(label: "ladder")
            let (movie, raw) = (try directory.file("source.mp4"), try directory.file("source.raw"))
            let quiet = ["-nostdin", "-v", "error"]
            _ = try await ExternalTool.ffmpeg().run(
                quiet + ["-f", "lavfi", "-i", input, "-vf", filter]
                    + encoding.split(separator: " ").map(String.init) + ["-video_track_timescale", "90000", movie])
            _ = try await ExternalTool.ffmpeg().run(quiet + ["-i", movie, "-c", "copy", "-f", format, raw])
            func packets(_ file: String, _ entries: String) async throws -> [[Substring]] {
                let text = try await ExternalTool.ffprobe().run(
                    ["-v", "error", "-show_entries", "packet=\(entries)", "-of", "csv=p=0", file])
                return String(decoding: text.output, as: UTF8.self).split(separator: "\n").map {
                    $0.split(separator: ",")
                }
            }
            let times = try await packets(movie, "pts,dts,flags")
            let places = try await packets(raw, "size,pos")
            let bytes = try bytesOfFile(raw)
            units = try zip(times, places).map { time, place in
                let (position, count) = (try #require(Int(place[1])), try #require(Int(place[0])))
                return AccessUnit(
                    decodeTime: try #require(Int64(time[1])), presentationTime: try #require(Int64(time[0])),
                    isRandomAccessPoint: time[2].contains("K"),
                    payload: .frame(ByteBuffer(bytes: bytes[position..<min(bytes.count, position + count)])))
            }
            try #require(units.count == times.count && units.count > 10)
        }

        var keyFrameTimes: [Int64] { units.filter(\.isRandomAccessPoint).map(\.presentationTime) }
    }

    /// All that came of one quality.
    private struct Made {
        var configurations: [CodecConfiguration] = []
        var units: [AccessUnit] = []

        var times: [Int64] { units.map(\.presentationTime) }
        var keyFrameTimes: [Int64] { units.filter(\.isRandomAccessPoint).map(\.presentationTime) }
        var size: [Int] { configurations.last?.videoSize.map { [$0.width, $0.height] } ?? [] }

        /// Bytes that ffmpeg decodes.
        var stream: [UInt8] {
            var buffer = ByteBuffer()
            for set in configurations.first?.parameterSets ?? [] { buffer.writeBytes([0, 0, 0, 1] + set) }
            for unit in units {
                guard case .nalUnits(let units) = unit.payload else { continue }
                for unit in units {
                    buffer.writeBytes([0, 0, 0, 1])
                    unit.write(into: &buffer)
                }
            }
            return Array(buffer.readableBytesView)
        }
    }

    private static let rungs: [LiveLadderRequest.Rung] = [
        .init(width: 160, height: 90, frameRate: 30, bitRate: 120_000),
        .init(width: 96, height: 54, frameRate: 24, bitRate: 50_000),
    ]

    /// Runs a worker over messages.
    ///
    /// - Returns: the answers, in order.
    private static func answers(
        _ source: Source, _ rungs: [LiveLadderRequest.Rung] = rungs, adjusting: [Int: [Int]] = [:],
        resumingAt resumeTime: Int64? = nil, boardRung: Int? = nil, boardProblem: String? = nil,
        telling others: [Int: [LiveWorkerRequest]] = [:]
    ) async throws -> [LiveWorkerAnswer] {
        try LibAVRuntime.load()
        var (input, output) = ([CInt](repeating: -1, count: 2), [CInt](repeating: -1, count: 2))
        try #require(pipe(&input) == 0 && pipe(&output) == 0)
        let request = LiveLadderRequest(
            codec: source.codec, timescale: .video90kHz, encoder: "libx264", rungs: rungs,
            boardRung: boardRung)
        var messages = ByteBuffer()
        if let resumeTime { LiveWorkerRequest.resume(at: resumeTime).write(into: &messages) }
        for (index, unit) in source.units.enumerated() {
            if let rates = adjusting[index] {
                LiveWorkerRequest.adjust(LiveLadderAdjustment(bitRates: rates)).write(into: &messages)
            }
            for other in others[index] ?? [] { other.write(into: &messages) }
            LiveWorkerRequest.unit(unit).write(into: &messages)
        }
        // It is answered when all encoders have done what they had.
        LiveWorkerRequest.adjust(LiveLadderAdjustment(bitRates: rungs.map { _ in 0 })).write(into: &messages)
        let (reading, writing, sent) = (input[0], output[1], Array(messages.readableBytesView))
        let worker = Thread {
            let pipe = LiveWorkerPipe(input: reading, output: writing)
            _ = try? LiveLadderWorker(request, pipe: pipe, hardware: nil, boardProblem: boardProblem).run()
            close(writing)
            close(reading)
        }
        worker.start()
        let feed = input[1]
        let feeder = Thread {
            var done = 0
            while done < sent.count {
                let count = sent.withUnsafeBytes { bytes in
                    bytes.baseAddress.map { write(feed, $0 + done, bytes.count - done) } ?? -1
                }
                guard count > 0 else { break }
                done += count
            }
            close(feed)
        }
        feeder.start()
        let file = FileHandle(fileDescriptor: output[0], closeOnDealloc: true)
        let bytes = try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try file.readToEnd() ?? Data() }) }.start()
        }
        var buffer = ByteBuffer(bytes: bytes)
        var answers: [LiveWorkerAnswer] = []
        let expectation = LiveWorkerAnswer.Expectation(isVideo: true, rungCount: rungs.count)
        while let message = try LiveWorkerMessage.next(from: &buffer) {
            answers.append(
                try LiveWorkerAnswer(
                    type: message.type, body: message.body, expecting: expectation, timescale: .video90kHz))
        }
        return answers
    }

    private static func made(_ answers: [LiveWorkerAnswer], count: Int = 2) -> [Made] {
        var made = [Made](repeating: Made(), count: count)
        for answer in answers {
            switch answer {
            case .rung(let index, .configuration(let configuration, _)):
                made[index].configurations.append(configuration)
            case .rung(let index, .unit(let unit)): made[index].units.append(unit)
            case .output(.failed(let reason)): Issue.record("\(reason)")
            default: break
            }
        }
        return made
    }

    private static func frameCount(_ made: Made) async throws -> Int {
        let directory = try TemporaryDirectory(label: "ladder")
        let file = try directory.write(made.stream, to: "rung.h264")
        let text = try await ExternalTool.ffprobe().run([
            "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", file,
        ])
        return Int(String(decoding: text.output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)) ?? 0
    }

    /// With frames that refer to later ones, and without.
    @Test(arguments: [0, 2]) func everyPictureIsThereAndKeyFramesAreTheSources(reordered: Int) async throws {
        let source = try await Source(.h264, "-c:v libx264 -preset veryfast -bf \(reordered) -g 25")
        let answers = try await Self.answers(source)
        #expect(answers.count { if case .consumed = $0 { true } else { false } } == 100)
        let made = Self.made(answers)
        #expect(made.map(\.size) == [[160, 90], [96, 54]])
        // The decoder holds the last frames back until others follow.
        let expected = source.units.map(\.presentationTime).sorted().dropLast(reordered)
        for rung in made {
            #expect(rung.times == Array(expected) && rung.units.allSatisfy { $0.decodeTime == $0.presentationTime })
            #expect(rung.keyFrameTimes == source.keyFrameTimes.sorted())
            #expect(try await Self.frameCount(rung) == expected.count && rung.configurations.count == 1)
        }
    }

    /// As a worker that is started in the middle of a group of pictures.
    @Test(arguments: [0, 2]) func aWorkerBeginsWithAKeyFrameWhereItIsTold(reordered: Int) async throws {
        let source = try await Source(.h264, "-c:v libx264 -preset veryfast -bf \(reordered) -g 25")
        let all = source.units.map(\.presentationTime).sorted()
        let made = Self.made(try await Self.answers(source, resumingAt: all[37]))
        let expected = Array(all.dropFirst(37).dropLast(reordered))
        for rung in made {
            #expect(rung.times == expected)
            #expect(rung.keyFrameTimes == [all[37]] + source.keyFrameTimes.sorted().dropFirst(2))
            #expect(try await Self.frameCount(rung) == expected.count)
        }
    }

    @Test func aFastSourceLosesEverySecondPicture() async throws {
        let source = try await Source(
            .h264, "-c:v libx264 -preset ultrafast -bf 0 -g 50", input: "testsrc2=size=320x180:rate=50:duration=4")
        let made = Self.made(try await Self.answers(source))
        for rung in made {
            #expect(rung.keyFrameTimes == source.keyFrameTimes)
            let later = rung.times.filter { $0 >= source.keyFrameTimes[1] }
            #expect(zip(later, later.dropFirst()).allSatisfy { $1 - $0 == 3_600 })
        }
    }

    @Test func qualitiesComeAndGoWithKeyFrames() async throws {
        let source = try await Source()
        let answers = try await Self.answers(source, adjusting: [25: [0, 50_000], 75: [120_000, 0]])
        let made = Self.made(answers)
        let keys = source.keyFrameTimes
        #expect(made[0].keyFrameTimes == [keys[0], keys[3]] && made[0].units.count == 50)
        #expect(made[1].keyFrameTimes == Array(keys[..<3]) && made[1].units.count == 75)
        // What was encoded before comes before the answer.
        let place = answers.firstIndex {
            if case .adjusted(LiveLadderAdjustment(bitRates: [0, 50_000])) = $0 { true } else { false }
        }
        let before = Self.made(Array(answers[..<(try #require(place))]))
        #expect(before.map(\.units.count) == [25, 25])
    }

    @Test func aBitRateIsFollowed() async throws {
        let source = try await Source(
            .h264, "-c:v libx264 -preset ultrafast -bf 0 -g 25 -crf 20",
            input: "testsrc2=size=320x180:rate=25,trim=duration=24")
        let rung = LiveLadderRequest.Rung(width: 160, height: 90, frameRate: 30, bitRate: 200_000)
        let made = try #require(
            Self.made(try await Self.answers(source, [rung], adjusting: [300: [60_000]]), count: 1).first)
        func rate(_ units: ArraySlice<AccessUnit>) -> Double {
            Double(units.reduce(0) { $0 + $1.payload.byteCount } * 8) / (Double(units.count) / 25)
        }
        let (first, second) = (rate(made.units[..<300]), rate(made.units[350..<600]))
        #expect(abs(first - 200_000) < 20_000 && abs(second - 60_000) < 6_000, "\(first), \(second)")
        #expect(made.configurations.count == 1)
    }

    @Test func ofInterlacedVideoTheFirstFieldIsKept() async throws {
        let source = try await Source(
            .h264, "-c:v libx264 -preset ultrafast -bf 0 -g 25 -flags +ildct+ilme",
            filter: "tinterlace=interleave_top,fieldorder=tff,format=yuv420p")
        let made = Self.made(try await Self.answers(source))
        #expect(made[0].size == [160, 90])
        #expect(try await Self.frameCount(made[0]) == made[0].units.count && made[0].units.count == source.units.count)
    }

    /// Phones tell in the stream how they are held, with each key frame; the filter of ffmpeg tells it with the first.
    @Test func picturesAreTurnedUpright() async throws {
        let source = try await Source(
            .h264,
            "-c:v libx264 -preset ultrafast -bf 0 -g 25 -bsf:v h264_metadata=display_orientation=insert:rotate=90")
        let made = Self.made(try await Self.answers(source))
        let sizes = made.map { $0.configurations.compactMap(\.videoSize).map { [$0.width, $0.height] } }
        #expect(sizes == [[[90, 160], [160, 90]], [[54, 96], [96, 54]]])
        #expect(made.allSatisfy { $0.units.count == source.units.count })
    }

    /// Ten bits of HEVC with PQ become SDR.
    @Test func highDynamicRangeBecomesStandard() async throws {
        let source = try await Source(
            .hevc,
            "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=25:bframes=0:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc -color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc",
            input: "testsrc2=size=320x180:rate=25:duration=2", filter: "format=yuv420p10le", format: "hevc")
        let made = Self.made(try await Self.answers(source))
        let color = try #require(made[0].configurations.first?.color)
        #expect(color.transferCharacteristics == 1 && color.primaries == 1)
        #expect(made[0].keyFrameTimes == source.keyFrameTimes && made[0].units.count == source.units.count)
    }

    @Test func damageEndsWithTheNextKeyFrame() async throws {
        var source = try await Source()
        for index in 30..<40 { source.units[index].payload = .frame(ByteBuffer(repeating: 0xA5, count: 300)) }
        source.units[60].presentationTime = .max
        source.units[61].payload = .frame(ByteBuffer())
        let made = Self.made(try await Self.answers(source))
        for rung in made {
            #expect(rung.times == rung.times.sorted() && Set(rung.times).count == rung.times.count)
            #expect(rung.units.count > 60, "\(rung.times.map { $0 / 3_600 })")
            #expect(rung.keyFrameTimes == source.keyFrameTimes)
        }
    }

    // MARK: The scoreboard

    private static func board(_ points: String) -> BoardPicture {
        BoardPicture(sides: [
            .init(name: "Núñez", countries: ["ES"], serves: true, columns: ["1"], points: points),
            .init(name: "Παπαδοπούλου / Иванов", countries: ["GR"], serves: false, columns: ["0"], points: "7"),
        ])
    }

    /// The luma of each frame, as rows.
    private static func luma(_ made: Made) async throws -> [[UInt8]] {
        let directory = try TemporaryDirectory(label: "ladder")
        let (file, raw) = (try directory.write(made.stream, to: "rung.h264"), try directory.file("rung.raw"))
        _ = try await ExternalTool.ffmpeg().run([
            "-nostdin", "-v", "error", "-i", file, "-fps_mode", "passthrough", "-f", "rawvideo", "-pix_fmt", "gray",
            raw,
        ])
        let bytes = try bytesOfFile(raw)
        let count = made.size.reduce(1, *)
        return stride(from: 0, to: bytes.count, by: count).map { Array(bytes[$0..<$0 + count]) }
    }

    /// The largest difference of two frames inside a rectangle and outside it.
    private static func difference(
        _ first: [UInt8], _ second: [UInt8], width: Int, _ board: BoardImage
    ) -> (inside: Int, outside: Int) {
        var found = (inside: 0, outside: 0)
        for index in first.indices {
            let (x, y) = (index % width, index / width)
            // The filter of the decoder reaches over the edge.
            let isNear =
                (board.x - 8...board.x + board.width + 8).contains(x)
                && (board.y - 8...board.y + board.height + 8).contains(y)
            let difference = abs(Int(first[index]) - Int(second[index]))
            if isNear {
                found.inside = max(found.inside, difference)
            } else {
                found.outside = max(found.outside, difference)
            }
        }
        return found
    }

    private static let boardRungs: [LiveLadderRequest.Rung] = [
        .init(width: 320, height: 180, frameRate: 30, bitRate: 2_000_000),
        .init(width: 160, height: 90, frameRate: 30, bitRate: 500_000),
    ]

    /// The states of a board are shown by the dates of frames; a state that comes late, from the next frame on.
    @Test func theScoreboardIsDrawnFromTheFrameOnThatHasItsDate() async throws {
        let source = try await Source(input: "color=c=0x406080:size=320x180:rate=25:duration=4")
        let times = source.units.map(\.presentationTime)
        let start = WallClockTime(millisecondsSince1970: 1_796_000_000_000)
        func states(_ points: [String]) -> LiveWorkerRequest {
            .boards(
                zip([1_000, 2_000], points).map { DatedBoard(from: start + .milliseconds($0), board: Self.board($1)) })
        }
        let answers = try await Self.answers(
            source, Self.boardRungs, boardRung: 0,
            telling: [
                0: [.dates(FrameDates(time: times[0], date: start)), states(["10", "11"])],
                // A correction of what frames have shown already, and a state without a board.
                75: [states(["10", "12"])],
                90: [.boards([DatedBoard(from: start, board: nil)])],
            ])
        let made = Self.made(answers)
        let text = Self.board("10").text(at: start)
        let image = try #require(
            try BoardCanvas(frameWidth: 320, frameHeight: 180).image(text, matrix: .bt601))
        #expect(image.x + image.width < 320 && image.height < 60)
        let frames = try await Self.luma(made[0])
        try #require(frames.count == 100)
        func change(_ first: Int, _ second: Int) -> (inside: Int, outside: Int) {
            Self.difference(frames[first], frames[second], width: 320, image)
        }
        for (before, after) in [(24, 25), (49, 50), (74, 75), (89, 90)] {
            let found = change(before, after)
            #expect(found.inside > 60 && found.outside <= 4, "\(before): \(found)")
        }
        for (before, after) in [(0, 24), (25, 49), (50, 74), (75, 89), (0, 95)] {
            let found = change(before, after)
            #expect(found.inside < 30 && found.outside <= 4, "\(before)–\(after): \(found)")
        }
        // The smaller quality is made of pictures without the board.
        let small = try await Self.luma(made[1])
        #expect(Set(small.joined()).count < 8, "one colour, but for what the encoder does to it")
    }

    @Test func aBoardOfAPortraitIsUpright() async throws {
        let source = try await Source(
            .h264,
            "-c:v libx264 -preset ultrafast -bf 0 -g 25 -bsf:v h264_metadata=display_orientation=insert:rotate=90",
            input: "color=c=0x406080:size=320x180:rate=25:duration=1")
        let start = WallClockTime(millisecondsSince1970: 1_796_000_000_000)
        let made = Self.made(
            try await Self.answers(
                source, Self.boardRungs, boardRung: 0,
                telling: [
                    0: [
                        .dates(FrameDates(time: source.units[0].presentationTime, date: start)),
                        .boards([DatedBoard(from: start, board: Self.board("10"))]),
                    ]
                ]))
        #expect(made[0].configurations.first?.videoSize.map { [$0.width, $0.height] } == [180, 320])
        var portrait = made[0]
        portrait.configurations = [try #require(made[0].configurations.first)]
        portrait.units = Array(made[0].units.prefix(25))
        let frame = try #require(try await Self.luma(portrait).first)
        #expect(frame[..<(180 * 60)].contains { $0 > 180 } && !frame[(180 * 80)...].contains { $0 > 180 })
    }

    /// Without cairo and pango the quality is made, and the server is told.
    @Test func withoutItsLibrariesTheQualityIsMadeWithoutABoard() async throws {
        let source = try await Source(input: "color=c=0x406080:size=320x180:rate=25:duration=1")
        let start = WallClockTime(millisecondsSince1970: 1_796_000_000_000)
        let answers = try await Self.answers(
            source, Self.boardRungs, boardRung: 0, boardProblem: "cannot load libcairo.so.2",
            telling: [
                0: [
                    .dates(FrameDates(time: 0, date: start)),
                    .boards([DatedBoard(from: start, board: Self.board("10"))]),
                ]
            ])
        let told = answers.compactMap { if case .boardMissing(let reason) = $0 { reason } else { nil } }
        #expect(told == ["cannot load libcairo.so.2"])
        let made = Self.made(answers)
        #expect(made.map(\.units.count) == [25, 25])
        #expect(!(try await Self.luma(made[0])).joined().contains { $0 > 180 })
    }

    @Test func picturesFitIntoTheBoxOfTheirPreset() {
        let rung = LiveLadderRequest.Rung(width: 854, height: 480, frameRate: 30, bitRate: 1)
        func size(_ width: Int, _ height: Int, _ ratio: Double = 1, _ rotation: FrameRotation = .none) -> [Int] {
            let size = LiveRungSize(rung, frameWidth: width, frameHeight: height, pixelRatio: ratio, rotation: rotation)
            return [size.width, size.height]
        }
        #expect(size(1_280, 720) == [854, 480])
        #expect(size(720, 1_280) == [480, 854], "portrait")
        #expect(size(1_280, 720, 1, .clockwise90) == [480, 854], "turned")
        #expect(size(720, 576, 64.0 / 45) == [854, 480], "anamorphic")
        #expect(size(640, 360) == [640, 360], "never larger")
        #expect(size(4_096, 16, 1) == [854, 16], "extreme")
        #expect(size(1_920, 1_080, .infinity) == [854, 48] && size(1_920, 1_080, 0) == [152, 854], "damaged ratios")
    }
}
