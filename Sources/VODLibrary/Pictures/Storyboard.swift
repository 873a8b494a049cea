/// Small pictures of a title on sheets, for players to show while somebody looks for a place: which times they are of,
/// and where each one lies.
package struct Storyboard: Sendable, Hashable {
    /// Seconds that each picture stands for.
    package let interval: Int
    package let tileCount: Int
    /// Seconds.
    private let duration: Double

    package static let tileWidth = 160
    /// Of a film for telephones: 9:16 of that width.
    package static let maximumTileHeight = 286
    package static let columnCount = 10
    package static let rowCount = 10
    /// 600 pictures: fifty minutes have one each 5 s, longer titles one each 10 s and so on.
    package static let maximumSheetCount = 6
    package static let fileName = "storyboard.vtt"
    /// Round numbers; beyond the last one whatever fits.
    private static let intervals = [5, 10, 15, 20, 30, 60, 120, 300, 600, 1_800, 3_600]
    private static let tilesPerSheet = columnCount * rowCount
    static let maximumTileCount = maximumSheetCount * tilesPerSheet
    /// A hostile file's: thirty years of surveillance.
    private static let maximumDuration = 1e9

    /// - Parameter duration: the title's, in seconds.
    /// - Returns: `nil` for a title that has none.
    package init?(duration: Double) {
        guard duration.isFinite, duration > 0 else { return nil }
        let duration = min(duration, Self.maximumDuration)
        let least = duration / Double(Self.maximumTileCount)
        interval = Self.intervals.first { Double($0) >= least } ?? Int(least.rounded(.up))
        tileCount = min(Self.maximumTileCount, max(1, Int((duration / Double(interval)).rounded(.up))))
        self.duration = duration
    }

    package var sheetCount: Int { (tileCount + Self.tilesPerSheet - 1) / Self.tilesPerSheet }

    /// - Parameter number: from 1 on.
    package static func sheetName(_ number: Int) -> String { "storyboard-\(number).jpg" }

    /// Microseconds: the middle of what each picture stands for.
    var times: [Int64] {
        (0..<tileCount).map { index in
            let start = Double(index * interval)
            return Int64((start + end(of: index)) / 2 * 1e6)
        }
    }

    private func end(of index: Int) -> Double {
        max(Double(index * interval) + 0.001, min(Double((index + 1) * interval), duration))
    }

    /// Players take the sheets' addresses relative to this file's (as Video.js, Plyr, Shaka and JW Player do).
    ///
    /// - Parameter version: changes whenever the pictures do, so that they can be cached for ever.
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
