package import MediaCore

/// The content of a scoreboard that is drawn into frames: names, score, serve and clocks.
package struct BoardPicture: Sendable, Hashable, Codable {
    /// One side of the match: a row of the board.
    package struct Side: Sendable, Hashable, Codable {
        package var name: String
        /// Codes of the players' countries, such as `ES`; one for players of the same country.
        package var countries: [String]
        /// Whether a player of the side serves.
        package var serves: Bool
        /// The numbers before the points, such as games won; in the last state, the points of each game.
        package var columns: [String]
        /// The points; empty for none.
        package var points: String

        package init(name: String, countries: [String], serves: Bool, columns: [String], points: String) {
            (self.name, self.countries, self.serves) = (name, countries, serves)
            (self.columns, self.points) = (columns, points)
        }
    }

    /// The clock of a period.
    package struct Clock: Sendable, Hashable, Codable {
        /// The text before the time, such as the number of the period.
        package var label: String
        /// The time that had been played when the clock was last started or stopped.
        package var playedMilliseconds: Int64
        /// The time since which it runs; `nil` while it stands.
        package var runningSince: WallClockTime?
        package var periodSeconds: Int
        package var countsDown: Bool

        package init(
            label: String, playedMilliseconds: Int64, runningSince: WallClockTime?, periodSeconds: Int,
            countsDown: Bool
        ) {
            (self.label, self.playedMilliseconds, self.runningSince) = (label, playedMilliseconds, runningSince)
            (self.periodSeconds, self.countsDown) = (periodSeconds, countsDown)
        }

        /// The time that it shows.
        func text(at date: WallClockTime) -> String {
            let running = runningSince.map { max(0, date.milliseconds(since: $0)) } ?? 0
            let played = playedMilliseconds.addingSaturating(running)
            guard countsDown else { return "\(label) \(BoardText.time(seconds: played / 1_000))" }
            let period = Int64(min(max(0, periodSeconds), BoardText.maximumSeconds)) * 1_000
            let left = max(0, period.subtractingSaturating(played))
            return "\(label) \(BoardText.time(seconds: BoardText.roundedUp(left)))"
        }
    }

    /// The sides, the upper one first.
    package var sides: [Side]
    package var clock: Clock?
    /// The line below, such as a time-out or the winner; empty for none.
    package var line: String
    /// The time to which the line counts down; `nil` if it does not.
    package var lineCountsDownTo: WallClockTime?
    /// The language of the words, a tag such as `es`, which selects among the forms of Han characters.
    package var language: String

    package init(
        sides: [Side], clock: Clock? = nil, line: String = "", lineCountsDownTo: WallClockTime? = nil,
        language: String = "en"
    ) {
        (self.sides, self.clock, self.line) = (sides, clock, line)
        (self.lineCountsDownTo, self.language) = (lineCountsDownTo, language)
    }

    /// Limit of each text, in characters: two names of the longest kind.
    package static let maximumTextLength = 80
    /// Limit of the numbers of a side: the games of the longest match, and some overtimes.
    package static let maximumColumnCount = 9
    private static let maximumCountryCount = 4

    /// The board with texts of bounded length, without characters that end lines.
    package var bounded: BoardPicture {
        var board = self
        board.sides = sides.prefix(2).map { side in
            Side(
                name: Self.bounded(side.name),
                countries: side.countries.prefix(Self.maximumCountryCount).map { Self.bounded($0, length: 3) },
                serves: side.serves,
                columns: side.columns.suffix(Self.maximumColumnCount).map { Self.bounded($0, length: 4) },
                points: Self.bounded(side.points, length: 4))
        }
        board.clock?.label = Self.bounded(clock?.label ?? "", length: 8)
        board.line = Self.bounded(line)
        board.language = Self.bounded(language, length: 8)
        return board
    }

    private static func bounded(_ text: String, length: Int = maximumTextLength) -> String {
        let line = text.unicodeScalars.lazy.filter { $0.properties.generalCategory != .control }.prefix(length * 4)
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: line)
        return String(String(scalars).prefix(length))
    }

    /// The texts at a time.
    package func text(at date: WallClockTime) -> BoardText {
        var below: [String] = []
        if let clock { below.append(clock.text(at: date)) }
        if !line.isEmpty {
            let left = lineCountsDownTo.map { BoardText.roundedUp($0.milliseconds(since: date)) } ?? 0
            below.append(left > 0 ? "\(line) · \(BoardText.time(seconds: left))" : line)
        }
        return BoardText(sides: sides, lines: below, language: language)
    }
}
