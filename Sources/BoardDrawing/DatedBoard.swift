package import MediaCore

/// A state of a board with the time from which it holds.
package struct DatedBoard: Sendable, Hashable, Codable {
    /// The time on the server's clock at which it happened; frames from this date on show it.
    package var from: WallClockTime
    /// The board; `nil` if there is none from then on.
    package var board: BoardPicture?

    package init(from: WallClockTime, board: BoardPicture?) { (self.from, self.board) = (from, board) }

    /// Limit of the states that are known at a time. A rally takes seconds, and frames are seconds behind at most.
    package static let maximumCount = 64
}

extension [DatedBoard] {
    /// The board at a time; `nil` if there is none. Of states that hold at the same time, the last one counts.
    package func board(at date: WallClockTime) -> BoardPicture? { last { $0.from <= date }?.board }
}
