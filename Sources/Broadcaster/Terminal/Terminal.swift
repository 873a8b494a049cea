import Dispatch
import Foundation
import Synchronization

/// The terminal that the program runs in: its size, its keys without waiting for a line's end, and lines at its bottom
/// that are drawn again and again.
package final class Terminal: Sendable {
    private let original: termios
    private let stopReading: @Sendable () -> Void
    private let onHangUp: @Sendable () -> Void
    private let drawnLineCount = Mutex(0)
    private let isClosed = Atomic(false)

    /// There is one, on both ends.
    package static var isInteractive: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

    /// - Parameters:
    ///   - onKey: gets each key as it is pressed.
    ///   - onHangUp: the terminal has gone; may be called again.
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
        // A shell has the terminal while this program is stopped (Ctrl-Z), and may leave it as it likes it.
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
        // Ctrl-C stays a signal.
        settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    /// Puts the terminal back as it was. May be called again.
    package func close() {
        guard !isClosed.exchange(true, ordering: .relaxed) else { return }
        stopReading()
        write("\u{1B}[?25h")
        var settings = original
        tcsetattr(STDIN_FILENO, TCSANOW, &settings)
    }

    deinit { close() }

    /// Letters in a row, and rows.
    package static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws lines where the last ones were.
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

    /// A line that stays, above what is drawn.
    package func say(_ line: String) {
        let previous = drawnLineCount.withLock { count in
            defer { count = 0 }
            return count
        }
        write((previous > 0 ? "\r\u{1B}[\(previous)A\u{1B}[J" : "\r") + line + "\n")
    }

    private func write(_ text: String) { if LineOutput().write(text) == .closed { onHangUp() } }
}
