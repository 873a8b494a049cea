import Dispatch
import Foundation
import Synchronization

/// The program's terminal: its size, its keys without waiting for the end of a line, and lines at its bottom that are
/// redrawn.
package final class Terminal: Sendable {
    private let original: termios
    private let stopReading: @Sendable () -> Void
    private let onHangUp: @Sendable () -> Void
    private let drawnLineCount = Mutex(0)
    private let isClosed = Atomic(false)

    /// True if standard input and standard output are both a terminal.
    package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// Switches the terminal to reading single keys.
    ///
    /// - Parameters:
    ///   - onKey: Gets each key when it is pressed.
    ///   - onHangUp: Called when the terminal is gone; possibly more than once.
    package init(onKey: @escaping @Sendable (Character) -> Void, onHangUp: @escaping @Sendable () -> Void = {}) {
        self.onHangUp = onHangUp
        var settings = termios()
        tcgetattr(STDIN_FILENO, &settings)
        original = settings
        Self.takeKeys()
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
        source.setEventHandler {
            var bytes = [UInt8](repeating: 0, count: 64)
            let count = read(STDIN_FILENO, &bytes, bytes.count)
            guard count > 0 else { return }
            for character in String(decoding: bytes[..<count], as: UTF8.self) { onKey(character) }
        }
        source.resume()
        // Dispatch's sources may be cancelled from anywhere; their type does not say so.
        nonisolated(unsafe) let shared = source
        // While this program is stopped (Ctrl-Z), a shell uses the terminal and may change its mode.
        nonisolated(unsafe) let continued = DispatchSource.makeSignalSource(signal: SIGCONT, queue: .global())
        continued.setEventHandler { Self.takeKeys() }
        continued.resume()
        stopReading = {
            shared.cancel()
            continued.cancel()
        }
        write("\u{1B}[?25l")
    }

    private static func takeKeys() {
        var settings = termios()
        guard tcgetattr(STDIN_FILENO, &settings) == 0 else { return }
        // Ctrl-C remains a signal.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Restores the terminal. May be called more than once.
    package func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        stopReading()
        write("\u{1B}[?25h")
        var settings = original
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    deinit { close() }

    /// The number of characters per row and of rows; 80 by 24 if unknown.
    package static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws lines in place of the last ones.
    package func draw(_ lines: [String]) {
        let previous = drawnLineCount.withLock { count in
            defer { count = lines.count }
            return count
        }
        var text = previous > 0 ? "\r\u{1B}[\(previous)A" : "\r"
        for line in lines { text += line + "\u{1B}[K\n" }
        if previous > lines.count { text += "\u{1B}[J" }
        write(text)
    }

    /// Prints a permanent line above the redrawn ones.
    package func say(_ line: String) {
        let previous = drawnLineCount.withLock { count in
            defer { count = 0 }
            return count
        }
        write((previous > 0 ? "\r\u{1B}[\(previous)A\u{1B}[J" : "\r") + line + "\n")
    }

    private func write(_ text: String) { if LineOutput().write(text) == .closed { onHangUp() } }
}
