import Foundation

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The output of a long-running command.
package enum RunOutput: Sendable, Hashable {
    /// Progress in a line that is updated in place.
    case terminal
    /// Progress, a line for each change.
    case lines
    /// The result in JSON, and no progress.
    case json

    /// The output of a command to standard output.
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
