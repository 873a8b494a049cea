import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// What a command shows that takes long.
package enum RunOutput: Sendable, Hashable {
    /// Progress in a line that is updated in place.
    case terminal
    /// Progress, a line for each change.
    case lines
    /// The result in JSON, and no progress.
    case json

    /// What standard output gets.
    ///
    /// - Parameter isJSON: whether the user wants JSON.
    package static func standard(isJSON: Bool) -> RunOutput {
        isJSON ? .json : isatty(STDOUT_FILENO) == 1 ? .terminal : .lines
    }

    /// Writes to standard output, at once.
    @Sendable package static func write(_ text: String) {
        try? FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    }
}
