import DequeModule
package import Foundation
package import Logging
import Synchronization

/// The newest lines of the program's log, for operators who are not on the machine.
package final class LogTail: Sendable {
    /// A line of the log.
    package struct Line: Sendable, Hashable {
        /// The number of the line since the start.
        package var number: Int
        package var time: Date
        package var level: Logger.Level
        package var message: String
        /// The metadata as `key=value`, in the order of the keys.
        package var metadata: String
    }

    private struct State {
        var lines: Deque<Line> = []
        var first = 0
    }

    /// The tail of the log of this program, which has one log.
    package static let shared = LogTail()

    /// The number of lines that are kept.
    package static let maximumLineCount = 1_000
    /// Limit of a line's metadata.
    static let maximumMetadataCharacterCount = 2_000

    private let state = Mutex(State())

    package init() {}

    package func add(_ level: Logger.Level, _ message: String, _ metadata: String, at time: Date = Date()) {
        state.withLock { state in
            if state.lines.count == Self.maximumLineCount {
                state.lines.removeFirst()
                state.first += 1
            }
            state.lines.append(
                Line(
                    number: state.first + state.lines.count + 1, time: time, level: level, message: message,
                    metadata: String(metadata.prefix(Self.maximumMetadataCharacterCount))))
        }
    }

    /// The lines after one, oldest first.
    ///
    /// - Parameters:
    ///   - number: the number of the line before; 0 for all that are kept.
    ///   - level: the lowest level.
    ///   - words: a text that a line has, regardless of case; empty for all.
    package func lines(after number: Int = 0, level: Logger.Level = .trace, words: String = "") -> [Line] {
        let lines = state.withLock { $0.lines }
        let words = words.lowercased()
        return lines.filter { line in
            line.number > number && line.level >= level
                && (words.isEmpty || line.message.lowercased().contains(words)
                    || line.metadata.lowercased().contains(words))
        }
    }
}
