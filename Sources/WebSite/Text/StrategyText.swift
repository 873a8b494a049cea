import JSONDocument
import Scoreboard
import SiteTexts

/// The texts of the strategy board.
struct StrategyText: SiteTextSection {
    static let section = "strategy"

    let heading, intro, mine, newDrawing, empty, back, close: String
    // The tools.
    let tool, draw, erase, color, white, black, red, yellow, blue, green: String
    let width, thin, medium, thick, opacity, opaque, half, faint, court, undo, redo, clear, keys: String
    // What is saved and shown.
    let name, save, delete, askDelete, lines, full, board, show, hide, shown, hidden, unfollowed, shownLabel: String
    let waits, logIn, forbidden, away, refused, gone, notKept: String
    /// The names of courts.
    let courtNames: [String: String]

    /// The words that the scripts of the strategy board show.
    var words: String {
        let words = [
            ("delete", delete), ("askDelete", askDelete), ("lines", lines), ("full", full), ("shown", shown),
            ("hidden", hidden), ("unfollowed", unfollowed), ("waits", waits), ("logIn", logIn),
            ("forbidden", forbidden), ("away", away), ("refused", refused), ("gone", gone), ("notKept", notKept),
        ].map { ($0.0, JSONText.string($0.1)) }
        let courts = StrategyCourt.allCases.map {
            ($0.rawValue, JSONText.string(courtNames[$0.rawValue] ?? $0.rawValue))
        }
        return JSONText.object(words + [("courts", .object(courts))]).rendered
    }

    /// The colours of lines, with what keys and labels call them.
    var colors: [[String: Any]] {
        [
            ("#ffffff", white), ("#111418", black), ("#e5383b", red), ("#f5c244", yellow), ("#2d7ff9", blue),
            ("#2fbf71", green),
        ].enumerated().map { index, color in
            ["value": color.0, "label": color.1, "key": "\(index + 1)", "checked": index == 3]
        }
    }

    /// The widths of lines, in the unit of their coordinates.
    var widths: [[String: Any]] {
        [(40, 3, thin), (80, 6, medium), (200, 12, thick)].enumerated().map { index, width in
            ["value": "\(width.0)", "shown": "\(width.1)", "label": width.2, "checked": index == 1]
        }
    }

    /// Percentages of opacity.
    var opacities: [[String: Any]] {
        [(100, "1", opaque), (50, ".5", half), (25, ".25", faint)].enumerated().map { index, opacity in
            ["value": "\(opacity.0)", "shown": opacity.1, "label": opacity.2, "checked": index == 0]
        }
    }
}
