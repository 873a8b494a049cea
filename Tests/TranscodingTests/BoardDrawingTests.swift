import BoardDrawing
import MediaCore
import Testing

/// Scoreboards as texts and as pixels.
struct BoardDrawingTests {
    private let date = WallClockTime(millisecondsSince1970: 1_796_000_000_000)

    private func side(_ name: String, points: String = "10", serves: Bool = false) -> BoardPicture.Side {
        .init(name: name, countries: ["ES"], serves: serves, columns: ["2"], points: points)
    }

    @Test(arguments: [
        (0, "2. 8:00"), (1, "2. 8:00"), (999, "2. 8:00"), (1_000, "2. 7:59"), (480_000, "2. 0:00"),
        (900_000, "2. 0:00"), (-5_000, "2. 8:00"),
    ]) func aClockThatCountsDownRunsByTheDateOfFrames(milliseconds: Int, text: String) {
        let clock = BoardPicture.Clock(
            label: "2.", playedMilliseconds: 120_000, runningSince: date, periodSeconds: 600, countsDown: true)
        let board = BoardPicture(sides: [side("A"), side("B")], clock: clock)
        #expect(board.text(at: date + .milliseconds(milliseconds)).lines == [text])
    }

    @Test func aClockThatStandsShowsWhatWasPlayed() {
        let clock = BoardPicture.Clock(
            label: "1.", playedMilliseconds: 3_723_900, runningSince: nil, periodSeconds: 2_700, countsDown: false)
        #expect(BoardPicture(sides: [], clock: clock).text(at: date).lines == ["1. 1:02:03"])
    }

    @Test func aTimeOutCountsDown() {
        let board = BoardPicture(sides: [], line: "Time-out", lineCountsDownTo: date + .seconds(30))
        #expect(board.text(at: date).lines == ["Time-out · 0:30"])
        #expect(board.text(at: date + .milliseconds(29_100)).lines == ["Time-out · 0:01"])
        #expect(board.text(at: date + .seconds(30)).lines == ["Time-out"])
    }

    @Test func ofStatesTheNewestUpToADateCounts() {
        let (first, second) = (BoardPicture(sides: [side("A")]), BoardPicture(sides: [side("B")]))
        let boards = [
            DatedBoard(from: date, board: first), DatedBoard(from: date + .seconds(1), board: second),
            DatedBoard(from: date + .seconds(2), board: nil),
        ]
        #expect(boards.board(at: date - .seconds(1)) == nil && boards.board(at: date) == first)
        #expect(boards.board(at: date + .seconds(1)) == second && boards.board(at: date + .seconds(3)) == nil)
    }

    @Test func textsAreBounded() {
        let long = String(repeating: "e\u{301}\n", count: 10_000)
        let board = BoardPicture(
            sides: Array(
                repeating: .init(
                    name: long, countries: Array(repeating: long, count: 50), serves: true,
                    columns: Array(repeating: long, count: 50), points: long), count: 5),
            clock: .init(
                label: long, playedMilliseconds: .max, runningSince: date, periodSeconds: .max, countsDown: true),
            line: long, language: long
        ).bounded
        #expect(board.sides.count == 2 && board.sides[0].name.count == 80 && board.line.count == 80)
        #expect(board.sides[0].columns.count == 9 && board.sides[0].points.count == 4)
        #expect(board.sides[0].countries.count == 4 && board.language.count == 8)
        #expect(!board.sides[0].name.contains("\n"))
        #expect(!board.text(at: .distantFuture).lines.isEmpty, "no arithmetic that overflows")
    }

    /// Latin, Greek, Cyrillic, Han, Hangul, Arabic and a name that has no room.
    @Test(arguments: [
        "Núñez", "Παπαδοπούλου", "Иванов", "山田 / 鈴木", "김민준", "محمد", String(repeating: "Muñoz ", count: 13), "",
    ]) func namesOfAllScriptsAreDrawnWithinTheFrame(name: String) throws {
        let text = BoardPicture(sides: [side(name, serves: true), side("B")], line: "Match point").text(at: date)
        for (width, height) in [(320, 180), (640, 360), (1_280, 720), (360, 640), (64, 64)] {
            let canvas = try BoardCanvas(frameWidth: width, frameHeight: height)
            let image = try #require(try canvas.image(text, matrix: .bt709))
            #expect(image.x + image.width <= width && image.y + image.height <= height, "\(width)")
            #expect(image.width.isMultiple(of: 2) && image.height.isMultiple(of: 2) && image.x.isMultiple(of: 2))
            #expect(image.luma.added.count == image.width * image.height)
            #expect(image.blueChroma.added.count * 4 == image.luma.added.count)
            #expect(image.luma.added.max() ?? 0 > 100 && image.luma.kept.min() == 0)
        }
    }

    @Test func aFrameThatIsTooSmallHasNoBoard() throws {
        let text = BoardPicture(sides: [side("A"), side("B")]).text(at: date)
        #expect(try BoardCanvas(frameWidth: 48, frameHeight: 32).image(text, matrix: .bt709) == nil)
        #expect(try BoardCanvas(frameWidth: .max, frameHeight: .max).image(text, matrix: .bt709) == nil)
        #expect(
            try BoardCanvas(frameWidth: 320, frameHeight: 180).image(
                BoardPicture(sides: []).text(at: date), matrix: .bt709) == nil)
    }

    /// What is opaque replaces the frame, what is transparent leaves it.
    @Test func planesAreLaidOverFrames() throws {
        let text = BoardPicture(sides: [side("A"), side("B")]).text(at: date)
        let image = try #require(try BoardCanvas(frameWidth: 320, frameHeight: 180).image(text, matrix: .bt709))
        let index = try #require(image.luma.kept.firstIndex(of: 0))
        for before in [UInt8(0), 16, 128, 235, 255] {
            var plane = [UInt8](repeating: before, count: image.width * image.height)
            plane.withUnsafeMutableBufferPointer { bytes in
                guard let start = bytes.baseAddress else { return }
                image.luma.blend(onto: start, stride: image.width, width: image.width)
            }
            #expect(plane[index] == image.luma.added[index])
            for place in plane.indices where image.luma.kept[place] == 255 { #expect(plane[place] == before) }
        }
    }
}
