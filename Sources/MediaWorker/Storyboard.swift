/// The thumbnails of a title on sheets, which players show while somebody seeks: the times of the thumbnails, and their
/// places on the sheets.
package struct Storyboard: Sendable, Hashable {
    /// Seconds of the title for each thumbnail.
    package let interval: Int
    /// The number of thumbnails on all sheets together.
    package let tileCount: Int
    /// The title's duration in seconds.
    private let duration: Double

    package static let tileWidth = 160
    /// Limit for portrait video: 9:16 of the width.
    package static let maximumTileHeight = 286
    package static let columnCount = 10
    package static let rowCount = 10
    /// Limit on the sheets, and so 600 thumbnails: up to fifty minutes have one every 5 s, longer titles one every 10
    /// s, and so on.
    package static let maximumSheetCount = 6
    package static let fileName = "storyboard.vtt"
    /// Round intervals in seconds; longer titles use whatever interval is needed.
    private static let intervals = [5, 10, 15, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
    private static let tilesPerSheet = columnCount * rowCount
    static let maximumTileCount = maximumSheetCount * tilesPerSheet
    /// Limit in seconds against hostile files: thirty years.
    private static let maximumDuration = 1e9

    /// - Parameter duration: the title's duration, in seconds.
    /// - Returns: `nil` if the duration is not a positive number.
    package init?(duration: Double) {
        guard duration.isFinite, duration > 0 else { return nil }
        let duration = min(duration, Self.maximumDuration)
        let least = duration / Double(Self.maximumTileCount)
        interval = Self.intervals.first { Double($0) >= least } ?? Int(least.rounded(.up))
        tileCount = min(Self.maximumTileCount, max(1, Int((duration / Double(interval)).rounded(.up))))
        self.duration = duration
    }

    package var sheetCount: Int { (tileCount + Self.tilesPerSheet - 1) / Self.tilesPerSheet }

    /// The file name of a sheet.
    ///
    /// - Parameter number: the sheet's number, beginning with 1.
    package static func sheetName(_ number: Int) -> String { "storyboard-\(number).jpg" }

    /// Times of the frames in microseconds: the middle of each thumbnail's interval.
    var times: [Int64] {
        (0..<tileCount).map { index in
            let start = Double(index * interval)
            return Int64((start + end(of: index)) / 2 * 1e6)
        }
    }

    private func end(of index: Int) -> Double {
        max(Double(index * interval) + 0.001, min(Double((index + 1) * interval), duration))
    }

    /// The WebVTT index of the thumbnails. Players resolve the sheets' addresses relative to this file (Video.js, Plyr,
    /// Shaka and JW Player do).
    ///
    /// - Parameter version: changes whenever the thumbnails do, so that they can be cached forever.
    func webVTT(tileWidth: Int, tileHeight: Int, version: String) -> String {
        var text = "WEBVTT\n"
        for index in 0..<tileCount {
            let place = index % Self.tilesPerSheet
            let x = place % Self.columnCount * tileWidth
            let y = place / Self.columnCount * tileHeight
            text += "\n\(Self.timestamp(Double(index * interval))) --> \(Self.timestamp(end(of: index)))\n"
            text += "\(Self.sheetName(index / Self.tilesPerSheet + 1))?v=\(version)"
            text += "#xywh=\(x),\(y),\(tileWidth),\(tileHeight)\n"
        }
        return text
    }

    /// The first thumbnail in an index that ``Storyboard`` has made.
    package struct FirstTile: Sendable, Hashable {
        /// The addresses of the sheets, with `$Number$`.
        package var sheets: String
        /// Seconds of the title for each thumbnail.
        package var interval: Int
        /// The size of a thumbnail in pixels.
        package var width, height: Int

        /// - Parameter index: the beginning of the index.
        /// - Returns: `nil` for another text.
        package init?(index: String) {
            guard
                let match = index.firstMatch(
                    of: /--> (\d+):(\d\d):(\d\d)\.\d+\nstoryboard-1\.jpg\?v=([A-Za-z0-9]+)#xywh=0,0,(\d+),(\d+)/),
                let hours = Int(match.1), let minutes = Int(match.2), let seconds = Int(match.3),
                let width = Int(match.5), let height = Int(match.6), (0...9_999).contains(hours),
                (1...tileWidth).contains(width), (1...maximumTileHeight).contains(height)
            else { return nil }
            // A title that is shorter than an interval has one thumbnail, which ends with it.
            interval = max(1, hours * 3_600 + minutes * 60 + seconds)
            sheets = "storyboard-$Number$.jpg?v=\(match.4)"
            (self.width, self.height) = (width, height)
        }
    }

    private static func timestamp(_ seconds: Double) -> String {
        func digits(_ value: Int, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        let milliseconds = Int((seconds * 1_000).rounded())
        let whole = milliseconds / 1_000
        return "\(digits(whole / 3_600, 2)):\(digits(whole / 60 % 60, 2)):\(digits(whole % 60, 2))"
            + ".\(digits(milliseconds % 1_000, 3))"
    }
}
