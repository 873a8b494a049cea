package import BoardDrawing
import Synchronization

/// The states of a channel's scoreboard, for the ladder of its push that draws it into the picture.
package final class ChannelBoards: Sendable {
    private struct State {
        var boards: [DatedBoard] = []
        /// The ladder of the push that is shown; `nil` if there is none that draws a board.
        var ladder: (any LiveLadder)?
    }

    private let state = Mutex(State())

    /// Shows these states, oldest first, in place of all former ones. Callable on any thread.
    package func show(_ boards: [DatedBoard]) {
        state.withLock { state in
            guard state.boards != boards else { return }
            state.boards = Array(boards.suffix(DatedBoard.maximumCount))
            state.ladder?.show(state.boards)
        }
    }

    /// Gives the states to a ladder, and from now on all new ones.
    func begin(_ ladder: any LiveLadder) {
        state.withLock { state in
            state.ladder = ladder
            if !state.boards.isEmpty { ladder.show(state.boards) }
        }
    }

    func end(_ ladder: any LiveLadder) {
        state.withLock { if $0.ladder === ladder { $0.ladder = nil } }
    }
}
